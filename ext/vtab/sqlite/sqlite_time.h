// The times that SQLite's own date functions and ISO 8601 name, as ticks. What SQLite alone knows
// ('now', Julian days, modifiers) is asked of it in a statement of its own.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>
#include <span>

#include "base/status.h"
#include "model/datetime.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

// The instant of (time [, modifier...]); nothing where one of them is NULL. A text that means no
// time, a modifier that means nothing, and a result outside the years 1 to 9999 are errors that
// quote it. REQUIRES: at least one argument
Result<std::optional<Ticks>> TimeOf(sqlite3* db, std::span<sqlite3_value* const> arguments);

}  // namespace aztables
