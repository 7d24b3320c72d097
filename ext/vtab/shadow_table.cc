// ShadowTable: see shadow_table.h.
#include "vtab/shadow_table.h"

#include "base/secret.h"
#include "schema/columns.h"
#include "vtab/sqlite/sql.h"

namespace aztables {
namespace {

constexpr char kShadowColumns[] =
    "(position INTEGER PRIMARY KEY, column_name TEXT NOT NULL, property TEXT NOT NULL, "
    "type TEXT NOT NULL)";

}  // namespace

ShadowTable::ShadowTable(sqlite3* db, SchemaRows* rows, std::string schema_name,
                         const std::string& table)
    : db_(db), rows_(rows), schema_name_(std::move(schema_name)), name_(table + "_" + kSuffix) {
  qualified_ = QuoteIdentifier(schema_name_) + "." + QuoteIdentifier(name_);
}

// A database file from others may hold any object of this name. Examples are a virtual table, which
// sends requests when read, a view, or a table whose columns call functions. So the whole text must
// be the one that Write() and Rename() leave, and the table must have pages of its own.
Status ShadowTable::CheckOurs() const {
  const auto object = rows_->Find(schema_name_, name_);
  if (object.status().code() == Code::kNotFound) {
    return {Code::kNotFound, "its table " + name_ + " is missing"};
  }
  if (!object.ok()) return object.status();
  const std::string ours = "CREATE TABLE " + QuoteIdentifier(object->name) + kShadowColumns;
  if (!object->ordinary || object->sql != ours) {
    return Status::Error("the name " + name_ + " is taken by another table");
  }
  return {};
}

Status ShadowTable::CheckFree() const {
  rows_->Forget(schema_name_);
  const Status ours = CheckOurs();
  if (ours.code() == Code::kNotFound) return {};
  return ours.ok() ? Status::Error("the name " + name_ + " is taken by another table") : ours;
}

Status ShadowTable::Write(const std::vector<Column>& columns) const {
  rows_->Forget(schema_name_);
  Status ours = CheckOurs();
  if (!ours.ok() && ours.code() != Code::kNotFound) return ours;
  if (!ours.ok()) {
    AZTABLES_RETURN_IF_ERROR(RunSql(db_, "CREATE TABLE " + qualified_ + kShadowColumns));
  }
  std::string rows;
  std::vector<std::string> values;
  size_t position = 0;
  for (const Column& column : columns) {
    rows += (rows.empty() ? "(" : ", (") + std::to_string(++position) + ", ?, ?, ?)";
    values.insert(values.end(),
                  {column.name, column.property, std::string(ColumnTypeName(column.type))});
  }
  const sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(db_);
  Status status;
  if (position > 0) {
    status = RunSql(
        db_,
        "REPLACE INTO " + qualified_ + "(position, column_name, property, type) VALUES " + rows,
        values);
  }
  sqlite3_set_last_insert_rowid(db_, last_rowid);
  if (!status.ok()) return status;
  return RunSql(db_, "DELETE FROM " + qualified_ + " WHERE position > " + std::to_string(position));
}

Status ShadowTable::Read(Schema& schema) const {
  AZTABLES_RETURN_IF_ERROR(CheckOurs());
  ColumnNames names(schema);
  const int most = sqlite3_limit(db_, SQLITE_LIMIT_COLUMN, -1);
  Status changed;
  const auto add = [&](sqlite3_stmt* row) {
    if (!changed.ok()) return;
    const std::string type_name = ColumnText(row, 2);
    const auto type = TypeFromName(type_name);
    const Column column{ColumnText(row, 0), ColumnText(row, 1), type.value_or(EdmType::kNull)};
    changed = type ? names.Add(column) : Status::Error("there is no type " + ShowWord(type_name));
    if (changed.ok()) schema.properties.push_back(column);
    if (schema.ColumnCount() > most) {
      changed =
          Status::Error("too many columns: SQLite takes " + std::to_string(most) + " at most");
    }
  };
  AZTABLES_RETURN_IF_ERROR(RunSql(db_,
                                  "SELECT column_name, property, type FROM " + qualified_ +
                                      " ORDER BY position LIMIT " + std::to_string(most),
                                  {}, add));
  if (changed.ok()) return {};
  return Status::Error("its table " + name_ + " was changed: " + std::string(changed.message()));
}

Status ShadowTable::Rename(const std::string& new_table) const {
  const Status ours = CheckOurs();
  if (ours.code() == Code::kNotFound) return {};
  AZTABLES_RETURN_IF_ERROR(ours);
  return RunSql(db_, "ALTER TABLE " + qualified_ + " RENAME TO " +
                         QuoteIdentifier(new_table + "_" + kSuffix));
}

Status ShadowTable::Drop() const {
  if (const Status ours = CheckOurs(); !ours.ok()) {
    // The table is missing or not ours: nothing to drop.
    return ours.code() == Code::kNotFound || ours.code() == Code::kError ? Status() : ours;
  }
  return RunSql(db_, "DROP TABLE " + qualified_);
}

}  // namespace aztables
