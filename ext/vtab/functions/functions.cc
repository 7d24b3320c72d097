// Registration of all SQL functions, and those of connections and remote tables: see functions.h.
#include "vtab/functions/functions.h"

#include "aztables.h"
#include "schema/table_name.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/interrupt.h"
#include "vtab/sqlite/values.h"
#include "vtab/tables/eponymous.h"
#include "vtab/trust/trust_checks.h"

namespace aztables {
namespace {

// The session, for a function that may send requests.
Session& Begin(sqlite3_context* context) {
  Session& session = SessionOf(context);
  // SQLite does not show a function which statement calls it. If no scan is under way, the caller
  // counts as a new statement.
  if (!session.scanning()) session.statements().Prepared();
  session.responses().Clear();  // a continuing statement has responses from before
  return session;
}

void Version(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_text(context, AZTABLES_VERSION, -1, SQLITE_STATIC);
}

void Connect(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&] {
    std::string how = ToText(values[1]);
    auto connection = Begin(context).Connect(ToText(values[0]), how);
    WipeString(how);
    if (connection.ok()) ResultText(context, (*connection)->Describe());
    return connection.status();
  });
}

void Disconnect(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&] {
    sqlite3_result_int(context, Begin(context).Disconnect(ToText(values[0])) ? 1 : 0);
    return Status();
  });
}

// The connection for a function that changes something.
Result<std::shared_ptr<Connection>> FindWritable(Session& session, const TableName& name) {
  AZTABLES_RETURN_IF_ERROR(session.CheckWritable());
  auto connection = session.Find(name.connection);
  if (connection.ok()) AZTABLES_RETURN_IF_ERROR((*connection)->CheckNewTable(name.table));
  if (connection.ok() && (*connection)->resolved.settings.read_only) {
    return Status(Code::kReadOnly,
                  "connection '" + name.connection + "' is read-only (ReadOnly=true)");
  }
  return connection;
}

void CreateTable(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    Session& session = Begin(context);
    const auto name = ParseTableName(ToText(values[0]));
    if (!name.ok()) return name.status();
    auto connection = FindWritable(session, *name);
    if (!connection.ok()) return connection.status();
    const InterruptWatch watch(session.db());
    const auto created =
        (*connection)->client->CreateTable(name->table, session.Options(), watch.cancel());
    session.Remote(**connection, name->table)->missing_for = 0;
    if (created.ok()) sqlite3_result_int(context, *created ? 1 : 0);
    return (*connection)->Note(created.status());
  });
}

void DropTable(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    Session& session = Begin(context);
    const auto name = ParseTableName(ToText(values[0]));
    if (!name.ok()) return name.status();
    if (!name->connection_given) {
      return Status::Error(
          "aztables_drop_table needs the connection's name, as in 'prod.Orders' or "
          "'default.Orders'");
    }
    auto connection = FindWritable(session, *name);
    if (!connection.ok()) return connection.status();
    const InterruptWatch watch(session.db());
    const auto dropped =
        (*connection)->client->DeleteTable(name->table, session.Options(), watch.cancel());
    if (dropped.ok()) {
      sqlite3_result_int(context, *dropped ? 1 : 0);
      session.Remote(**connection, name->table)->names = {};
    }
    return (*connection)->Note(dropped.status());
  });
}

void InferSchema(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    const auto text = InferredSchemaText(SessionOf(context), ToText(values[0]));
    if (text.ok()) ResultText(context, *text);
    return text.status();
  });
}

constexpr SqlFunction kConnectionFunctions[] = {
    {"aztables_version", 0, kPure, Version},
    {"aztables_connect", 2, kEffect, Connect},
    {"aztables_disconnect", 1, kEffect, Disconnect},
    {"aztables_create_table", 1, kEffect, CreateTable},
    {"aztables_drop_table", 1, kEffect, DropTable},
    {"aztables_schema", 1, kEffect, InferSchema},
};

void DestroyFunction(void* context) { delete static_cast<RegisteredFunction*>(context); }

// Calls a function with an effect, if the text of each executing statement calls it.
void CallDirectly(sqlite3_context* context, int count, sqlite3_value** values) {
  const RegisteredFunction& called = FunctionOf(context);
  const std::string_view name = called.function->name;
  bool direct = false;
  GuardResult(context, [&] {
    Status status = CheckIsCalledDirectly(*called.session, name);
    direct = status.ok();
    return status;
  });
  if (direct) called.function->call(context, count, values);
}

}  // namespace

const RegisteredFunction& FunctionOf(sqlite3_context* context) {
  return *static_cast<const RegisteredFunction*>(sqlite3_user_data(context));
}

int RegisterFunctions(const std::shared_ptr<Session>& session) {
  for (const auto& list :
       {std::span<const SqlFunction>(kConnectionFunctions), EntityFunctions(), TimeFunctions()}) {
    for (const SqlFunction& function : list) {
      const bool has_effect = (function.flags & SQLITE_DIRECTONLY) != 0;
      const int rc = sqlite3_create_function_v2(
          session->db(), function.name, function.arguments, function.flags,
          new RegisteredFunction{session, &function}, has_effect ? CallDirectly : function.call,
          function.step, function.finish, DestroyFunction);
      if (rc != SQLITE_OK) return rc;
    }
  }
  return SQLITE_OK;
}

}  // namespace aztables
