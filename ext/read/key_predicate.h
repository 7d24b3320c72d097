// KeyPredicate: a query's conditions on keys, for the transaction's pending entities. It compares
// keys in SQLite's order. The bounds of ranges mean the same in the service's order.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "odata/filter.h"
#include "write/write_log.h"

namespace aztables {

class KeyPredicate {
 public:
  explicit KeyPredicate(const EntityQuery& query);

  // No key before this one matches.
  const EntityKey& begin() const { return begin_; }
  bool Matches(EntityKeyView key) const;
  // Whether neither `key` nor any key after it matches.
  bool EndsBefore(EntityKeyView key) const;

 private:
  Conjunction conditions_;
  bool one_partition_ = false;
  EntityKey begin_;
};

}  // namespace aztables
