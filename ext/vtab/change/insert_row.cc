// InsertRow: the write of an INSERT in the transaction's write log; see row_writes.h.
#include "model/convert.h"
#include "model/limits.h"
#include "odata/json_writer.h"
#include "odata/response_body.h"
#include "vtab/change/row_writes.h"
#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

Status SetFromColumn(Entity& entity, const Column& column, Value value,
                     std::vector<const Column*>& set_by) {
  for (size_t i = 0; i < entity.properties.size(); ++i) {
    if (entity.properties[i].name != column.property) continue;
    if (set_by[i] != nullptr) {
      return Status::Error("the columns " + set_by[i]->name + " and " + column.name +
                           " both give the property " + column.property);
    }
    entity.properties[i].value = std::move(value);
    set_by[i] = &column;
    return {};
  }
  entity.properties.push_back({column.property, std::move(value)});
  set_by.push_back(&column);
  return {};
}

// The entity in the columns. If a column is NULL, _entity decides about its property.
Result<Entity> ReadRow(Table& table, sqlite3_value** columns) {
  const Schema& schema = table.declaration.schema;
  auto key = ReadKeys(columns[Schema::kPartitionKey], columns[Schema::kRowKey]);
  if (!key.ok()) return key.status();
  Entity entity{std::move(key->partition_key), std::move(key->row_key), {}};
  sqlite3_value* const text = columns[schema.EntityColumn()];
  if (!IsNull(text)) {
    auto properties = ReadEntityColumn(table, text);
    if (!properties.ok()) {
      return NameMisfit(table, {entity.partition_key, entity.row_key}, schema.EntityColumn(),
                        properties.status());
    }
    entity.properties = std::move(*properties);
  }
  const size_t most = entity.properties.size() + schema.properties.size();
  entity.properties.reserve(most);
  std::vector<const Column*> set_by;
  set_by.reserve(most);
  set_by.resize(entity.properties.size());
  for (int i = Schema::kFirstProperty; i < schema.EtagColumn(); ++i) {
    const Column& column = *schema.PropertyAt(i);
    auto value = ToEdm(ToSqlValue(columns[i]), column.type, column.name);
    if (!value.ok()) {
      return NameMisfit(table, {entity.partition_key, entity.row_key}, i, value.status());
    }
    if (value->type == EdmType::kNull) continue;
    AZTABLES_RETURN_IF_ERROR(SetFromColumn(entity, column, std::move(*value), set_by));
  }
  AZTABLES_RETURN_IF_ERROR(CheckEntity(entity));
  return entity;
}

WriteVerb VerbOf(OnConflict on_conflict, bool merge) {
  switch (on_conflict) {
    case OnConflict::kReplace:
      return merge ? WriteVerb::kInsertOrMerge : WriteVerb::kInsertOrReplace;
    case OnConflict::kIgnore:
      return WriteVerb::kInsertOrIgnore;
    case OnConflict::kAbort:
      break;
  }
  return WriteVerb::kInsert;
}

// Whether the entity that upsert=merge makes of the pending one is within the limits.
Status CheckMerged(Table& table, const EntityWrite& before, const Entity& entity) {
  if (before.properties.empty()) return {};
  auto merged = table.session->entity_reader().All(before.properties);
  if (!merged.ok()) return merged.status();
  for (const Property& property : entity.properties) SetProperty(*merged, property);
  return CheckEntity({entity.partition_key, entity.row_key, std::move(*merged)});
}

// Makes the InsertOrMerge of an entity that has a pending INSERT OR IGNORE; both become one
// operation. If the entity exists, the operation merges into it without the properties of the
// INSERT.
Status MergeOverIgnored(Table& table, EntityKeyView key, const EntityWrite& before,
                        EntityWrite& write) {
  if (table.part.pending().WasShown(key)) {
    write.verb = WriteVerb::kMerge;
    write.if_match = "*";
    return {};
  }
  const auto all = GivesAllOf(before, write, table.session->entity_reader());
  if (!all.ok() || *all) return all.status();
  return Status::Error(
      "INSERT OR REPLACE with upsert=merge after INSERT OR IGNORE of the entity " +
      DescribeEntity(key.partition_key, key.row_key) +
      " does not give all of its properties, and the transaction does not know which "
      "of them count: COMMIT first");
}

Status PrepareMerge(Table& table, EntityKeyView key, const Entity& entity, EntityWrite& write) {
  const EntityWrite* const before = table.part.pending().log().Find(key);
  if (before == nullptr) return {};
  if (before->verb == WriteVerb::kInsertOrIgnore) {
    return MergeOverIgnored(table, key, *before, write);
  }
  return CheckMerged(table, *before, entity);
}

}  // namespace

Status ExistsError(EntityKeyView key) {
  return {Code::kAlreadyExists, EntityExistsText(DescribeEntity(key.partition_key, key.row_key))};
}

Status NameMisfit(const Table& table, EntityKeyView key, int column, const Status& why) {
  std::string note = "; the entity is " + DescribeEntity(key.partition_key, key.row_key);
  if (table.IsInferred(column)) {
    note += "; the column was inferred: if the table has values of another type now, " +
            OverrideLine(table.SqlName(), "refresh") + " or " + table.DeclareAny(column);
  }
  return why.Noting(note);
}

Result<std::vector<Property>> ReadEntityColumn(Table& table, sqlite3_value* value) {
  const SqlValue text = ToSqlValue(value);
  if (text.type != SqlValue::Type::kText) {
    return Status(Code::kMismatch, "_entity is not a JSON object of properties: it is not text");
  }
  return ReadEntityText(text.text, &table.session->entity_reader());
}

Result<EntityKey> ReadKeys(sqlite3_value* partition_key, sqlite3_value* row_key) {
  auto pk = ToKey(ToSqlValue(partition_key), "PartitionKey");
  if (!pk.ok()) return pk.status();
  auto rk = ToKey(ToSqlValue(row_key), "RowKey");
  if (!rk.ok()) return rk.status();
  return EntityKey{std::move(*pk), std::move(*rk)};
}

Status InsertRow(Table& table, sqlite3_value** columns, OnConflict on_conflict,
                 sqlite3_int64* rowid) {
  const auto entity = ReadRow(table, columns);
  if (!entity.ok()) return entity.status();
  const EntityKeyView key(entity->partition_key, entity->row_key);
  AZTABLES_RETURN_IF_ERROR(CheckNotRefused(table, key));
  if (on_conflict != OnConflict::kReplace && table.part.pending().IsKnownToExist(key))
    return ExistsError(key);
  EntityWrite write;
  write.verb = VerbOf(on_conflict, table.options.upsert_merge);
  AppendPropertiesJson(write.properties, entity->properties);
  if (write.verb == WriteVerb::kInsertOrMerge) {
    AZTABLES_RETURN_IF_ERROR(PrepareMerge(table, key, *entity, write));
  }
  AZTABLES_RETURN_IF_ERROR(
      table.part.pending().log().Add(table.id, key, std::move(write), table.options.max_pending));
  *rowid = table.part.remote().rowids.IdForInserted(key);
  return {};
}

}  // namespace aztables
