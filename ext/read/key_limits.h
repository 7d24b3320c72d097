// KeyLimits: selects the transaction's pending entities that meet a read's conditions on the keys.
// It compares keys in SQLite's order. The bounds of ranges mean the same in the service's order.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "plan/bound_read.h"
#include "write/write_log.h"

namespace aztables {

class KeyLimits {
 public:
  explicit KeyLimits(const BoundQuery& read);

  // No entity before this key is within the limits.
  const EntityKey& begin() const { return begin_; }
  bool Contain(EntityKeyView key) const;
  // Whether neither `key` nor any key after it is within the limits.
  bool AreBehind(EntityKeyView key) const;

 private:
  Conjunction conditions_;
  bool one_partition_ = false;
  EntityKey begin_;
};

}  // namespace aztables
