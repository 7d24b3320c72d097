// aztables_query(table [, filter [, columns]]): a raw OData query, streamed. The filter is sent to
// the service as written. The rules of the virtual tables over the same remote table (scan,
// max_requests and the like) apply here too.
#include "vtab/tables/query_table.h"

#include "base/encoding.h"
#include "base/secret.h"
#include "odata/filter_tree.h"
#include "vtab/scan/budgeted_page_reader.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/values.h"
#include "vtab/table.h"

namespace aztables {
namespace {

enum Column : int { kPartitionKey, kRowKey, kTimestamp, kEtag, kEntity, kTable, kFilter, kColumns };
constexpr int kArguments = kColumns - kTable + 1;

// Bits of idxNum: first the arguments that xFilter receives, in this order; then the columns that
// are read.
constexpr int kLimitBit = 1 << kArguments;
constexpr int kEntityBit = kLimitBit << 1;
constexpr int kTimestampBit = kLimitBit << 2;

constexpr char kDeclaration[] =
    "CREATE TABLE x(PartitionKey TEXT, RowKey TEXT, Timestamp TEXT, _etag TEXT, _entity TEXT, "
    "table_argument TEXT HIDDEN, filter_argument TEXT HIDDEN, columns_argument TEXT HIDDEN)";

struct QueryTable : sqlite3_vtab {
  std::shared_ptr<Session> session;
};

struct QueryCursor : sqlite3_vtab_cursor {
  std::shared_ptr<Session> session;
  std::string arguments[kArguments];
  std::unique_ptr<RowStream> read;
  ScanGuard guard;
  StatementTracker::Statement statement;  // the statement that reads by this cursor
  bool tables_known = false;              // every virtual table has been connected
  int64_t rowid = 0;
  bool at_end = true;
};

int Connect(sqlite3* db, void* user, int, const char* const*, sqlite3_vtab** out, char** message) {
  return Guard(message, [&]() -> Status {
    if (sqlite3_declare_vtab(db, kDeclaration) != SQLITE_OK) {
      return Status::Error(sqlite3_errmsg(db));
    }
    sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    auto table = std::make_unique<QueryTable>();
    table->session = *static_cast<std::shared_ptr<Session>*>(user);
    *out = table.release();
    return {};
  });
}

int Disconnect(sqlite3_vtab* vtab) {
  delete static_cast<QueryTable*>(vtab);
  return SQLITE_OK;
}

int BestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  static_cast<QueryTable*>(vtab)->session->statements().Prepared();
  int place[kArguments + 1] = {-1, -1, -1, -1};
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
      if (constraint.usable != 0 && info->nOrderBy == 0) place[kArguments] = i;
    } else if (constraint.op == SQLITE_INDEX_CONSTRAINT_EQ && constraint.iColumn >= kTable) {
      if (constraint.usable == 0) return SQLITE_CONSTRAINT;  // an argument must be known
      place[constraint.iColumn - kTable] = i;
    }
  }
  int given = 0;
  for (int i = 0; i <= kArguments; ++i) {
    if (place[i] < 0) continue;
    auto& usage = info->aConstraintUsage[place[i]];
    usage.argvIndex = ++given;
    usage.omit = i < kArguments ? 1 : 0;
    info->idxNum |= 1 << i;
  }
  if ((info->colUsed >> kEntity & 1) != 0) info->idxNum |= kEntityBit;
  if ((info->colUsed >> kTimestamp & 1) != 0) info->idxNum |= kTimestampBit;
  // What EXPLAIN QUERY PLAN prints.
  const bool filtered = place[kFilter - kTable] >= 0;
  info->idxStr = sqlite3_mprintf("%s", filtered ? "OData query with a filter" : "OData query");
  if (info->idxStr == nullptr) return SQLITE_NOMEM;
  info->needToFreeIdxStr = 1;
  info->estimatedCost = 1e6;
  info->estimatedRows = 100'000;
  return SQLITE_OK;
}

