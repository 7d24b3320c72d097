// ShadowTable: see shadow_table.h.
#include "shadow_table.h"

#include <optional>

#include "columns.h"
#include "sql.h"

namespace aztables {
namespace {

constexpr char kColumns[] =
    "(position INTEGER PRIMARY KEY, column_name TEXT NOT NULL, property TEXT NOT NULL, "
    "type TEXT NOT NULL)";

}  // namespace

ShadowTable::ShadowTable(sqlite3* db, std::string schema_name, const std::string& table)
    : db_(db), schema_name_(std::move(schema_name)), name_(table + "_" + kSuffix) {
  qualified_ = QuoteIdentifier(schema_name_) + "." + QuoteIdentifier(name_);
}

Status ShadowTable::CheckOurs() const {
  bool found = false;
  bool ours = false;
  AZTABLES_RETURN_IF_ERROR(
      RunSql(db_,
             "SELECT sql FROM " + QuoteIdentifier(schema_name_) +
                 ".sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
             {name_}, [&](sqlite3_stmt* row) {
               found = true;
               ours = ColumnText(row, 0).ends_with(kColumns);
             }));
  if (!found) return {Code::kNotFound, "its table " + name_ + " is missing"};
  if (!ours) return Status::Error("the name " + name_ + " is taken by another table");
  return {};
}

Status ShadowTable::Write(const std::vector<Column>& columns) const {
  const Status ours = CheckOurs();
  if (ours.code() == Code::kNotFound) {
    AZTABLES_RETURN_IF_ERROR(RunSql(db_, "CREATE TABLE " + qualified_ + kColumns));
  } else {
    AZTABLES_RETURN_IF_ERROR(ours);
    AZTABLES_RETURN_IF_ERROR(RunSql(db_, "DELETE FROM " + qualified_));
  }
  for (const Column& column : columns) {
    AZTABLES_RETURN_IF_ERROR(RunSql(
        db_, "INSERT INTO " + qualified_ + "(column_name, property, type) VALUES (?1, ?2, ?3)",
        {column.name, column.property, std::string(ColumnTypeName(column.type))}));
  }
  return {};
}

Result<std::vector<Column>> ShadowTable::Read() const {
  AZTABLES_RETURN_IF_ERROR(CheckOurs());
  std::vector<Column> columns;
  bool known = true;
  AZTABLES_RETURN_IF_ERROR(RunSql(
      db_, "SELECT column_name, property, type FROM " + qualified_ + " ORDER BY position", {},
      [&](sqlite3_stmt* row) {
        const auto type = TypeFromName(ColumnText(row, 2));
        known = known && type.has_value();
        columns.push_back({ColumnText(row, 0), ColumnText(row, 1), type.value_or(EdmType::kNull)});
      }));
  if (!known) return Status::Error("its table " + name_ + " names a type that does not exist");
  return columns;
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
    // Missing, or another's: nothing of ours to drop.
    return ours.code() == Code::kNotFound || ours.code() == Code::kError ? Status() : ours;
  }
  return RunSql(db_, "DROP TABLE " + qualified_);
}

}  // namespace aztables
