// TrustChecks: see trust_checks.h.
#include "vtab/trust/trust_checks.h"

#include <cstring>

#include "auth/inline_form.h"
#include "base/encoding.h"
#include "base/secret.h"
#include "vtab/sqlite/sql.h"
#include "vtab/table.h"
#include "vtab/trust/direct_use.h"

namespace aztables {
namespace {

// A shorter text is compared as a whole.
constexpr size_t kBeginning = 256;

bool Names(std::string_view sql, const Table& table) {
  const auto changed = ChangedTable(sql);
  return changed && EqualsIgnoreCase(changed->name, table.name) &&
         (changed->schema.empty() || EqualsIgnoreCase(changed->schema, table.schema_name));
}

// Whether the statement names the table as the one to change. Its text is parsed once, not for each
// row: it keeps its address until the statement ends.
bool Changes(const char* sql, Table& table) {
  const std::string_view beginning(sql, strnlen(sql, kBeginning));
  if (table.part.IsChangedBy(sql, beginning)) return true;
  if (!Names(sql, table)) return false;
  table.part.SetChangedBy(sql, beginning);
  return true;
}

// How the user allows views and triggers to write through the connection.
std::string HowToAllow(const Connection& connection) {
  const std::string& source = connection.resolved.source;
  const bool one_variable = source.starts_with(kEnvPrefix) && source.find(' ') == std::string::npos;
  if (!connection.form && !one_variable) {
    return "to allow it, add the line " + connection.name +
           " to the environment variable AZTABLES_TRUST, or name the connection by "
           "aztables_connect";
  }
  return "to allow it on this database connection, " +
         (connection.form ? HowToName(*connection.form, connection.name)
                          : "run: SELECT aztables_connect(" + SqlLiteral(connection.name) + ", " +
                                SqlLiteral(source) + ")");
}

}  // namespace

bool IsChangedDirectly(Table& table) {
  return table.session->statements().AllExecuting(
      [&](const char* sql) { return Changes(sql, table); });
}

Status CheckMayWrite(Table& table) {
  if (IsChangedDirectly(table)) return {};
  auto connection = table.session->Find(table.options.connection);
  if (!connection.ok()) return connection.status();
  const Connection& to = **connection;
  if (table.session->trust().AllowsIndirectWrites(to.name, to.form)) return {};
  return {Code::kAuth, "table " + table.name +
                           ": the statement does not name it as the table to change (a name "
                           "between single quotes does not count); a view, a trigger (a TEMP one "
                           "too) or a function asks for this change; " +
                           HowToAllow(to)};
}

Status CheckIsCalledDirectly(Session& session, std::string_view function) {
  if (session.statements().AllExecuting(
          [&](const char* sql) { return CallsFunction(sql, function); })) {
    return {};
  }
  const std::string name(function);
  return {Code::kAuth,
          name +
              " runs only if the statement that you run calls it by its bare name; a call in a "
              "view, a trigger (a TEMP one too) or a CHECK and a name in quotes do not count; run "
              "it by itself: SELECT " +
              name + "(...)"};
}

Status CheckIsCreatedDirectly(Session& session) {
  if (session.statements().AllExecuting([](const char* sql) { return CreatesVirtualTable(sql); })) {
    return {};
  }
  return {Code::kAuth,
          "CREATE VIRTUAL TABLE ... USING aztables has to be a statement of its own; here another "
          "statement ran it"};
}

Status CheckHoldsNoSecret(Session& session) {
  const bool none =
      session.statements().AllExecuting([](const char* sql) { return !HoldsSecret(sql); });
  if (none) return {};
  return Status::Error(
      "CREATE VIRTUAL TABLE must not contain a key or a signature, not even in a comment: the "
      "whole text is stored in the database file");
}

}  // namespace aztables