int Open(sqlite3_vtab* vtab, sqlite3_vtab_cursor** out) {
  return Guard(&vtab->zErrMsg, [&] {
    auto cursor = std::make_unique<QueryCursor>();
    cursor->session = static_cast<QueryTable*>(vtab)->session;
    cursor->session->CursorOpened();
    *out = cursor.release();
    return Status();
  });
}

int Close(sqlite3_vtab_cursor* base) {
  const std::unique_ptr<QueryCursor> cursor(static_cast<QueryCursor*>(base));
  cursor->session->CursorClosed();
  return SQLITE_OK;
}

// The properties in the third argument; empty: all of them.
std::vector<std::string> SelectOf(std::string_view columns, int plan) {
  std::vector<std::string> select;
  const bool all = TrimBlanks(columns).empty() || TrimBlanks(columns) == "*";
  if (all && (plan & kEntityBit) != 0) return select;
  select = {"PartitionKey", "RowKey"};
  if ((plan & kTimestampBit) != 0) select.emplace_back("Timestamp");
  while (!all && !columns.empty()) {
    const size_t comma = columns.find(',');
    const std::string name(TrimBlanks(columns.substr(0, comma)));
    if (!name.empty() && std::find(select.begin(), select.end(), name) == select.end()) {
      select.push_back(name);
    }
    columns = comma == std::string_view::npos ? "" : columns.substr(comma + 1);
  }
  return select;
}

Status NextRow(QueryCursor& cursor) {
  const auto more = cursor.read->Next();
  cursor.at_end = !more.ok() || !*more;
  if (more.ok() || more.status().detail().http_status != 400 || cursor.arguments[1].empty()) {
    return more.status();
  }
  return more.status().WithMessage(std::string(more.status().message()) +
                                   "; a filter is OData: PartitionKey eq 'A' and Amount gt 100, "
                                   "with eq ne lt le gt ge and or not");
}

// A connection string in the wrong argument is neither sent nor shown. A filter may compare with a
// text that looks like one.
Status CheckNoSecret(std::string_view filter, std::string_view columns) {
  if (MayBeSecret(filter) && !ParseFilter(filter).ok()) {
    return Status::Error(
        "aztables_query: the filter is not OData and may be a connection string, so it is neither "
        "sent nor shown; a filter is: PartitionKey eq 'A' and Amount gt 100");
  }
  if (MayBeSecret(columns)) {
    return Status::Error(
        "aztables_query: columns may be a connection string, so it is neither sent nor shown; "
        "write names of properties, separated by commas");
  }
  return {};
}

Status Start(QueryCursor& cursor, int plan, size_t first_page) {
  Session& session = *cursor.session;
  if ((plan & 1) == 0) {
    return Status::Error(
        "aztables_query needs a table: SELECT * FROM aztables_query('prod.Orders', "
        "'PartitionKey eq ''x''')");
  }
  AZTABLES_RETURN_IF_ERROR(CheckNoSecret(cursor.arguments[1], cursor.arguments[2]));
  auto name = ParseTableName(cursor.arguments[0]);
  if (!name.ok()) return name.status();
  auto connection = session.FindFor(name->connection, name->table);
  if (!connection.ok()) return connection.status();
  if (!cursor.tables_known) AZTABLES_RETURN_IF_ERROR(ConnectAllTables(session));
  cursor.tables_known = true;
  if (cursor.statement.writes) {
    session.Remote(**connection, name->table)->queried_by = cursor.statement.id;
  }
  EntityQuery query;
  query.table = name->table;
  query.kind = "query";
  query.raw_filter = TrimBlanks(cursor.arguments[1]);
  query.select = SelectOf(cursor.arguments[2], plan);
  Projection projection;
  projection.entity = (plan & kEntityBit) != 0;
  BudgetedPageReader::Setting setting;
  setting.rules = RulesOver(session, **connection, name->table);
  setting.rules.who = "aztables_query of " + cursor.arguments[0];
  setting.guard = &cursor.guard;
  setting.call = Session::Options(cursor.statement);
  setting.call.scan = session.statements().NextScan();
  setting.call.budget.limits = setting.rules.limits;
  setting.keyed = LimitsPartitionKey(query.raw_filter);
  cursor.read =
      std::make_unique<BudgetedPageReader>(&session, std::move(*connection), std::move(query),
                                           std::move(projection), first_page, std::move(setting));
  return NextRow(cursor);
}

