// Eponymous tables: see eponymous.h.
#include "vtab/tables/eponymous.h"

#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/sql.h"
#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

struct Context {
  const EponymousTable* table;
  std::shared_ptr<Session> session;
};

struct VirtualTable : sqlite3_vtab {
  Context context;
};

const EponymousTable& TableOf(sqlite3_vtab_cursor* cursor) {
  return *static_cast<VirtualTable*>(cursor->pVtab)->context.table;
}

class ListCursor final : public EponymousCursor {
 public:
  using EponymousCursor::EponymousCursor;

  Status Start(int, const char*, const std::vector<sqlite3_value*>&) override {
    rows_.clear();
    Status status = TableOf(this).fill(*session, arguments, rows_);
    at_end = rows_.empty();
    return status;
  }
  Status Next() override {
    at_end = static_cast<size_t>(rowid) > rows_.size();
    return {};
  }
  void Show(sqlite3_context* context, int column) const override {
    const RowValue& value = rows_[static_cast<size_t>(rowid) - 1][static_cast<size_t>(column)];
    if (const auto* integer = std::get_if<int64_t>(&value)) sqlite3_result_int64(context, *integer);
    if (const auto* real = std::get_if<double>(&value)) sqlite3_result_double(context, *real);
    if (const auto* text = std::get_if<std::string>(&value)) ResultText(context, *text);
    if (const auto* blob = std::get_if<Blob>(&value)) ResultBlob(context, blob->bytes);
  }

 private:
  std::vector<Row> rows_;
};

int Connect(sqlite3* db, void* user, int, const char* const*, sqlite3_vtab** out, char** message) {
  return Guard(message, [&]() -> Status {
    const auto& context = *static_cast<Context*>(user);
    const std::string sql = "CREATE TABLE x(" + std::string(context.table->columns) + ")";
    if (const int rc = sqlite3_declare_vtab(db, sql.c_str())) return FailureOf(db, rc);
    sqlite3_vtab_config(db,
                        context.table->innocuous ? SQLITE_VTAB_INNOCUOUS : SQLITE_VTAB_DIRECTONLY);
    auto table = std::make_unique<VirtualTable>();
    table->context = context;
    *out = table.release();
    return {};
  });
}

int Disconnect(sqlite3_vtab* vtab) {
  delete static_cast<VirtualTable*>(vtab);
  return SQLITE_OK;
}

// idxNum has a bit for each value that xFilter gets: the arguments, then LIMIT.
int Plan(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const Context& context = static_cast<VirtualTable*>(vtab)->context;
  const EponymousTable& table = *context.table;
  context.session->statements().Prepared();
  const auto arguments = static_cast<size_t>(table.arguments);
  std::vector<int> constraint_of(arguments + 1, -1);
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.op == SQLITE_INDEX_CONSTRAINT_LIMIT) {
      const bool takes_limit = table.open != nullptr && info->nOrderBy == 0;
      if (takes_limit && constraint.usable != 0) constraint_of[arguments] = i;
      continue;
    }
    const int argument = constraint.iColumn - table.visible;
    if (argument < 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) return SQLITE_CONSTRAINT;  // an argument must be known
    constraint_of[static_cast<size_t>(argument)] = i;
  }
  int given = 0;
  for (size_t place = 0; place <= arguments; ++place) {
    if (constraint_of[place] < 0) continue;
    auto& usage = info->aConstraintUsage[constraint_of[place]];
    usage.argvIndex = ++given;
    usage.omit = place < arguments ? 1 : 0;
    info->idxNum |= 1 << place;
  }
  info->estimatedCost = 1000;
  info->estimatedRows = 100;
  return table.finish_plan != nullptr ? table.finish_plan(info) : SQLITE_OK;
}

int BestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  return GuardCode([&] { return Plan(vtab, info); });
}

int Open(sqlite3_vtab* vtab, sqlite3_vtab_cursor** out) {
  return Guard(&vtab->zErrMsg, [&] {
    const Context& context = static_cast<VirtualTable*>(vtab)->context;
    if (context.table->open != nullptr) {
      *out = context.table->open(context.session).release();
    } else {
      *out = std::make_unique<ListCursor>(context.session).release();
    }
    return Status();
  });
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<EponymousCursor*>(cursor);
  return SQLITE_OK;
}

int Filter(sqlite3_vtab_cursor* base, int plan, const char* plan_text, int,
           sqlite3_value** values) {
  return Guard(&base->pVtab->zErrMsg, [&] {
    auto& cursor = *static_cast<EponymousCursor*>(base);
    const auto arguments = static_cast<size_t>(TableOf(base).arguments);
    std::vector<sqlite3_value*> given(arguments + 1);
    for (size_t i = 0; i <= arguments; ++i) {
      if ((plan >> i & 1) != 0) given[i] = *values++;
    }
    cursor.rowid = 1;
    cursor.at_end = true;
    cursor.arguments.assign(arguments, std::nullopt);
    for (size_t i = 0; i < arguments; ++i) {
      if (given[i] == nullptr) continue;
      AZTABLES_RETURN_IF_ERROR(cursor.CheckArgument(i, given[i]));
      if (!IsNull(given[i])) cursor.arguments[i] = ToText(given[i]);
    }
    return cursor.Start(plan, plan_text, given);
  });
}

int Next(sqlite3_vtab_cursor* base) {
  return Guard(&base->pVtab->zErrMsg, [&] {
    auto& cursor = *static_cast<EponymousCursor*>(base);
    ++cursor.rowid;
    return cursor.Next();
  });
}

int Eof(sqlite3_vtab_cursor* base) { return static_cast<EponymousCursor*>(base)->at_end ? 1 : 0; }

int ShowColumn(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  GuardResult(context, [&] {
    const auto& cursor = *static_cast<EponymousCursor*>(base);
    const int argument = column - TableOf(base).visible;
    if (argument < 0) {
      cursor.Show(context, column);
    } else if (const auto& text = cursor.arguments[static_cast<size_t>(argument)]) {
      ResultText(context, *text);
    }
    return Status();
  });
  return SQLITE_OK;
}

int Rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* rowid) {
  *rowid = static_cast<EponymousCursor*>(cursor)->rowid;
  return SQLITE_OK;
}

// Eponymous only: there is no xCreate.
constexpr sqlite3_module kEponymousModule = [] {
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

void DestroyContext(void* context) { delete static_cast<Context*>(context); }

}  // namespace

int RegisterEponymousTables(const std::shared_ptr<Session>& session) {
  for (const EponymousTable* table :
       {&kEachTable, &kHelpTable, &kConnectionsTable, &kTablesTable, &kRequestsTable, &kInferTable,
        &kCommitsTable, &kPendingTable, &kQueryTable}) {
    const int rc = sqlite3_create_module_v2(session->db(), table->name, &kEponymousModule,
                                            new Context{table, session}, DestroyContext);
    if (rc != SQLITE_OK) return rc;
  }
  return SQLITE_OK;
}

}  // namespace aztables
