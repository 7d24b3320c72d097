// The module "aztables": CREATE VIRTUAL TABLE, connecting, DROP and RENAME. Connecting sends
// nothing and never fails on a bad declaration. So a database always opens, and DROP TABLE always
// works. The first use returns the error. DROP never touches the remote table.
#include <map>
#include <mutex>
#include <set>

#include "model/limits.h"
#include "schema/inference.h"
#include "table/service_error.h"
#include "vtab/scan/read_sample.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/interrupt.h"
#include "vtab/sqlite/sql.h"
#include "vtab/table.h"
#include "vtab/trust/trust_checks.h"

namespace aztables {
namespace {

Status DeclareColumns(sqlite3* db, const Schema& schema) {
  // INSERT OR IGNORE skips a row for which xUpdate returns SQLITE_CONSTRAINT.
  sqlite3_vtab_config(db, SQLITE_VTAB_CONSTRAINT_SUPPORT, 1);
  if (sqlite3_declare_vtab(db, schema.Declaration().c_str()) == SQLITE_OK) return {};
  return FailureOf(db, sqlite3_errcode(db)).In("SQLite refused the columns");
}

// If the connection is unknown when the table is created, the first use checks the name.
Status CheckName(const Table& table) {
  const auto connection = table.session->Find(table.options.connection);
  if (!connection.ok()) return {};
  Status status = (*connection)->CheckTable(table.options.table);
  if (status.ok() || table.options.table_given) return status;
  return status.Noting("; name the remote table by the option table=NAME");
}

Status CreateRemote(Table& table) {
  auto connection = table.session->FindFor(table.options.connection, table.options.table);
  if (!connection.ok()) return connection.status();
  AZTABLES_RETURN_IF_ERROR((*connection)->CheckNewTable(table.options.table));
  AZTABLES_RETURN_IF_ERROR(CheckTableWritable(table));
  if ((*connection)->resolved.settings.read_only) {
    return {Code::kReadOnly,
            "create=missing: connection '" + (*connection)->name + "' is read-only"};
  }
  const CallOptions call = table.Call();
  const InterruptWatch watch(table.session->db(), call.budget);
  const auto created =
      (*connection)->client->CreateIfMissing(table.options.table, call, watch.cancel());
  table.session->Remote(**connection, table.options.table)->missing_for = 0;
  return (*connection)->Note(created.status());
}

// Infers columns if the declaration asks for it, and stores them in the shadow table.
Status InferAtCreate(Table& table) {
  AZTABLES_RETURN_IF_ERROR(table.Shadow().CheckFree());
  auto sample =
      ReadSample(*table.session, table.options.connection, table.options.table, table.Call());
  // The error of an inline connection has this advice.
  const bool advised = !IsConnectionName(table.options.connection);
  if (sample.status().code() == Code::kNotFound && !advised &&
      !IsMetricsTable(table.options.table)) {
    return sample.status().WithAdvice("; or set create=missing to create it");
  }
  if (!sample.ok()) return sample.status();
  Schema& schema = table.declaration.schema;
  const Inference inference = InferColumns(std::move(*sample), schema, {}, table.most_inferred);
  AZTABLES_RETURN_IF_ERROR(StoreInference(table, inference));
  schema = inference.schema;
  return {};
}

// The inferred columns cannot be used: the table has only the declared ones, and its first use
// returns the reason.
void BreakInferred(Table& table, const Status& why) {
  table.declaration.schema.properties.resize(table.declared);
  table.shadow_broken = true;
  table.broken = why.In("table " + table.name + ": its inferred columns are gone")
                     .Noting("; infer them again: " + OverrideLine(table.SqlName(), "refresh"));
}

// Adds the columns that were inferred at CREATE. If they cannot be read, the table has only the
// declared ones, and its first use returns the reason. The function itself fails only for transient
// failures (kBusy, kInterrupt).
Status ReadInferred(Table& table) {
  Status status = table.Shadow().Read(table.declaration.schema);
  if (status.code() == Code::kBusy || status.code() == Code::kInterrupt) return status;
  if (!status.ok()) BreakInferred(table, status);
  return {};
}

// Declares the columns to SQLite. If SQLite refuses them, they are left out, and the first use
// returns the error. CREATE fails at once.
Status Declare(Table& table, bool create) {
  Schema& schema = table.declaration.schema;
  Status status = DeclareColumns(table.session->db(), schema);
  if (status.ok() || create) return status;
  if (schema.properties.size() > table.declared) {
    BreakInferred(table, status);
    if (DeclareColumns(table.session->db(), schema).ok()) return {};
  } else if (table.broken.ok()) {
    table.broken = table.Named(status);
  }
  schema.properties.clear();
  return DeclareColumns(table.session->db(), schema);
}

Status Attach(const std::shared_ptr<Session>& session, int argc, const char* const* argv,
              bool create, sqlite3_vtab** out) {
  if (create) AZTABLES_RETURN_IF_ERROR(CheckIsCreatedDirectly(*session));
  auto table = std::make_unique<Table>();
  table->session = session;
  table->schema_name = argv[1];
  table->name = argv[2];
  table->FindDatabase(create);
  table->id = session->NextTableId();
  const std::vector<std::string> arguments(argv + 3, argv + argc);
  for (const std::string& argument : arguments) table->arguments += argument + ",";
  TableDeclaration& declaration = table->declaration;
  const Status status = ParseDeclaration(table->name, arguments, declaration);
  if (create) AZTABLES_RETURN_IF_ERROR(status);
  if (create) AZTABLES_RETURN_IF_ERROR(CheckHoldsNoSecret(*session));
  table->broken = status.In("table " + table->name + " is declared badly");
  if (create) {
    session->statements().Prepared();  // no statement that will write to it has begun
    // If the table is created in a transaction, SQLite adds it to the transaction without xBegin.
    table->part.marks().Savepoint(-1, 0);
    table->part.SetCreated(table->name);
  }
  table->ApplyOverrides();
  if (create) {
    session->trust().Created(declaration.options.connection);
    AZTABLES_RETURN_IF_ERROR(CheckName(*table));
  }
  table->declared = declaration.schema.properties.size();
  table->most_inferred = status.ok() ? static_cast<size_t>(declaration.InferredColumns()) : 0;
  if (create) {
    if (declaration.options.create_missing) AZTABLES_RETURN_IF_ERROR(CreateRemote(*table));
    if (table->most_inferred > 0) AZTABLES_RETURN_IF_ERROR(InferAtCreate(*table));
  } else if (table->most_inferred > 0) {
    AZTABLES_RETURN_IF_ERROR(ReadInferred(*table));
  }
  AZTABLES_RETURN_IF_ERROR(Declare(*table, create));
  session->tables().insert(table.get());
  *out = table.release();
  return {};
}

// xCreate and xConnect.
template <bool kCreate>
int TableConnect(sqlite3*, void* session, int argc, const char* const* argv, sqlite3_vtab** out,
                 char** message) {
  return Guard(message, [&] {
    return Attach(*static_cast<std::shared_ptr<Session>*>(session), argc, argv, kCreate, out);
  });
}

int TableDisconnect(sqlite3_vtab* vtab) {
  DeleteTable(static_cast<Table*>(vtab));
  return SQLITE_OK;
}

int TableRename(sqlite3_vtab* vtab, const char* name) {
  return Guard(&vtab->zErrMsg, [&] {
    auto& table = *static_cast<Table*>(vtab);
    // If the option `table` is not given, the old name was the remote table's name.
    if (!table.declaration.options.table_given) {
      return Status::Error("table " + table.name + " cannot be renamed to " + name +
                           ": its declaration names no remote table, so the new name would be "
                           "another one; DROP it and CREATE it with table=" +
                           table.name);
    }
    if (table.most_inferred > 0) AZTABLES_RETURN_IF_ERROR(table.Shadow().Rename(name));
    const std::string key = table.Key();
    table.name = name;
    table.session->overrides().Copy(key, table.Key());
    return Status();
  });
}

int TableShadowName(const char* suffix) {
  return sqlite3_stricmp(suffix, ShadowTable::kSuffix) == 0 ? 1 : 0;
}

// The database connections that have the module.
struct LoadedConnections {
  std::mutex mutex;
  std::map<const sqlite3*, const Session*> sessions;
};

LoadedConnections& Loaded() {
  static auto* const loaded = new LoadedConnections;  // static destructors may run before a close
  return *loaded;
}

void DestroySession(void* context) {
  const std::unique_ptr<std::shared_ptr<Session>> session(
      static_cast<std::shared_ptr<Session>*>(context));
  const std::lock_guard lock(Loaded().mutex);
  const auto loaded = Loaded().sessions.find((*session)->db());
  const bool own = loaded != Loaded().sessions.end() && loaded->second == session->get();
  if (own) Loaded().sessions.erase(loaded);
}

constexpr sqlite3_module kTableModule = {
    .iVersion = 3,
    .xCreate = TableConnect<true>,
    .xConnect = TableConnect<false>,
    .xBestIndex = TableBestIndex,
    .xDisconnect = TableDisconnect,
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
    .xRename = TableRename,
    .xSavepoint = TableSavepoint,
    .xRelease = TableRelease,
    .xRollbackTo = TableRollbackTo,
    .xShadowName = TableShadowName,
};

}  // namespace

int RegisterTableModule(const std::shared_ptr<Session>& session) {
  const int rc = sqlite3_create_module_v2(session->db(), "aztables", &kTableModule,
                                          new std::shared_ptr<Session>(session), DestroySession);
  if (rc != SQLITE_OK) return rc;
  const std::lock_guard lock(Loaded().mutex);
  Loaded().sessions[session->db()] = session.get();
  return rc;
}

// If a connection closes after it has detached a shared cache, SQLite does not destroy its module.
// A new connection may have the same address, but not the functions.
bool HasTableModule(sqlite3* db) {
  {
    const std::lock_guard lock(Loaded().mutex);
    if (!Loaded().sessions.contains(db)) return false;
  }
  const Status probe = RunSql(db, "SELECT aztables_version()");
  return probe.code() != Code::kError;  // an authorizer may forbid the call
}

}  // namespace aztables
