// Where a connection string comes from: a name, an environment variable, a file, or the string
// itself. What a variable or file held is never repeated in an error.
//
// Thread rule: free functions; the environment is read on the calling thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "auth/connection_settings.h"
#include "base/status.h"

namespace aztables {

// Looks an environment variable up; nothing where it is not set or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment ProcessEnvironment();

struct ResolvedConnection {
  ConnectionSettings settings;
  std::string source;  // "env:PROD", "file:/run/secrets/tables", "connection string"
};

// Characters of a connection's name: messages show it whole.
constexpr size_t kMaxConnectionName = 64;

// Whether `name` may name a connection: letters, digits, "_" and "-", not too many.
bool IsConnectionName(std::string_view name);

// What aztables_connect's second argument says: env:VAR, file:PATH or a connection string.
Result<ResolvedConnection> ResolveHow(std::string_view how, const Environment& environment);

// A name that was not registered: AZTABLES_CONNECTION_<NAME> (in capitals, "-" as "_"); "default"
// then from the variables of the Azure tools. The error names the ways to connect.
Result<ResolvedConnection> ResolveName(std::string_view name, const Environment& environment);

// What may stand for a connection inside CREATE VIRTUAL TABLE: a name, env:VAR, file:PATH,
// LocalStore=PATH or plain UseDevelopmentStorage=true. Everything else is refused with what to
// write instead, so that no database file holds a secret or an endpoint that somebody's identity
// would be sent to.
Status CheckInline(std::string_view connection);

// The same for use: CheckInline() and then the connection itself.
Result<ResolvedConnection> ResolveInline(std::string_view connection,
                                         const Environment& environment);

}  // namespace aztables
