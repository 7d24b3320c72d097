// Eponymous tables: read-only tables that exist without CREATE. One file per table defines the
// columns and the rows; the callbacks are here, once. Most tables are a list of rows made when the
// table is read. aztables_query streams its rows.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "vtab/session/session.h"

namespace aztables {

struct Blob {
  std::string bytes;
};
// One value of a row; monostate is NULL.
using RowValue = std::variant<std::monostate, int64_t, double, std::string, Blob>;
using Row = std::vector<RowValue>;

// A text; NULL if it is empty.
inline RowValue TextOrNull(std::string text) {
  if (text.empty()) return std::monostate();
  return text;
}

// A number; NULL if it is 0.
inline RowValue NumberOrNull(int64_t number) {
  if (number == 0) return std::monostate();
  return number;
}

// The values of the hidden columns; nothing for NULL, or if the statement gives no value.
using Arguments = std::vector<std::optional<std::string>>;

// A cursor. Its derived class makes the rows.
struct EponymousCursor : sqlite3_vtab_cursor {
  explicit EponymousCursor(std::shared_ptr<Session> of) : session(std::move(of)) {}
  virtual ~EponymousCursor() = default;
  // OK if an argument may have the value.
  virtual Status CheckArgument(size_t, sqlite3_value*) const { return {}; }
  // Both move to a row, Start() to the first one, or set `at_end`. `values` has a value for each
  // argument, then that of LIMIT; null: not given. `plan`, `plan_text`: idxNum and idxStr
  virtual Status Start(int plan, const char* plan_text,
                       const std::vector<sqlite3_value*>& values) = 0;
  virtual Status Next() = 0;
  virtual void Show(sqlite3_context* context, int column) const = 0;

  const std::shared_ptr<Session> session;
  Arguments arguments;
  int64_t rowid = 0;  // 1, 2, 3, ...
  bool at_end = true;
};

struct EponymousTable {
  const char* name;
  const char* columns;     // of CREATE TABLE x(...), arguments as HIDDEN columns at the end
  int visible;             // how many columns are not hidden
  int arguments = 0;       // how many columns are hidden
  bool innocuous = false;  // sends and shows nothing: allowed in any view; others are DIRECTONLY
  // The rows of a list.
  Status (*fill)(Session& session, const Arguments& arguments, std::vector<Row>& rows) = nullptr;
  // For a table with a cursor of its own: makes the cursor, and completes the plan of xBestIndex.
  std::unique_ptr<EponymousCursor> (*open)(const std::shared_ptr<Session>& session) = nullptr;
  int (*finish_plan)(sqlite3_index_info* info) = nullptr;
};

extern const EponymousTable kEachTable;         // each_table.cc
extern const EponymousTable kHelpTable;         // help_table.cc
extern const EponymousTable kConnectionsTable;  // connections_table.cc
extern const EponymousTable kTablesTable;       // tables_table.cc
extern const EponymousTable kRequestsTable;     // requests_table.cc
extern const EponymousTable kInferTable;        // infer_table.cc
extern const EponymousTable kCommitsTable;      // commits_table.cc
extern const EponymousTable kPendingTable;      // pending_table.cc
extern const EponymousTable kQueryTable;        // query_table.cc

int RegisterEponymousTables(const std::shared_ptr<Session>& session);

// infer_table.cc: the result of aztables_schema(table).
Result<std::string> InferredSchemaText(Session& session, const std::string& argument);

}  // namespace aztables
