// aztables_query(table [, filter [, columns]]): a raw OData query, streamed. The filter is sent to
// the service as written. The rules of the virtual tables over the same remote table (scan,
// max_requests and the like) apply here too.
#include <algorithm>

#include "base/encoding.h"
#include "base/secret.h"
#include "model/schema.h"
#include "odata/filter_tree.h"
#include "schema/table_name.h"
#include "vtab/scan/budgeted_page_reader.h"
#include "vtab/scan/tables_over.h"
#include "vtab/sqlite/values.h"
#include "vtab/table.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

enum QueryColumn : int {
  kPartitionKey,
  kRowKey,
  kTimestamp,
  kEtag,
  kEntity,
  kTable,
  kFilter,
  kColumns
};
constexpr int kArguments = kColumns - kTable + 1;

// Bits of idxNum, after those of the arguments and of LIMIT: the columns that are read.
constexpr int kEntityBit = 1 << (kArguments + 1);
constexpr int kTimestampBit = kEntityBit << 1;

int FinishPlan(sqlite3_index_info* info) {
  const bool filtered = (info->idxNum >> (kFilter - kTable) & 1) != 0;
  if ((info->colUsed >> kEntity & 1) != 0) info->idxNum |= kEntityBit;
  if ((info->colUsed >> kTimestamp & 1) != 0) info->idxNum |= kTimestampBit;
  // What EXPLAIN QUERY PLAN prints.
  info->idxStr = sqlite3_mprintf("%s", filtered ? "OData query with a filter" : "OData query");
  if (info->idxStr == nullptr) return SQLITE_NOMEM;
  info->needToFreeIdxStr = 1;
  info->estimatedCost = 1e6;
  info->estimatedRows = 100'000;
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

// The strictest rules of the connected virtual tables over `table`.
ReadRules RulesOver(Session& session, const Connection& connection, const std::string& table) {
  ReadRules rules;
  for (const Table* other : TablesOver(session, connection, table)) {
    rules.Tighten(other->options, other->SqlName());
  }
  return rules;
}

// What to write if the service refuses a filter with this HTTP status; the end of a message.
std::string FilterAdvice(int status) {
  if (status == 400) {
    return "; a filter is OData: PartitionKey eq 'A' and Amount gt 100, with eq ne lt le gt ge and "
           "or not";
  }
  return status == 414 || status == 431 ? "; divide the filter into shorter ones" : "";
}

class QueryCursor final : public EponymousCursor {
 public:
  explicit QueryCursor(const std::shared_ptr<Session>& of) : EponymousCursor(of) {
    session->CursorOpened();
  }
  QueryCursor(const QueryCursor&) = delete;
  QueryCursor& operator=(const QueryCursor&) = delete;
  ~QueryCursor() override { session->CursorClosed(); }

  Status CheckArgument(size_t argument, sqlite3_value* value) const override;
  Status Start(int plan, const char* plan_text, const std::vector<sqlite3_value*>& values) override;
  Status Next() override;
  void Show(sqlite3_context* context, int column) const override;

 private:
  const std::string& Argument(QueryColumn column) const {
    return *arguments[static_cast<size_t>(column - kTable)];
  }
  std::unique_ptr<RowStream> MakeReader(const TableName& name,
                                        std::shared_ptr<Connection> connection, int plan,
                                        size_t first_page);

  std::unique_ptr<RowStream> read_;
  ScanGuard guard_;
  StatementTracker::Statement statement_;  // the statement that reads by this cursor
  bool tables_known_ = false;              // every virtual table has been connected
};

// A filter that became NULL must not read everything.
Status QueryCursor::CheckArgument(size_t argument, sqlite3_value* value) const {
  const int type = sqlite3_value_type(value);
  if (type != SQLITE_NULL && type != SQLITE_BLOB) return {};
  const std::string what = type == SQLITE_NULL ? "NULL" : "a BLOB";
  return Status::Error(
      argument == 0   ? "aztables_query: the table is " + what
      : argument == 1 ? "aztables_query: the filter is " + what + "; write '' to read without one"
                      : "aztables_query: columns is " + what + "; write '' for all of them");
}

Status QueryCursor::Start(int plan, const char* plan_text,
                          const std::vector<sqlite3_value*>& values) {
  read_.reset();
  if (statement_.id == 0) statement_ = session->statements().OfPlan(plan_text);
  for (auto& argument : arguments) argument = argument.value_or("");
  if (values[0] == nullptr) {
    return Status::Error(
        "aztables_query needs a table: SELECT * FROM aztables_query('prod.Orders', "
        "'PartitionKey eq ''x''')");
  }
  AZTABLES_RETURN_IF_ERROR(CheckNoSecret(Argument(kFilter), Argument(kColumns)));
  const auto name = ParseTableName(Argument(kTable));
  if (!name.ok()) return name.status();
  auto connection = session->FindFor(name->connection, name->table);
  if (!connection.ok()) return connection.status();
  if (!tables_known_) AZTABLES_RETURN_IF_ERROR(ConnectAllTables(*session));
  tables_known_ = true;
  if (statement_.writes) session->Remote(**connection, name->table)->queried_by = statement_.id;
  const int64_t limit = values[kArguments] ? sqlite3_value_int64(values[kArguments]) : 0;
  const size_t first_page = limit > 0 && limit < 1000 ? static_cast<size_t>(limit) : 0;
  read_ = MakeReader(*name, std::move(*connection), plan, first_page);
  return Next();
}

std::unique_ptr<RowStream> QueryCursor::MakeReader(const TableName& name,
                                                   std::shared_ptr<Connection> connection, int plan,
                                                   size_t first_page) {
  EntityQuery query;
  query.table = name.table;
  query.kind = "query";
  query.raw_filter = TrimBlanks(Argument(kFilter));
  query.select = SelectOf(Argument(kColumns), plan);
  Projection projection;
  projection.entity = (plan & kEntityBit) != 0;
  BudgetedPageReader::Setting setting;
  setting.rules = RulesOver(*session, *connection, name.table);
  setting.rules.who = "aztables_query of " + Argument(kTable);
  setting.guard = &guard_;
  setting.call = Session::Options(statement_);
  setting.call.scan = session->statements().NextScan();
  setting.call.budget.limits = setting.rules.limits;
  setting.keyed = LimitsPartitionKey(query.raw_filter);
  auto remote = session->Remote(*connection, query.table);
  return std::make_unique<BudgetedPageReader>(
      session.get(), std::move(connection), std::move(remote), std::move(query),
      std::move(projection), first_page, std::move(setting));
}

Status QueryCursor::Next() {
  const auto more = read_->Next();
  at_end = !more.ok() || !*more;
  if (more.ok() || Argument(kFilter).empty()) return more.status();
  return more.status().Noting(FilterAdvice(more.status().failure().http_status));
}

void QueryCursor::Show(sqlite3_context* context, int column) const {
  constexpr size_t kCells[] = {EntityPage::kPartitionKey, EntityPage::kRowKey,
                               EntityPage::kTimestamp, EntityPage::kEtag, EntityPage::kEntity};
  const Cell cell = read_->At(kCells[column]);
  if (cell.malformed) {
    ResultText(context, cell.view());
  } else {
    ResultCell(context, cell);
  }
}

std::unique_ptr<EponymousCursor> Open(const std::shared_ptr<Session>& session) {
  return std::make_unique<QueryCursor>(session);
}

}  // namespace

const EponymousTable kQueryTable = {
    .name = "aztables_query",
    .columns =
        "PartitionKey TEXT, RowKey TEXT, Timestamp TEXT, _etag TEXT, _entity TEXT, table_argument "
        "TEXT HIDDEN, filter_argument TEXT HIDDEN, columns_argument TEXT HIDDEN",
    .visible = kTable,
    .arguments = kArguments,
    .open = Open,
    .finish_plan = FinishPlan,
};

}  // namespace aztables
