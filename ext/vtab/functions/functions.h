// The SQL functions, as lists of one entry per name and number of arguments. Functions with an
// effect are DIRECTONLY. They run only if the text of each executing statement calls them: SQLite
// before 3.50 lets a CHECK of a database from others call a DIRECTONLY function. The others are
// pure: they send nothing. They are allowed in any view, index, CHECK and generated column.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "vtab/session/session.h"

namespace aztables {

inline constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
inline constexpr int kEffect = SQLITE_UTF8 | SQLITE_DIRECTONLY;

struct SqlFunction {
  const char* name;
  int arguments;  // -1: any number
  int flags;      // kPure or kEffect
  void (*call)(sqlite3_context*, int, sqlite3_value**);
  // For an aggregate, which has no call.
  void (*step)(sqlite3_context*, int, sqlite3_value**) = nullptr;
  void (*finish)(sqlite3_context*) = nullptr;
};

std::span<const SqlFunction> EntityFunctions();  // entity_functions.cc
std::span<const SqlFunction> TimeFunctions();    // time_functions.cc

// The registration data of a function.
struct RegisteredFunction {
  std::shared_ptr<Session> session;
  const SqlFunction* function = nullptr;
};
const RegisteredFunction& FunctionOf(sqlite3_context* context);

// The session that a function was registered with.
inline Session& SessionOf(sqlite3_context* context) { return *FunctionOf(context).session; }

// The same failure, preceded by the name of the function.
inline Status InFunction(std::string_view name, const Status& status) { return status.In(name); }

int RegisterFunctions(const std::shared_ptr<Session>& session);

}  // namespace aztables
