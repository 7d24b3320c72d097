// Edm.DateTime as text. The project shows every instant in one form, YYYY-MM-DDTHH:MM:SS.fffffffZ,
// with seven digits of 100 ns. So the order of the texts is the order of the instants. The service
// itself removes trailing zeros.
// Source: ISO 8601-1:2019; week 1 contains 4 January.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aztables {

// 100 ns units since 0001-01-01T00:00:00Z, as .NET counts them.
using Ticks = int64_t;

// The first and the last instant that the service stores: 1601-01-01 and
// 9999-12-31T23:59:59.9999999.
inline constexpr Ticks kMinServiceTicks = 504911232000000000;
inline constexpr Ticks kMaxServiceTicks = 3155378975999999999;

inline constexpr Ticks kTicksPerMs = 10'000;
inline constexpr Ticks kTicksPerSecond = 1000 * kTicksPerMs;

// The instant that is this number of milliseconds after the start of Unix time, 1970-01-01.
inline constexpr Ticks kUnixEpochTicks = 621355968000000000;
constexpr Ticks UnixTime(int64_t ms) { return kUnixEpochTicks + ms * kTicksPerMs; }

// Size of the canonical form.
inline constexpr size_t kDateTimeSize = 28;

// The instant that an ISO 8601 text names. The text is a date, or a date and (after T, t or one
// blank) a time with minutes, seconds or a fraction. Then follows nothing (UTC), Z or an offset.
// The result is nothing if the text has another form, is not a real day, or has a fraction finer
// than 100 ns.
std::optional<Ticks> ParseDateTime(std::string_view text);

// The instant that `text` names in any form of ISO 8601 that people and programs use. Nothing if
// `text` is not an instant from year 1 to 9999.
//   dates   2026-11-20, 20261120, 2026-324, 2026-W47-5, 2026W475; 2026324 only before a time, since
//           7 digits alone are a Julian day number to SQLite
//   times   after T or blanks: 10, 10:15, 1015, 10:15:30, 101530. The last part may have a fraction
//           of any length after '.' or ','; 100 ns of it are kept. 24:00 is the end of the day
//   zones   nothing (UTC), Z, +02, +0200, +02:00, after optional blanks
// A time alone, such as 10:15, is a time of 2000-01-01, as in SQLite.
std::optional<Ticks> ParseIso8601(std::string_view text);

// The canonical form of an instant from year 1 to 9999.
std::string FormatDateTime(Ticks ticks);
// The same into out[0, kDateTimeSize), without a terminator.
void FormatDateTime(Ticks ticks, char* out);

// Whether `text` is the canonical form of an instant. Faster than to parse and format it.
bool IsCanonicalDateTime(std::string_view text);
// Writes the canonical form of a `text` like it whose fraction has fewer digits or is absent. False
// if `text` has another form or is not an instant; out[0, kDateTimeSize) is undefined then.
bool CanonicalDateTime(std::string_view text, char* out);

// Whether the canonical form of some instant begins with `text`: "", "2026", "2026-02-2"; not
// "2026-13" or "2026-02-3".
bool BeginsCanonicalDateTime(std::string_view text);

// Ticks as text for keys in the order of time: 19 digits with leading zeros.
inline constexpr size_t kTicksTextSize = 19;
std::string FormatTicks(Ticks ticks);
// The ticks that 1 to 19 digits name. Nothing for other texts, and beyond year 9999.
std::optional<Ticks> ParseTicks(std::string_view digits);

}  // namespace aztables
