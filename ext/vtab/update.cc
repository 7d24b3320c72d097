// xUpdate: commands, and what INSERT puts into the transaction's write log. UPDATE, DELETE and the
// conflict clauses other than ABORT are refused with a sentence, never sent as something else. A
// row is checked whole before it is logged: a statement that fails leaves no trace.
#include "aztables/model/convert.h"
#include "aztables/model/limits.h"
#include "aztables/odata/answers.h"
#include "guard.h"
#include "table.h"
#include "values.h"

namespace aztables {
namespace {

Status RefuseConflictClause(const Table& table) {
  std::string_view clause;
  switch (sqlite3_vtab_on_conflict(table.session->db())) {
    case SQLITE_REPLACE:
      clause = "REPLACE";
      break;
    case SQLITE_IGNORE:
      clause = "IGNORE";
      break;
    case SQLITE_FAIL:
      clause = "FAIL";
      break;
    case SQLITE_ROLLBACK:
      clause = "ROLLBACK";
      break;
    default:
      return {};
  }
  return Status::Error("table " + table.name + ": INSERT OR " + std::string(clause) +
                       " is not part of this version; write a plain INSERT");
}

Status SetProperty(Entity& entity, const Column& column, Value value,
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

// The entity that the columns of an INSERT give. A column that is NULL leaves its property to
// _entity.
Result<Entity> ReadRow(const Table& table, sqlite3_value** columns) {
  const Schema& schema = table.declaration.schema;
  Entity entity;
  auto partition_key = ToKey(ToSqlValue(columns[Schema::kPartitionKey]), "PartitionKey");
  if (!partition_key.ok()) return partition_key.status();
  auto row_key = ToKey(ToSqlValue(columns[Schema::kRowKey]), "RowKey");
  if (!row_key.ok()) return row_key.status();
  entity.partition_key = std::move(*partition_key);
  entity.row_key = std::move(*row_key);

  const SqlValue text = ToSqlValue(columns[schema.EntityColumn()]);
  if (text.type != SqlValue::Type::kNull) {
    if (text.type != SqlValue::Type::kText) {
      return Status(Code::kMismatch, "_entity is not a JSON object of properties: it is no text");
    }
    auto properties = ReadEntityText(text.text, &table.session->entity_reader());
    if (!properties.ok()) return properties.status();
    entity.properties = std::move(*properties);
  }
  std::vector<const Column*> set_by(entity.properties.size());
  for (int i = Schema::kFirstProperty; i < schema.EtagColumn(); ++i) {
    const Column& column = *schema.PropertyAt(i);
    auto value = ToEdm(ToSqlValue(columns[i]), column.type, column.name);
    if (!value.ok()) return value.status();
    if (value->type == EdmType::kNull) continue;
    AZTABLES_RETURN_IF_ERROR(SetProperty(entity, column, std::move(*value), set_by));
  }
  AZTABLES_RETURN_IF_ERROR(CheckEntity(entity));
  return entity;
}

bool IsNull(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

// INSERT INTO t(_command) VALUES('...'), which writes nothing.
Status Command(Table& table, sqlite3_value** values, int command_column) {
  for (int i = 0; i < command_column; ++i) {
    if (IsNull(values[2 + i])) continue;
    return Status::Error("table " + table.name +
                         ": a row with _command has no other columns; write: " +
                         OverrideLine(table.SqlName(), "..."));
  }
  const Status status = RunTableCommand(table, ToText(values[2 + command_column]));
  return status.ok()
             ? status
             : status.WithMessage("table " + table.name + ": " + std::string(status.message()));
}

Status Insert(Table& table, sqlite3_value** values, sqlite3_int64* rowid) {
  const int command_column = table.declaration.schema.CommandColumn();
  if (!IsNull(values[2 + command_column])) {
    *rowid = sqlite3_last_insert_rowid(table.session->db());  // which a command leaves as it is
    return Command(table, values, command_column);
  }
  AZTABLES_RETURN_IF_ERROR(table.broken);
  if (!table.writing) AZTABLES_RETURN_IF_ERROR(JoinWrites(table));
  AZTABLES_RETURN_IF_ERROR(CheckNotSent(table));
  AZTABLES_RETURN_IF_ERROR(RefuseConflictClause(table));
  if (!IsNull(values[1])) {
    return Status::Error(
        "table " + table.name +
        ": a rowid cannot be given; an entity is named by PartitionKey and RowKey");
  }
  const auto entity = ReadRow(table, values + 2);
  Status status = entity.status();
  if (status.ok()) status = table.writing->writes.Insert(table.id, *entity);
  if (!status.ok()) {
    return status.WithMessage("table " + table.name + ": " + std::string(status.message()));
  }
  *rowid = table.writing->rowids.IdForInserted(entity->partition_key, entity->row_key);
  return {};
}

Status Update(Table& table, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  if (count > 1 && IsNull(values[0])) return Insert(table, values, rowid);
  AZTABLES_RETURN_IF_ERROR(table.broken);
  if (!table.writing) AZTABLES_RETURN_IF_ERROR(JoinWrites(table));
  const std::string_view statement = count == 1 ? "DELETE" : "UPDATE";
  return Status::Error("table " + table.name + ": " + std::string(statement) +
                       " is not part of this version");
}

}  // namespace

Status CheckTableWritable(const Table& table) {
  if (table.options.read_only) {
    return {Code::kReadOnly, "table " + table.name + " is read-only (access=read)"};
  }
  const Status status = table.session->CheckWritable();
  if (status.ok()) return {};
  return status.WithMessage("table " + table.name + ": " + std::string(status.message()));
}

int TableUpdate(sqlite3_vtab* vtab, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  return Guard(&vtab->zErrMsg,
               [&] { return Update(*static_cast<Table*>(vtab), count, values, rowid); });
}

}  // namespace aztables
