// SchemaRows: see schema_rows.h.
#include "schema_rows.h"

#include "aztables/base/encoding.h"
#include "aztables/model/schema.h"
#include "sql.h"

namespace aztables {
namespace {

constexpr char kObjects[] = ".sqlite_schema WHERE type IN ('table', 'view')";

// Asks what SQLite itself holds in memory. A virtual table is not connected by that.
bool IsTable(sqlite3* db, const std::string& schema, const std::string& name) {
  return sqlite3_table_column_metadata(db, schema.c_str(), name.c_str(), nullptr, nullptr, nullptr,
                                       nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace

Result<SchemaRows::Object> SchemaRows::Find(const std::string& schema, const std::string& name) {
  if (!places_.contains(schema)) AZTABLES_RETURN_IF_ERROR(List(schema));
  auto object = Look(schema, name);
  if (object.ok() || object.status().code() != Code::kNotFound) return object;
  if (!IsTable(db_, schema, name)) return object;
  AZTABLES_RETURN_IF_ERROR(List(schema));
  return Look(schema, name);
}

Status SchemaRows::List(const std::string& schema) {
  Places places;
  AZTABLES_RETURN_IF_ERROR(
      RunSql(db_, "SELECT rowid, name FROM " + QuoteIdentifier(schema) + kObjects, {},
             [&](sqlite3_stmt* row) {
               places.emplace(ToLowerAscii(ColumnText(row, 1)), sqlite3_column_int64(row, 0));
             }));
  places_[schema] = std::move(places);
  return {};
}

Result<SchemaRows::Object> SchemaRows::Look(const std::string& schema,
                                            const std::string& name) const {
  const Places& places = places_.at(schema);
  const auto place = places.find(ToLowerAscii(name));
  Result<Object> object = Status(Code::kNotFound, "there is no table " + name);
  if (place == places.end()) return object;
  AZTABLES_RETURN_IF_ERROR(RunSql(
      db_,
      "SELECT name, type = 'table' AND rootpage > 0, sql FROM " + QuoteIdentifier(schema) +
          kObjects + " AND name = ?1 COLLATE NOCASE AND rowid = " + std::to_string(place->second),
      {name}, [&](sqlite3_stmt* row) {
        object = Object{.name = ColumnText(row, 0),
                        .ordinary = sqlite3_column_int(row, 1) != 0,
                        .sql = ColumnText(row, 2)};
      }));
  return object;
}

}  // namespace aztables
