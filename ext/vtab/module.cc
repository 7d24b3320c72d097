// The module "aztables": CREATE VIRTUAL TABLE, connecting, DROP and RENAME. Connecting sends
// nothing and never fails on a bad declaration, so that a database always opens and DROP TABLE
// always works; the first use says what is wrong. Dropping never touches the remote table.
#include "guard.h"
#include "interrupt.h"
#include "table.h"

namespace aztables {
namespace {

Status DeclareColumns(sqlite3* db, const Schema& schema) {
  if (sqlite3_declare_vtab(db, schema.Declaration().c_str()) == SQLITE_OK) return {};
  return Status::Error("SQLite refused the columns: " + std::string(sqlite3_errmsg(db)));
}

Status CreateRemote(Table& table) {
  auto connection = table.session->Find(table.declaration.options.connection);
  if (!connection.ok()) return connection.status();
  AZTABLES_RETURN_IF_ERROR(CheckTableWritable(table));
  if ((*connection)->resolved.settings.read_only) {
    return {Code::kReadOnly,
            "create=missing: connection '" + (*connection)->name + "' is read-only"};
  }
  const InterruptWatch watch(table.session->db());
  const auto created =
      (*connection)
          ->client->CreateTable(table.declaration.options.table, table.Options(), watch.cancel());
  return (*connection)->Note(created.status());
}

Status Attach(ModuleContext& context, int argc, const char* const* argv, bool create,
              sqlite3_vtab** out) {
  auto table = std::make_unique<Table>();
  table->session = context.session;
  table->transactions = context.transactions;
  table->schema_name = argv[1];
  table->name = argv[2];
  table->id = context.next_table_id++;
  const std::vector<std::string> arguments(argv + 3, argv + argc);
  Status status = ParseDeclaration(table->name, arguments, table->declaration);
  if (create) AZTABLES_RETURN_IF_ERROR(status);
  if (!status.ok()) {
    table->broken = status.WithMessage("table " + table->name +
                                       " is declared badly: " + std::string(status.message()));
  }
  AZTABLES_RETURN_IF_ERROR(DeclareColumns(context.session->db(), table->declaration.schema));
  if (create && table->declaration.options.create_missing) {
    AZTABLES_RETURN_IF_ERROR(CreateRemote(*table));
  }
  *out = table.release();
  return {};
}

int Create(sqlite3*, void* context, int argc, const char* const* argv, sqlite3_vtab** out,
           char** message) {
  return Guard(message, [&] {
    return Attach(*static_cast<ModuleContext*>(context), argc, argv, true, out);
  });
}

int Connect(sqlite3*, void* context, int argc, const char* const* argv, sqlite3_vtab** out,
            char** message) {
  return Guard(message, [&] {
    return Attach(*static_cast<ModuleContext*>(context), argc, argv, false, out);
  });
}

int Disconnect(sqlite3_vtab* vtab) {
  delete static_cast<Table*>(vtab);
  return SQLITE_OK;
}

int Rename(sqlite3_vtab* vtab, const char* name) {
  return Guard(&vtab->zErrMsg, [&] {
    auto& table = *static_cast<Table*>(vtab);
    // The remote table's name was taken from the old one where the option `table` is not given.
    if (!table.declaration.options.table_given) {
      return Status::Error("table " + table.name + " cannot be renamed to " + name +
                           ": its declaration names no remote table, so the new name would be "
                           "another one; DROP it and CREATE it with table=" +
                           table.name);
    }
    table.name = name;
    return Status();
  });
}

void DestroyContext(void* context) { delete static_cast<ModuleContext*>(context); }

constexpr sqlite3_module kModule = {
    .iVersion = 2,
    .xCreate = Create,
    .xConnect = Connect,
    .xBestIndex = TableBestIndex,
    .xDisconnect = Disconnect,
    .xDestroy = TableDestroy,
    .xOpen = CursorOpen,
    .xClose = CursorClose,
    .xFilter = CursorFilter,
    .xNext = CursorNext,
    .xEof = CursorEof,
    .xColumn = CursorColumn,
    .xRowid = CursorRowid,
    .xUpdate = TableUpdate,
    .xBegin = TableBegin,
    .xSync = TableSync,
    .xCommit = TableCommit,
    .xRollback = TableRollback,
    .xFindFunction = nullptr,
    .xRename = Rename,
    .xSavepoint = TableSavepoint,
    .xRelease = TableRelease,
    .xRollbackTo = TableRollbackTo,
    .xShadowName = nullptr,
};

}  // namespace

CallOptions Table::Options() const {
  CallOptions options = session->Options();
  options.timeout = declaration.options.timeout;
  options.retries = declaration.options.retries;
  return options;
}

int RegisterTableModule(const std::shared_ptr<Session>& session) {
  auto context = std::make_unique<ModuleContext>();
  context->session = session;
  context->transactions = MakeTransactionState();
  return sqlite3_create_module_v2(session->db(), "aztables", &kModule, context.release(),
                                  DestroyContext);
}

}  // namespace aztables
