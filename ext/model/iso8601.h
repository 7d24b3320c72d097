// ISO 8601 in all the forms that people and programs use for an instant. datetime.h reads only the
// form that values are stored in. Source: ISO 8601-1:2019; week 1 contains 4 January.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <optional>
#include <string_view>

#include "model/datetime.h"

namespace aztables {

// The instant that `text` names. Nothing if `text` is not an instant from year 1 to 9999.
//   dates   2026-11-20, 20261120, 2026-324, 2026-W47-5, 2026W475; 2026324 only before a time, since
//           7 digits alone are a Julian day number to SQLite
//   times   after T or blanks: 10, 10:15, 1015, 10:15:30, 101530. The last part may have a fraction
//           of any length after '.' or ','; 100 ns of it are kept. 24:00 is the end of the day
//   zones   nothing (UTC), Z, +02, +0200, +02:00, after optional blanks
// A time alone, such as 10:15, is a time of 2000-01-01, as in SQLite.
std::optional<Ticks> ParseIso8601(std::string_view text);

}  // namespace aztables
