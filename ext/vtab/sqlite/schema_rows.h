// SchemaRows: tables and views of a database by name, from its table sqlite_schema. That table has
// no index. The place of each row is remembered, so that a lookup costs the same in every schema.
//
// Only the place is remembered. Each lookup reads the row again, so that no answer is of a schema
// that was changed, or of another database that was attached under the same name.
//
// A table that SQLite has but the list lacks was created since, and the rows are listed again. In a
// file that was tampered with, the new list may lack it, too. Such a list is made again only if the
// version of the schema changes: else each table of that file would cost a list.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

class SchemaRows {
 public:
  explicit SchemaRows(sqlite3* db) : db_(db) {}

  struct Object {
    std::string name;       // as it was written
    bool ordinary = false;  // a table with pages of its own: neither a view nor a virtual table
    std::string sql;
  };
  // kNotFound: the database `schema` has no table of that name. A view is found, or not: one that
  // was created since the places were listed has none.
  Result<Object> Find(const std::string& schema, const std::string& name);
  // Lists the places anew at the next Find(), which finds every view then.
  void Forget(const std::string& schema) { lists_.erase(schema); }

 private:
  using Places = std::unordered_map<std::string, int64_t>;  // the row of a name in lower case
  struct List {
    Places places;
    // The version of the schema at which this list, when it was new, lacked a table.
    std::optional<int64_t> incomplete_at;
  };

  Status Fill(const std::string& schema);
  // kNotFound: the name has no place, or that place holds something else.
  Result<Object> Look(const std::string& schema, const std::string& name) const;

  sqlite3* db_;
  std::map<std::string, List> lists_;  // by database
};

}  // namespace aztables
