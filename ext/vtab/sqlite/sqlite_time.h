// The times of SQLite's own date functions and of ISO 8601, as ticks. A statement of its own asks
// SQLite for what only SQLite knows ('now', Julian days, modifiers).
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>
#include <span>

#include "base/status.h"
#include "model/datetime.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

// The instant of (time [, modifier...]); nothing if one of them is NULL. An invalid time, an
// invalid modifier, and a result outside the years 1 to 9999 are errors that quote it. REQUIRES: at
// least one argument
Result<std::optional<Ticks>> TimeOf(sqlite3* db, std::span<sqlite3_value* const> arguments);

}  // namespace aztables
