// RowidMap: the rowids of one remote table on one database connection. The service has no rowids.
// During a statement SQLite needs the same number for the same entity; GUI tools use a rowid again
// later. An id is assigned when SQLite asks for it, and is never reused for another entity.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "write/write_log.h"

namespace aztables {

class RowidMap {
 public:
  // The most ids that are kept while no statement runs.
  static constexpr size_t kCapacity = 100'000;

  // The id of the entity; assigns a new one if it has none.
  int64_t IdFor(EntityKeyView key);
  // An id for an entity that was just inserted. Only the last one is kept.
  int64_t IdForInserted(EntityKeyView key);
  // The id of the entity, if it was assigned by IdFor().
  std::optional<int64_t> IdOf(EntityKeyView key) const;
  // The entity of this id, if it is still known.
  std::optional<EntityKey> Find(int64_t id) const;
  // Forgets the oldest ids beyond the capacity. REQUIRES: no cursor is open, because an entity must
  // keep its id within a statement
  void Trim();

 private:
  static EntityKey Split(const std::string& text);

  std::unordered_map<std::string, int64_t> ids_;              // by partition key, U+0000, row key
  std::deque<std::pair<int64_t, const std::string*>> by_id_;  // ascending; keys are those of ids_
  int64_t next_id_ = 1;
  std::optional<std::pair<int64_t, std::string>> inserted_;
};

}  // namespace aztables
