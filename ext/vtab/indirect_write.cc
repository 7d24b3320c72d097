// CheckMayWrite: see indirect_write.h.
#include "indirect_write.h"

#include "aztables/base/encoding.h"
#include "aztables/model/schema.h"
#include "direct_use.h"
#include "sql.h"

namespace aztables {
namespace {

bool Changes(std::string_view sql, const Table& table) {
  const auto changed = ChangedTable(sql);
  return changed && EqualsIgnoreCase(changed->name, table.name) &&
         (changed->schema.empty() || EqualsIgnoreCase(changed->schema, table.schema_name));
}

// Whether the name makes the table a shadow table of another module's table: x_rowid of an R-Tree
// x. Such a module runs statements of its own, which name the table.
Result<bool> IsShadowOfOther(const Table& table) {
  if (table.name.find('_') == std::string::npos) return false;
  bool shadow = false;
  const Status listed = RunSql(table.session->db(),
                               "SELECT sql FROM " + QuoteIdentifier(table.schema_name) +
                                   ".sqlite_schema WHERE type = 'table' AND rootpage = 0 AND "
                                   "substr(?1, 1, length(name) + 1) = name || '_' COLLATE NOCASE",
                               {table.name}, [&](sqlite3_stmt* row) {
                                 shadow = shadow || ModuleOf(ColumnText(row, 0)) != "aztables";
                               });
  if (!listed.ok()) return listed;
  return shadow;
}

// What makes the connection one that views and triggers may write through.
std::string HowToAllow(const Connection& connection) {
  const std::string& source = connection.resolved.source;
  const bool one_variable = source.starts_with("env:") && source.find(' ') == std::string::npos;
  if (!connection.form && !one_variable) {
    return "set the environment variable AZTABLES_TRUST to " + connection.name;
  }
  const std::string name = connection.form ? "trusted" : connection.name;
  return "run: SELECT aztables_connect(" + SqlLiteral(name) + ", " +
         SqlLiteral(connection.form ? connection.name : source) + ")";
}

}  // namespace

Status CheckMayWrite(Table& table) {
  StatementTracker& statements = table.session->statements();
  if (statements.StillRuns(table.changed_by)) return {};
  const auto named =
      statements.FindRunning([&](std::string_view sql) { return Changes(sql, table); });
  if (named) {
    const auto shadow = IsShadowOfOther(table);
    if (!shadow.ok()) return shadow.status();
    if (!*shadow) {
      table.changed_by = *named;
      return {};
    }
  }
  auto connection = table.session->Find(table.options.connection);
  if (!connection.ok()) return connection.status();
  const Connection& to = **connection;
  if (table.session->trust().AllowsIndirectWrites(to.name, to.form)) return {};
  return {Code::kAuth, "table " + table.name +
                           ": no running statement names it as the table to change; a view or a "
                           "trigger of the database file asks for this change; to allow it on "
                           "this database connection, " +
                           HowToAllow(to)};
}

}  // namespace aztables