int Filter(sqlite3_vtab_cursor* base, int plan, const char* plan_text, int,
           sqlite3_value** values) {
  return Guard(&base->pVtab->zErrMsg, [&] {
    auto& cursor = *static_cast<QueryCursor*>(base);
    StatementTracker& statements = cursor.session->statements();
    if (cursor.statement.id == 0) cursor.statement = statements.OfPlan(plan_text);
    cursor.read.reset();
    cursor.at_end = true;
    cursor.rowid = 1;
    int next = 0;
    for (int i = 0; i < kArguments; ++i) {
      cursor.arguments[i].clear();
      if ((plan >> i & 1) == 0) continue;
      sqlite3_value* const value = values[next++];
      // A filter that became NULL must not read everything.
      if (const int type = sqlite3_value_type(value); type == SQLITE_NULL || type == SQLITE_BLOB) {
        const std::string what = type == SQLITE_NULL ? "NULL" : "a BLOB";
        return Status::Error(
            i == 0   ? "aztables_query: the table is " + what
            : i == 1 ? "aztables_query: the filter is " + what + "; write '' to read without one"
                     : "aztables_query: columns is " + what + "; write '' for all of them");
      }
      cursor.arguments[i] = ToText(value);
    }
    size_t first_page = 0;
    if ((plan & kLimitBit) != 0) {
      const sqlite3_int64 limit = sqlite3_value_int64(values[next]);
      if (limit > 0 && limit < 1000) first_page = static_cast<size_t>(limit);
    }
    return Start(cursor, plan, first_page);
  });
}

int Next(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<QueryCursor*>(base);
  ++cursor.rowid;
  return Guard(&base->pVtab->zErrMsg, [&] { return NextRow(cursor); });
}

int Eof(sqlite3_vtab_cursor* base) { return static_cast<QueryCursor*>(base)->at_end ? 1 : 0; }

int ShowColumn(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const auto& cursor = *static_cast<QueryCursor*>(base);
  if (column >= kTable) {
    ResultText(context, cursor.arguments[column - kTable]);
    return SQLITE_OK;
  }
  constexpr size_t kCells[] = {EntityPage::kPartitionKey, EntityPage::kRowKey,
                               EntityPage::kTimestamp, EntityPage::kEtag, EntityPage::kEntity};
  const Cell cell = cursor.read->At(kCells[column]);
  if (cell.malformed) {
    ResultText(context, cell.view());
  } else {
    ResultCell(context, cell);
  }
  return SQLITE_OK;
}

int Rowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid) {
  *rowid = static_cast<QueryCursor*>(base)->rowid;
  return SQLITE_OK;
}

// Eponymous only: there is no xCreate.
constexpr sqlite3_module kModule = [] {
  sqlite3_module module = {};
  module.xConnect = Connect;
  module.xBestIndex = BestIndex;
  module.xDisconnect = Disconnect;
  module.xDestroy = Disconnect;
  module.xOpen = Open;
  module.xClose = Close;
  module.xFilter = Filter;
  module.xNext = Next;
  module.xEof = Eof;
  module.xColumn = ShowColumn;
  module.xRowid = Rowid;
  return module;
}();

void DestroyContext(void* context) { delete static_cast<std::shared_ptr<Session>*>(context); }

}  // namespace

int RegisterQueryTable(const std::shared_ptr<Session>& session) {
  return sqlite3_create_module_v2(session->db(), "aztables_query", &kModule,
                                  new std::shared_ptr<Session>(session), DestroyContext);
}

}  // namespace aztables
