// SQL on the host's own tables, run inside a callback: one statement at a time, with its errors as
// Status. For shadow tables and pragmas; it never sends requests to a table service.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

// Runs one statement with text parameters; `row`, if given, is called for each row.
Status RunSql(sqlite3* db, const std::string& sql, const std::vector<std::string>& parameters = {},
              const std::function<void(sqlite3_stmt*)>& row = nullptr);
// The same with any parameters; `bind` binds them and returns a code of SQLite.
Status RunSqlWith(sqlite3* db, const std::string& sql,
                  const std::function<int(sqlite3_stmt*)>& bind,
                  const std::function<void(sqlite3_stmt*)>& row);

// The failure of a call that returned `rc`.
Status FailureOf(sqlite3* db, int rc);

// The text of a column; empty for NULL.
std::string ColumnText(sqlite3_stmt* statement, int column);

// Whether the name means a table. A view is not a table. `schema` null: any database, as in SQL.
// This does not connect a virtual table.
bool IsTable(sqlite3* db, const char* schema, const std::string& name);

// Passes the names of "main", "temp" and the attached databases to `visit`.
Status VisitDatabases(sqlite3* db, const std::function<void(const char*)>& visit);
Result<std::vector<std::string>> DatabaseNames(sqlite3* db);

// `text` as an SQL expression on one line. Quotes are doubled; characters that a terminal may
// interpret are written with char(). A text that is not valid UTF-8 is cast from its bytes.
std::string SqlLiteral(std::string_view text);

// `name` as an SQL identifier, quoted only if it must be.
std::string SqlIdentifier(std::string_view name);

}  // namespace aztables
