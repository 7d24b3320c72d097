// The functions that make keys and bounds: aztables_datetime, aztables_ticks,
// aztables_reverse_ticks, aztables_ticks_datetime, aztables_prefix_end. Pure. 'now' is
// intentionally as deterministic as the others, so that a statement computes it once.
#include "base/encoding.h"
#include "model/key.h"
#include "model/limits.h"
#include "vtab/functions/functions.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/sqlite_time.h"
#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

// The SQL function `name`: shows the instant of its arguments by `show`; NULL for NULL.
template <typename Show>
void TimeFunction(const std::string& name, sqlite3_context* context, int count,
                  sqlite3_value** values, const Show& show) {
  GuardResult(context, [&]() -> Status {
    if (count == 0) {
      return Status::Error(name + " needs a time, as in " + name + "('now', '-90 days')");
    }
    const auto ticks =
        TimeOf(sqlite3_context_db_handle(context), {values, static_cast<size_t>(count)});
    if (ticks.ok() && *ticks) ResultText(context, show(**ticks));
    return InFunction(name, ticks.status());
  });
}

void DateTime(sqlite3_context* context, int count, sqlite3_value** values) {
  TimeFunction("aztables_datetime", context, count, values,
               [](Ticks ticks) { return FormatDateTime(ticks); });
}

void TicksOf(sqlite3_context* context, int count, sqlite3_value** values) {
  TimeFunction("aztables_ticks", context, count, values, FormatTicks);
}

Status NoTicks(sqlite3_value* value) {
  const bool blob = sqlite3_value_type(value) == SQLITE_BLOB;
  return {Code::kMismatch,
          (blob ? "a BLOB" : QuoteArgument(ToText(value))) +
              " is not a valid number of ticks; write up to 19 digits from '0000000000000000000' "
              "(year 1) to '3155378975999999999' (year 9999)"};
}

std::string ReversedTicks(Ticks ticks) { return FormatTicks(kMaxServiceTicks - ticks); }

// 19 digits alone are ticks; anything else is a time.
void ReverseTicks(sqlite3_context* context, int count, sqlite3_value** values) {
  const auto type = count == 1 ? sqlite3_value_type(values[0]) : SQLITE_NULL;
  std::string digits;
  if (type == SQLITE_TEXT || type == SQLITE_INTEGER) digits = ToText(values[0]);
  if (digits.size() != kTicksTextSize ||
      digits.find_first_not_of("0123456789") != std::string::npos) {
    TimeFunction("aztables_reverse_ticks", context, count, values, ReversedTicks);
    return;
  }
  GuardResult(context, [&]() -> Status {
    const auto ticks = ParseTicks(digits);
    if (!ticks) return InFunction("aztables_reverse_ticks", NoTicks(values[0]));
    ResultText(context, ReversedTicks(*ticks));
    return {};
  });
}

void TicksDateTime(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    if (IsNull(values[0])) return {};
    const int type = sqlite3_value_type(values[0]);
    const auto ticks = type == SQLITE_TEXT || type == SQLITE_INTEGER ? ParseTicks(ToText(values[0]))
                                                                     : std::nullopt;
    if (!ticks) return InFunction("aztables_ticks_datetime", NoTicks(values[0]));
    ResultText(context, FormatDateTime(*ticks));
    return {};
  });
}

// If no text is above all texts with the prefix, the result is a BLOB: SQLite sorts every text
// before it.
void PrefixEndOf(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    if (IsNull(values[0])) return {};
    const bool blob = sqlite3_value_type(values[0]) == SQLITE_BLOB;
    const std::string prefix = blob ? std::string() : ToText(values[0]);
    if (blob || !IsValidUtf8(prefix)) {
      return {Code::kMismatch, "aztables_prefix_end: " + (blob ? "a BLOB" : QuoteArgument(prefix)) +
                                   (blob ? " is not text" : " is not valid UTF-8")};
    }
    const auto end = BinaryPrefixEnd(prefix);
    if (end) ResultText(context, *end);
    if (!end) ResultBlob(context, {});
    return {};
  });
}

constexpr SqlFunction kTimeFunctions[] = {
    {"aztables_datetime", -1, kPure, DateTime},
    {"aztables_ticks", -1, kPure, TicksOf},
    {"aztables_reverse_ticks", -1, kPure, ReverseTicks},
    {"aztables_ticks_datetime", 1, kPure, TicksDateTime},
    {"aztables_prefix_end", 1, kPure, PrefixEndOf},
};

}  // namespace

std::span<const SqlFunction> TimeFunctions() { return kTimeFunctions; }

}  // namespace aztables
