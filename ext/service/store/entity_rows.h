// EntityRows: the entities of one table in the store: point reads, scans of key ranges, and the
// writes of the service with their conditions.
// Source: Microsoft, "Insert Entity", "Update Entity", "Merge Entity", "Delete Entity" and the
// upserts; recorded traffic: an insert keeps the order of properties, every other write sorts them.
//
// Errors: storage errors.
// Thread rule: that of the connection.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/edm.h"
#include "service/handlers/entity_json.h"
#include "service/store/key_ranges.h"
#include "service/store/store.h"

namespace aztables {

class EntityRows {
 public:
  EntityRows(StoreConnection* connection, int64_t table_id);

  // The entity, or nothing. `record` holds the bytes that its properties point into.
  Result<bool> Read(std::string_view partition_key, std::string_view row_key, StoredEntity& entity,
                    std::string& record);

  // Shows the entities of `range` in order until `visit` returns false; those after it stay unread.
  // Without `with_properties` entities come without them. What is shown dies when visit returns.
  using Visit = std::function<Result<bool>(const StoredEntity&)>;
  // Whether the end of the range was reached.
  Result<bool> Scan(const KeyRange& range, bool with_properties, const Visit& visit);

  // If-Match: "*", an ETag, or nothing, which makes an update an upsert.
  using Condition = std::optional<std::string>;

  // Each returns the Timestamp of what it wrote.
  Result<Ticks> Insert(StoreTransaction& transaction, std::string_view partition_key,
                       std::string_view row_key, const std::vector<Property>& properties);
  Result<Ticks> Replace(StoreTransaction& transaction, std::string_view partition_key,
                        std::string_view row_key, const std::vector<Property>& properties,
                        const Condition& if_match);
  Result<Ticks> Merge(StoreTransaction& transaction, std::string_view partition_key,
                      std::string_view row_key, const std::vector<Property>& properties,
                      const Condition& if_match);
  Status Delete(std::string_view partition_key, std::string_view row_key,
                const Condition& if_match);

  // The SQL that makes the table of entities, and that drops it.
  static std::string CreateSql(int64_t table_id);
  static std::string DropSql(int64_t table_id);

 private:
  // Read() for a write under `if_match`: OK where it may go on. Without a condition the entity may
  // be absent.
  Status ReadToChange(std::string_view partition_key, std::string_view row_key,
                      const Condition& if_match, StoredEntity& entity, std::string& record);
  Result<Ticks> Put(StoreTransaction& transaction, std::string_view partition_key,
                    std::string_view row_key, const std::vector<PropertyView>& properties);

  StoreConnection* connection_;
  std::string name_;  // of the table in SQL
};

}  // namespace aztables
