// SchemaRows: see schema_rows.h.
#include "vtab/sqlite/schema_rows.h"

#include "base/encoding.h"
#include "model/schema.h"
#include "vtab/sqlite/sql.h"

namespace aztables {
namespace {

// SQLite itself accepts a type in any case, and reads a BLOB as a text. A trigger may have a
// table's name.
constexpr char kObjects[] =
    ".sqlite_schema WHERE CAST(type AS TEXT) COLLATE NOCASE IN ('table', 'view')";

// Nothing if SQLite does not return it, for example if an authorizer forbids it.
std::optional<int64_t> SchemaVersion(sqlite3* db, const std::string& schema) {
  std::optional<int64_t> version;
  const Status read = RunSql(db, "PRAGMA " + QuoteIdentifier(schema) + ".schema_version", {},
                             [&](sqlite3_stmt* row) { version = sqlite3_column_int64(row, 0); });
  return read.ok() ? version : std::nullopt;
}

}  // namespace

Result<SchemaRows::Object> SchemaRows::Find(const std::string& schema, const std::string& name) {
  if (!lists_.contains(schema)) AZTABLES_RETURN_IF_ERROR(Fill(schema));
  auto object = Look(schema, name);
  if (object.ok() || object.status().code() != Code::kNotFound) return object;
  if (!IsTable(db_, schema.c_str(), name)) return object;
  const auto version = SchemaVersion(db_, schema);
  if (version && lists_.at(schema).incomplete_at == version) return object;
  AZTABLES_RETURN_IF_ERROR(Fill(schema));
  object = Look(schema, name);
  if (object.status().code() == Code::kNotFound) lists_.at(schema).incomplete_at = version;
  return object;
}

Status SchemaRows::Fill(const std::string& schema) {
  Places places;
  AZTABLES_RETURN_IF_ERROR(
      RunSql(db_, "SELECT rowid, name FROM " + QuoteIdentifier(schema) + kObjects, {},
             [&](sqlite3_stmt* row) {
               places.emplace(ToLowerAscii(ColumnText(row, 1)), sqlite3_column_int64(row, 0));
             }));
  lists_[schema] = {std::move(places), std::nullopt};
  return {};
}

Result<SchemaRows::Object> SchemaRows::Look(const std::string& schema,
                                            const std::string& name) const {
  const Places& places = lists_.at(schema).places;
  const auto place = places.find(ToLowerAscii(name));
  Result<Object> object = Status(Code::kNotFound, "there is no table " + name);
  if (place == places.end()) return object;
  AZTABLES_RETURN_IF_ERROR(RunSql(db_,
                                  "SELECT name, type = 'table' AND rootpage > 0, sql FROM " +
                                      QuoteIdentifier(schema) + kObjects +
                                      " AND CAST(name AS TEXT) = ?1 COLLATE NOCASE AND rowid = " +
                                      std::to_string(place->second),
                                  {name}, [&](sqlite3_stmt* row) {
                                    object = Object{.name = ColumnText(row, 0),
                                                    .ordinary = sqlite3_column_int(row, 1) != 0,
                                                    .sql = ColumnText(row, 2)};
                                  }));
  return object;
}

}  // namespace aztables
