// KeyLimits: what a read's conditions on the keys leave of the entities that a transaction has
// pending, in SQLite's order. The bounds of ranges mean the same in the service's.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "plan/bound_read.h"
#include "write/write_log.h"

namespace aztables {

class KeyLimits {
 public:
  explicit KeyLimits(const BoundQuery& read);

  // No entity in front of it is within the limits.
  const EntityKey& begin() const { return begin_; }
  bool Contain(EntityKeyView key) const;
  // Whether neither `key` nor any behind it is within the limits.
  bool AreBehind(EntityKeyView key) const;

 private:
  Conjunction conditions_;
  bool one_partition_ = false;
  EntityKey begin_;
};

}  // namespace aztables
