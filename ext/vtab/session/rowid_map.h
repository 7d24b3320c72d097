// RowidMap: the rowids of one remote table on one database connection. The service has none; SQLite
// wants the same number for the same entity whenever it asks during a statement, and GUI tools come
// back with one later. An id is given when SQLite asks for it and is never used again for another
// entity.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace aztables {

class RowidMap {
 public:
  // Ids that are remembered while no statement runs.
  static constexpr size_t kCapacity = 100'000;

  // The id of the entity, a new one if it has none.
  int64_t IdFor(std::string_view partition_key, std::string_view row_key);
  // An id for an entity that was just inserted. Only the last one is remembered.
  int64_t IdForInserted(std::string_view partition_key, std::string_view row_key);
  // The id of the entity, if it has been given one and not only been inserted.
  std::optional<int64_t> IdOf(std::string_view partition_key, std::string_view row_key) const;
  // The entity that has this id, if it is still known.
  std::optional<std::pair<std::string, std::string>> Find(int64_t id) const;
  // Forgets the oldest ids beyond the capacity. Not while a cursor is open: an entity must keep its
  // id within a statement.
  void Trim();

 private:
  static std::pair<std::string, std::string> Split(const std::string& key);

  std::unordered_map<std::string, int64_t> ids_;              // by partition key, U+0000, row key
  std::deque<std::pair<int64_t, const std::string*>> by_id_;  // ascending; keys are those of ids_
  int64_t next_id_ = 1;
  std::optional<std::pair<int64_t, std::string>> inserted_;
};

}  // namespace aztables
