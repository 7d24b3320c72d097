// SQL functions: see functions.h.
#include "functions.h"

#include "aztables.h"
#include "guard.h"
#include "infer_table.h"
#include "interrupt.h"
#include "values.h"

namespace aztables {
namespace {

Session& SessionOf(sqlite3_context* context) {
  Session& session = **static_cast<std::shared_ptr<Session>*>(sqlite3_user_data(context));
  // Nothing tells a function which statement calls it: with no scan under way it is taken for a new
  // one.
  if (!session.scanning()) session.statements().Prepared();
  return session;
}

void Version(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_text(context, AZTABLES_VERSION, -1, SQLITE_STATIC);
}

void Connect(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&] {
    std::string how = ToText(values[1]);
    auto connection = SessionOf(context).Connect(ToText(values[0]), how);
    WipeString(how);
    if (connection.ok()) ResultText(context, (*connection)->Describe());
    return connection.status();
  });
}

void Disconnect(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&] {
    sqlite3_result_int(context, SessionOf(context).Disconnect(ToText(values[0])) ? 1 : 0);
    return Status();
  });
}

// The connection that a function which changes something works on.
Result<std::shared_ptr<Connection>> FindWritable(Session& session, const TableName& name) {
  AZTABLES_RETURN_IF_ERROR(session.CheckWritable());
  auto connection = session.Find(name.connection);
  if (connection.ok() && (*connection)->resolved.settings.read_only) {
    return Status(Code::kReadOnly,
                  "connection '" + name.connection + "' is read-only (ReadOnly=true)");
  }
  return connection;
}

void CreateTable(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    Session& session = SessionOf(context);
    const auto name = ParseTableName(ToText(values[0]));
    if (!name.ok()) return name.status();
    auto connection = FindWritable(session, *name);
    if (!connection.ok()) return connection.status();
    const InterruptWatch watch(session.db());
    const auto created =
        (*connection)->client->CreateTable(name->table, session.Options(), watch.cancel());
    if (created.ok()) sqlite3_result_int(context, *created ? 1 : 0);
    return (*connection)->Note(created.status());
  });
}

void DropTable(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    Session& session = SessionOf(context);
    const auto name = ParseTableName(ToText(values[0]));
    if (!name.ok()) return name.status();
    if (!name->connection_given) {
      return Status::Error(
          "aztables_drop_table wants its connection spelled out, as in 'prod.Orders' "
          "or 'default.Orders'");
    }
    auto connection = FindWritable(session, *name);
    if (!connection.ok()) return connection.status();
    const InterruptWatch watch(session.db());
    const auto dropped =
        (*connection)->client->DeleteTable(name->table, session.Options(), watch.cancel());
    if (dropped.ok()) sqlite3_result_int(context, *dropped ? 1 : 0);
    return (*connection)->Note(dropped.status());
  });
}

void Schema(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    const auto text = InferredSchemaText(SessionOf(context), ToText(values[0]));
    if (text.ok()) ResultText(context, *text);
    return text.status();
  });
}

struct Function {
  const char* name;
  int arguments;
  int flags;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};

constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
constexpr int kEffect = SQLITE_UTF8 | SQLITE_DIRECTONLY;

constexpr Function kFunctions[] = {
    {"aztables_version", 0, kPure, Version},
    {"aztables_connect", 2, kEffect, Connect},
    {"aztables_disconnect", 1, kEffect, Disconnect},
    {"aztables_create_table", 1, kEffect, CreateTable},
    {"aztables_drop_table", 1, kEffect, DropTable},
    {"aztables_schema", 1, kEffect, Schema},
};

void DestroyContext(void* context) { delete static_cast<std::shared_ptr<Session>*>(context); }

}  // namespace

int RegisterFunctions(const std::shared_ptr<Session>& session) {
  for (const Function& function : kFunctions) {
    const int rc = sqlite3_create_function_v2(session->db(), function.name, function.arguments,
                                              function.flags, new std::shared_ptr<Session>(session),
                                              function.call, nullptr, nullptr, DestroyContext);
    if (rc != SQLITE_OK) return rc;
  }
  return SQLITE_OK;
}

}  // namespace aztables
