// Eponymous tables: see eponymous.h.
#include "vtab/tables/eponymous.h"

#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

struct Context {
  const EponymousTable* table;
  std::shared_ptr<Session> session;
};

struct ListTable : sqlite3_vtab {
  Context context;
};

struct ListCursor : sqlite3_vtab_cursor {
  std::vector<std::optional<std::string>> arguments;
  std::vector<Row> rows;
  size_t row = 0;
};

ListTable& TableOf(sqlite3_vtab_cursor* cursor) { return *static_cast<ListTable*>(cursor->pVtab); }

int Connect(sqlite3* db, void* user, int, const char* const*, sqlite3_vtab** out, char** message) {
  return Guard(message, [&]() -> Status {
    const auto& context = *static_cast<Context*>(user);
    const std::string sql = "CREATE TABLE x(" + std::string(context.table->columns) + ")";
    if (sqlite3_declare_vtab(db, sql.c_str()) != SQLITE_OK) {
      return Status::Error(sqlite3_errmsg(db));
    }
    sqlite3_vtab_config(db,
                        context.table->innocuous ? SQLITE_VTAB_INNOCUOUS : SQLITE_VTAB_DIRECTONLY);
    auto table = std::make_unique<ListTable>();
    table->context = context;
    *out = table.release();
    return {};
  });
}

int Disconnect(sqlite3_vtab* vtab) {
  delete static_cast<ListTable*>(vtab);
  return SQLITE_OK;
}

// idxNum has a bit for each argument that xFilter gets.
int BestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const Context& context = static_cast<ListTable*>(vtab)->context;
  const EponymousTable& table = *context.table;
  context.session->statements().Prepared();
  std::vector<int> constraint_of(static_cast<size_t>(table.arguments), -1);
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int argument = constraint.iColumn - table.visible;
    if (argument < 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) return SQLITE_CONSTRAINT;  // an argument must be known
    constraint_of[static_cast<size_t>(argument)] = i;
  }
  int given = 0;
  for (size_t argument = 0; argument < constraint_of.size(); ++argument) {
    if (constraint_of[argument] < 0) continue;
    auto& usage = info->aConstraintUsage[constraint_of[argument]];
    usage.argvIndex = ++given;
    usage.omit = 1;
    info->idxNum |= 1 << argument;
  }
  info->estimatedCost = 1000;
  info->estimatedRows = 100;
  return SQLITE_OK;
}

int Open(sqlite3_vtab* vtab, sqlite3_vtab_cursor** out) {
  return Guard(&vtab->zErrMsg, [&] {
    *out = std::make_unique<ListCursor>().release();
    return Status();
  });
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<ListCursor*>(cursor);
  return SQLITE_OK;
}

int Filter(sqlite3_vtab_cursor* base, int given, const char*, int, sqlite3_value** values) {
  return Guard(&base->pVtab->zErrMsg, [&] {
    auto& cursor = *static_cast<ListCursor*>(base);
    const Context& context = TableOf(base).context;
    cursor.arguments.assign(static_cast<size_t>(context.table->arguments), std::nullopt);
    int next = 0;
    for (size_t i = 0; i < cursor.arguments.size(); ++i) {
      if ((given >> i & 1) == 0) continue;
      sqlite3_value* const value = values[next++];
      if (sqlite3_value_type(value) != SQLITE_NULL) cursor.arguments[i] = ToText(value);
    }
    cursor.row = 0;
    cursor.rows.clear();
    return context.table->fill(*context.session, cursor.arguments, cursor.rows);
  });
}

int Next(sqlite3_vtab_cursor* cursor) {
  ++static_cast<ListCursor*>(cursor)->row;
  return SQLITE_OK;
}

int Eof(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<ListCursor*>(base);
  return cursor.row >= cursor.rows.size() ? 1 : 0;
}

int Column(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const auto& cursor = *static_cast<ListCursor*>(base);
  const int visible = TableOf(base).context.table->visible;
  if (column >= visible) {
    const auto& argument = cursor.arguments[static_cast<size_t>(column - visible)];
    if (argument) ResultText(context, *argument);
    return SQLITE_OK;
  }
  const RowValue& value = cursor.rows[cursor.row][static_cast<size_t>(column)];
  if (const auto* integer = std::get_if<int64_t>(&value)) sqlite3_result_int64(context, *integer);
  if (const auto* real = std::get_if<double>(&value)) sqlite3_result_double(context, *real);
  if (const auto* text = std::get_if<std::string>(&value)) ResultText(context, *text);
  if (const auto* blob = std::get_if<Blob>(&value)) ResultBlob(context, blob->bytes);
  return SQLITE_OK;
}

int Rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* rowid) {
  *rowid = static_cast<sqlite3_int64>(static_cast<ListCursor*>(cursor)->row) + 1;
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
  module.xColumn = Column;
  module.xRowid = Rowid;
  return module;
}();

void DestroyContext(void* context) { delete static_cast<Context*>(context); }

}  // namespace

int RegisterEponymousTables(const std::shared_ptr<Session>& session) {
  for (const EponymousTable* table :
       {&kEachTable, &kHelpTable, &kConnectionsTable, &kTablesTable, &kRequestsTable, &kInferTable,
        &kCommitsTable, &kPendingTable}) {
    const int rc = sqlite3_create_module_v2(session->db(), table->name, &kModule,
                                            new Context{table, session}, DestroyContext);
    if (rc != SQLITE_OK) return rc;
  }
  return SQLITE_OK;
}

}  // namespace aztables
