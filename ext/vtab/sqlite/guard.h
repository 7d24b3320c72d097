// Guard: the boundary between the project and SQLite's C frames. Each callback is one Guard(...)
// expression: its Status becomes a result code and a message, and no exception leaves it. The one
// exception is the end of the thread. A callback of the host may end it (pthread_exit(), as Python
// does with daemon threads while it finalizes). That unwinds the stack, and no code may catch it.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <exception>
#include <new>

#include "base/status.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

// The SQLite result code for a failure.
int ResultCode(const Status& status);

// Sets *message (a string of SQLite's) to the message of `status`, and frees the old string.
void SetMessage(char** message, const Status& status);

// Runs `body`, which returns a code of SQLite.
template <typename Body>
int GuardCode(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception&) {
    return SQLITE_ERROR;
  }
}

// Runs `body`, which returns a Status, for a callback that reports through an error text.
template <typename Body>
int Guard(char** message, Body&& body) {
  return GuardCode([&] {
    const Status status = body();
    if (status.ok()) return SQLITE_OK;
    SetMessage(message, status);
    return ResultCode(status);
  });
}

// The same for an SQL function or xColumn, which report through their context.
void ResultError(sqlite3_context* context, const Status& status);

template <typename Body>
void GuardResult(sqlite3_context* context, Body&& body) {
  try {
    const Status status = body();
    if (!status.ok()) ResultError(context, status);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (const std::exception&) {
    sqlite3_result_error(context, "aztables: unexpected failure", -1);
  }
}

}  // namespace aztables
