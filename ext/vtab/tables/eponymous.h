// Eponymous tables: read-only tables that exist without CREATE. Each is a list of rows made when it
// is read. One file per table defines the columns and fills the rows; the callbacks are here, once.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <optional>
#include <string>
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

struct EponymousTable {
  const char* name;
  const char* columns;  // of CREATE TABLE x(...), arguments as HIDDEN columns at the end
  int visible;          // how many columns are not hidden
  int arguments;        // how many columns are hidden
  bool innocuous;       // sends and shows nothing: allowed in any view; the others are DIRECTONLY
  Status (*fill)(Session& session, const std::vector<std::optional<std::string>>& arguments,
                 std::vector<Row>& rows);
};

extern const EponymousTable kEachTable;         // each_table.cc
extern const EponymousTable kHelpTable;         // help_table.cc
extern const EponymousTable kConnectionsTable;  // connections_table.cc
extern const EponymousTable kTablesTable;       // tables_table.cc
extern const EponymousTable kRequestsTable;     // requests_table.cc
extern const EponymousTable kInferTable;        // infer_table.cc
extern const EponymousTable kCommitsTable;      // commits_table.cc
extern const EponymousTable kPendingTable;      // pending_table.cc

int RegisterEponymousTables(const std::shared_ptr<Session>& session);

}  // namespace aztables
