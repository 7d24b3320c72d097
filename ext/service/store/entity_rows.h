// EntityRows: the entities of one table in the store: point reads, scans of key ranges, and
// conditional writes.
// Source: Microsoft, "Insert Entity", "Update Entity", "Merge Entity", "Delete Entity" and the
// upserts. Recorded traffic: an insert keeps the order of properties, every other write sorts them.
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

  // False if the entity does not exist. `record` holds the bytes of its properties.
  Result<bool> Read(std::string_view partition_key, std::string_view row_key, StoredEntity& entity,
                    std::string& record);

  // Passes the entities of `range` in order to `visit` until it returns false. Without
  // `with_properties` entities have keys and Timestamp only. An entity is valid during its visit
  // only.
  using Visit = std::function<Result<bool>(const StoredEntity&)>;
  // Returns whether it reached the end of the range.
  Result<bool> Scan(const KeyRange& range, bool with_properties, const Visit& visit);

  // The greatest PartitionKey below `stored_key`, both in stored form; empty if there is none.
  Result<std::string> PartitionBefore(std::string_view stored_key);

  // If-Match: "*", an ETag, or nothing, which makes an update an upsert.
  using Condition = std::optional<std::string>;

  // Each returns the Timestamp of the written entity. `record` holds the properties to write.
  Result<Ticks> Insert(StoreTransaction& transaction, std::string_view partition_key,
                       std::string_view row_key, std::string_view record);
  Result<Ticks> Replace(StoreTransaction& transaction, std::string_view partition_key,
                        std::string_view row_key, std::string_view record,
                        const Condition& if_match);
  Result<Ticks> Merge(StoreTransaction& transaction, std::string_view partition_key,
                      std::string_view row_key, std::string_view record, const Condition& if_match);
  Status Delete(std::string_view partition_key, std::string_view row_key,
                const Condition& if_match);

  // The SQL statements that create and drop the table of entities.
  static std::string CreateSql(int64_t table_id);
  static std::string DropSql(int64_t table_id);

 private:
  // Scan() of the entities of one partition, from `low` to `high` (exclusive); keys are stored
  // keys.
  Result<bool> ScanPartition(std::string_view partition_key, std::string_view low,
                             std::string_view high, bool with_properties, const Visit& visit);
  // Scan() of the whole partitions in `range`.
  Result<bool> ScanPartitions(const KeyRange& range, bool with_properties, const Visit& visit);
  // SELECT rk, ticks [, record] [, pk], without a condition.
  std::string SelectSql(bool with_properties, bool with_partitions) const;
  // Reads for a write under `if_match`; OK if the write may proceed. Without a condition the entity
  // may be absent.
  Status ReadToChange(std::string_view partition_key, std::string_view row_key,
                      const Condition& if_match, StoredEntity& entity, std::string& record);
  // Writes `record`, which holds `properties`. An existing entity is an error, or it is replaced.
  Result<Ticks> Write(StoreTransaction& transaction, std::string_view partition_key,
                      std::string_view row_key, const std::vector<PropertyView>& properties,
                      std::string_view record, bool replaces);
  // Replaces the entity, or inserts it, with sorted properties.
  Result<Ticks> Put(StoreTransaction& transaction, std::string_view partition_key,
                    std::string_view row_key, std::vector<PropertyView> properties);

  StoreConnection* connection_;
  std::string name_;  // the table's name in SQL
};

}  // namespace aztables
