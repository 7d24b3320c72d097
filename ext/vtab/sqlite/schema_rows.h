// SchemaRows: tables and views of a database by name, from its table sqlite_schema, which has no
// index. The place of each row is cached, so that a lookup costs the same in every schema.
//
// Only the place is cached. Each lookup reads the row again. So a result is never of an outdated
// schema, or of another database that was attached under the same name.
//
// If SQLite has a table that the list lacks, the table was created since, and the rows are listed
// again. In a file that was tampered with, the new list may lack the table too. Such a list is made
// again only if the version of the schema changes. Otherwise each table of that file would cost a
// list.
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
    std::string name;       // as written
    bool ordinary = false;  // a table with pages of its own: neither a view nor a virtual table
    std::string sql;
  };
  // kNotFound: the database `schema` has no table of that name. A view that was created after the
  // places were listed may not be found.
  Result<Object> Find(const std::string& schema, const std::string& name);
  // Makes the next Find() list the places again; it then finds every view.
  void Forget(const std::string& schema) { lists_.erase(schema); }

 private:
  using Places = std::unordered_map<std::string, int64_t>;  // the row of a name in lower case
  struct List {
    Places places;
    // The version of the schema at which this list, when it was new, lacked a table.
    std::optional<int64_t> incomplete_at;
  };

  Status Fill(const std::string& schema);
  // kNotFound: the name has no place, or that place holds another object.
  Result<Object> Look(const std::string& schema, const std::string& name) const;

  sqlite3* db_;
  std::map<std::string, List> lists_;  // by database
};

}  // namespace aztables
