// TablesOver: see tables_over.h.
#include "vtab/scan/tables_over.h"

#include "vtab/sqlite/sql.h"
#include "vtab/table.h"

namespace aztables {

Status ConnectAllTables(Session& session) {
  const auto databases = DatabaseNames(session.db());
  if (!databases.ok()) return databases.status();
  std::vector<std::string> tables;
  for (const std::string& database : *databases) {
    const std::string schema = QuoteIdentifier(database);
    const Status listed =
        RunSql(session.db(),
               "SELECT name FROM " + schema +
                   ".sqlite_schema WHERE type = 'table' AND rootpage = 0 AND "
                   "instr(lower(sql), 'aztables') > 0",
               {}, [&](sqlite3_stmt* row) {
                 tables.push_back(schema + "." + QuoteIdentifier(ColumnText(row, 0)));
               });
    if (!listed.ok()) {
      return listed.In("the rules of the virtual tables in " + schema + " cannot be read");
    }
  }
  // Preparing a statement that names a virtual table connects it. A table that SQLite cannot
  // connect cannot be read either, and has no rules.
  for (const std::string& table : tables) {
    static_cast<void>(RunSql(session.db(), "EXPLAIN SELECT 1 FROM " + table));
  }
  return {};
}

std::vector<const Table*> TablesOver(Session& session, const Connection& connection,
                                     const std::string& table) {
  std::vector<const Table*> tables;
  const auto remote = session.Remote(connection, table);
  for (const Table* other : session.tables()) {
    const auto its_connection = session.Find(other->options.connection);
    if (!its_connection.ok()) continue;
    if (session.Remote(**its_connection, other->options.table) == remote) tables.push_back(other);
  }
  return tables;
}

}  // namespace aztables
