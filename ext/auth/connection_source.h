// The sources of connection strings: a name, an environment variable, a file, or the string itself.
// Errors never repeat the content of a variable or a file.
//
// Thread rule: free functions; the environment is read on the calling thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/connection_settings.h"
#include "base/status.h"

namespace aztables {

// Looks up an environment variable. Nothing if it is empty or not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment ProcessEnvironment();

// The names of connections for which the environment of the process has AZTABLES_CONNECTION_<NAME>,
// in lower case.
std::vector<std::string> NamesInEnvironment();

struct ResolvedConnection {
  ConnectionSettings settings;
  std::string source;  // "env:PROD", "file:/run/secrets/tables", "connection string"
};

// The most characters of a connection's name, so that messages can show it whole.
constexpr size_t kMaxConnectionName = 64;

// Whether `name` may name a connection: letters, digits, "_" and "-", at most kMaxConnectionName.
bool IsConnectionName(std::string_view name);

// Resolves the second argument of aztables_connect: env:VAR, file:PATH or a connection string.
Result<ResolvedConnection> ResolveHow(std::string_view how, const Environment& environment);

// Resolves a name that was not registered, from AZTABLES_CONNECTION_<NAME> (in capitals, "-" as
// "_"). "default" is then resolved from the variables of the Azure tools. The error names the ways
// to connect, and the `known` names.
Result<ResolvedConnection> ResolveName(std::string_view name, const Environment& environment,
                                       const std::vector<std::string>& known = {});

// OK if CREATE VIRTUAL TABLE may contain `connection`: a name, env:VAR, file:PATH, LocalStore=PATH
// or plain UseDevelopmentStorage=true. For any other text the error says what to write instead. So
// a database file never holds a secret, and never an endpoint to which somebody's identity would be
// sent.
Status CheckInline(std::string_view connection);

// Resolves the connection after CheckInline().
Result<ResolvedConnection> ResolveInline(std::string_view connection,
                                         const Environment& environment);

}  // namespace aztables
