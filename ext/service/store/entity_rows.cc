// Entities in the store: see entity_rows.h.
#include "service/store/entity_rows.h"

#include <algorithm>

#include "model/key.h"
#include "service/handlers/entity_input.h"
#include "service/storage_error.h"
#include "service/store/stored_key.h"

namespace aztables {
namespace {

std::string TableName(int64_t table_id) { return "e" + std::to_string(table_id); }

// OK if an entity with `timestamp` may be changed under `if_match`.
Status CheckCondition(const EntityRows::Condition& if_match, Ticks timestamp) {
  if (!if_match || *if_match == "*" || *if_match == EtagOf(timestamp)) return {};
  return ToStatus(errors::kConditionNotSatisfied);
}

constexpr size_t kUsualProperties = 16;

// REQUIRES: AppendRecord() wrote `record`
std::vector<PropertyView> ViewsOf(std::string_view record) {
  std::vector<PropertyView> views;
  views.reserve(kUsualProperties);
  static_cast<void>(ReadRecord(record, views));
  return views;
}

// Passes the rows of a statement with the columns of SelectSql() to `visit`. `partition` is the
// stored PartitionKey of all rows. If it is null, each row has one.
Result<bool> VisitRows(StoreStatement& statement, const std::string_view* partition,
                       bool with_properties, const EntityRows::Visit& visit) {
  StoredEntity entity;
  entity.properties.reserve(kUsualProperties);
  std::string last_partition;  // as stored
  if (partition != nullptr) SetKeyText(*partition, entity.partition_key);
  while (true) {
    const auto row = statement.Step();
    if (!row.ok()) return row.status();
    if (!*row) return true;
    SetKeyText(statement.Bytes(0), entity.row_key);
    entity.timestamp = statement.Integer(1);
    if (with_properties) {
      AZTABLES_RETURN_IF_ERROR(ReadRecord(statement.Bytes(2), entity.properties));
    }
    if (partition == nullptr) {
      const std::string_view pk = statement.Bytes(with_properties ? 3 : 2);
      if (pk != last_partition) SetKeyText(pk, entity.partition_key);
      if (pk != last_partition) last_partition = pk;
    }
    const auto more = visit(entity);
    if (!more.ok()) return more.status();
    if (!*more) return false;
  }
}

}  // namespace

EntityRows::EntityRows(StoreConnection* connection, int64_t table_id)
    : connection_(connection), name_(TableName(table_id)) {}

std::string EntityRows::CreateSql(int64_t table_id) {
  return "CREATE TABLE " + TableName(table_id) +
         "(pk BLOB NOT NULL, rk BLOB NOT NULL, ticks INTEGER NOT NULL, record BLOB NOT NULL,"
         " PRIMARY KEY(pk, rk)) WITHOUT ROWID";
}

std::string EntityRows::DropSql(int64_t table_id) { return "DROP TABLE " + TableName(table_id); }

std::string EntityRows::SelectSql(bool with_properties, bool with_partitions) const {
  constexpr size_t kUsual = 120;  // with its conditions
  std::string sql;
  sql.reserve(kUsual);
  sql += with_properties ? "SELECT rk, ticks, record" : "SELECT rk, ticks";
  if (with_partitions) sql += ", pk";
  sql.append(" FROM ").append(name_);
  return sql;
}

Result<bool> EntityRows::Read(std::string_view partition_key, std::string_view row_key,
                              StoredEntity& entity, std::string& record) {
  constexpr size_t kUsual = 80;
  std::string sql;
  sql.reserve(kUsual);
  sql.append("SELECT ticks, record FROM ").append(name_).append(" WHERE pk = ?1 AND rk = ?2");
  StoreStatement statement = connection_->Prepare(sql);
  const std::string pk = StoredKey(partition_key);
  const std::string rk = StoredKey(row_key);
  const auto row = statement.BindBlob(1, pk).BindBlob(2, rk).Step();
  if (!row.ok()) return row.status();
  if (!*row) return false;
  entity.partition_key = partition_key;
  entity.row_key = row_key;
  entity.timestamp = statement.Integer(0);
  record = statement.Bytes(1);
  entity.properties.reserve(kUsualProperties);
  AZTABLES_RETURN_IF_ERROR(ReadRecord(record, entity.properties));
  return true;
}

// One statement reads the entities of one partition, or of all partitions between two. A comparison
// of (pk, rk) with a pair would be evaluated again for each entity.
Result<bool> EntityRows::Scan(const KeyRange& range, bool with_properties, const Visit& visit) {
  const auto& [from, to] = range;
  if (from.partition_key == to.partition_key) {
    return ScanPartition(from.partition_key, from.row_key, to.row_key, with_properties, visit);
  }
  if (!from.row_key.empty()) {
    const auto rest =
        ScanPartition(from.partition_key, from.row_key, kAboveAllKeys, with_properties, visit);
    if (!rest.ok() || !*rest) return rest;
  }
  const auto whole = ScanPartitions(range, with_properties, visit);
  if (!whole.ok() || !*whole || to.row_key.empty()) return whole;
  return ScanPartition(to.partition_key, "", to.row_key, with_properties, visit);
}

Result<bool> EntityRows::ScanPartition(std::string_view partition_key, std::string_view low,
                                       std::string_view high, bool with_properties,
                                       const Visit& visit) {
  std::string sql = SelectSql(with_properties, false);
  sql += " WHERE pk = ?1";
  if (!low.empty()) sql += " AND rk >= ?2";
  if (high != kAboveAllKeys) sql += " AND rk < ?3";
  sql += " ORDER BY rk";
  StoreStatement statement = connection_->Prepare(sql);
  statement.BindBlob(1, partition_key);
  if (!low.empty()) statement.BindBlob(2, low);
  if (high != kAboveAllKeys) statement.BindBlob(3, high);
  return VisitRows(statement, &partition_key, with_properties, visit);
}

Result<bool> EntityRows::ScanPartitions(const KeyRange& range, bool with_properties,
                                        const Visit& visit) {
  const bool first = range.from.row_key.empty();  // whether the first partition is included
  const bool begins = !first || !range.from.partition_key.empty();
  const bool ends = range.to.partition_key != kAboveAllKeys;
  std::string sql = SelectSql(with_properties, true);
  if (begins) sql += first ? " WHERE pk >= ?1" : " WHERE pk > ?1";
  if (ends) sql += begins ? " AND pk < ?2" : " WHERE pk < ?2";
  sql += " ORDER BY pk, rk";
  StoreStatement statement = connection_->Prepare(sql);
  if (begins) statement.BindBlob(1, range.from.partition_key);
  if (ends) statement.BindBlob(2, range.to.partition_key);
  return VisitRows(statement, nullptr, with_properties, visit);
}

Result<std::string> EntityRows::PartitionBefore(std::string_view stored_key) {
  StoreStatement statement =
      connection_->Prepare("SELECT pk FROM " + name_ + " WHERE pk < ?1 ORDER BY pk DESC LIMIT 1");
  const auto row = statement.BindBlob(1, stored_key).Step();
  if (!row.ok()) return row.status();
  return *row ? std::string(statement.Bytes(0)) : std::string();
}

Result<Ticks> EntityRows::Insert(StoreTransaction& transaction, std::string_view partition_key,
                                 std::string_view row_key, std::string_view record) {
  return Write(transaction, partition_key, row_key, ViewsOf(record), record, false);
}

Result<Ticks> EntityRows::Put(StoreTransaction& transaction, std::string_view partition_key,
                              std::string_view row_key, std::vector<PropertyView> properties) {
  std::sort(properties.begin(), properties.end(), [](const PropertyView& a, const PropertyView& b) {
    return CompareKeys(a.name, b.name) < 0;
  });
  std::string record;
  for (const PropertyView& property : properties) AppendRecord(record, property);
  return Write(transaction, partition_key, row_key, properties, record, true);
}

Result<Ticks> EntityRows::Write(StoreTransaction& transaction, std::string_view partition_key,
                                std::string_view row_key,
                                const std::vector<PropertyView>& properties,
                                std::string_view record, bool replaces) {
  AZTABLES_RETURN_IF_ERROR(CheckWhole(partition_key, row_key, properties));
  const std::string pk = StoredKey(partition_key);
  const std::string rk = StoredKey(row_key);
  const Ticks timestamp = transaction.NextTimestamp();
  StoreStatement statement = connection_->Prepare(
      "INSERT INTO " + name_ + " VALUES(?1, ?2, ?3, ?4)" +
      (replaces ? " ON CONFLICT(pk, rk) DO UPDATE SET ticks = ?3, record = ?4" : ""));
  const Status written =
      statement.BindBlob(1, pk).BindBlob(2, rk).BindInteger(3, timestamp).BindBlob(4, record).Run();
  if (statement.error() == SQLITE_CONSTRAINT_PRIMARYKEY) {
    return ToStatus(errors::kEntityAlreadyExists);
  }
  if (!written.ok()) return written;
  return timestamp;
}

Status EntityRows::ReadToChange(std::string_view partition_key, std::string_view row_key,
                                const Condition& if_match, StoredEntity& entity,
                                std::string& record) {
  const auto found = Read(partition_key, row_key, entity, record);
  if (!found.ok()) return found.status();
  if (*found) return CheckCondition(if_match, entity.timestamp);
  return if_match ? ToStatus(errors::kResourceNotFound) : Status();
}

Result<Ticks> EntityRows::Replace(StoreTransaction& transaction, std::string_view partition_key,
                                  std::string_view row_key, std::string_view record,
                                  const Condition& if_match) {
  if (if_match) {
    StoredEntity old;
    std::string bytes;
    AZTABLES_RETURN_IF_ERROR(ReadToChange(partition_key, row_key, if_match, old, bytes));
  }
  return Put(transaction, partition_key, row_key, ViewsOf(record));
}

Result<Ticks> EntityRows::Merge(StoreTransaction& transaction, std::string_view partition_key,
                                std::string_view row_key, std::string_view record,
                                const Condition& if_match) {
  StoredEntity old;
  std::string bytes;
  AZTABLES_RETURN_IF_ERROR(ReadToChange(partition_key, row_key, if_match, old, bytes));
  std::vector<PropertyView> merged = ViewsOf(record);
  const size_t changed = merged.size();
  for (const PropertyView& kept : old.properties) {
    const auto end = merged.begin() + static_cast<std::ptrdiff_t>(changed);
    const bool replaced = std::any_of(merged.begin(), end, [&](const PropertyView& property) {
      return property.name == kept.name;
    });
    if (!replaced) merged.push_back(kept);
  }
  return Put(transaction, partition_key, row_key, std::move(merged));
}

Status EntityRows::Delete(std::string_view partition_key, std::string_view row_key,
                          const Condition& if_match) {
  StoredEntity old;
  std::string bytes;
  AZTABLES_RETURN_IF_ERROR(ReadToChange(partition_key, row_key, if_match, old, bytes));
  const std::string pk = StoredKey(partition_key);
  const std::string rk = StoredKey(row_key);
  return connection_->Prepare("DELETE FROM " + name_ + " WHERE pk = ?1 AND rk = ?2")
      .BindBlob(1, pk)
      .BindBlob(2, rk)
      .Run();
}

}  // namespace aztables
