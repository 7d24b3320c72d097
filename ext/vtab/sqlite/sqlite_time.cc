// Times of SQLite and of ISO 8601: see sqlite_time.h.
#include "vtab/sqlite/sqlite_time.h"

#include <string>
#include <string_view>

#include "base/encoding.h"
#include "model/datetime.h"
#include "model/limits.h"
#include "vtab/sqlite/sql.h"
#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

using Modifiers = std::span<sqlite3_value* const>;

// A time for SQLite: a text, or the original number.
struct TimeValue {
  std::string text;
  sqlite3_value* number = nullptr;
};

// The result of strftime, "YYYY-MM-DD HH:MM:SS.SSS"; nothing if SQLite returns NULL.
Result<std::optional<std::string>> AskSqlite(sqlite3* db, const TimeValue& time,
                                             Modifiers modifiers) {
  std::string sql = "SELECT strftime('%Y-%m-%d %H:%M:%f', ?";
  for (size_t i = 0; i < modifiers.size(); ++i) sql += ", ?";
  sql += ')';
  const auto bind = [&](sqlite3_stmt* statement) {
    int rc = time.number != nullptr
                 ? sqlite3_bind_value(statement, 1, time.number)
                 : sqlite3_bind_text64(statement, 1, time.text.data(), time.text.size(),
                                       SQLITE_STATIC, SQLITE_UTF8);
    for (size_t i = 0; i < modifiers.size() && rc == SQLITE_OK; ++i) {
      rc = sqlite3_bind_value(statement, static_cast<int>(i) + 2, modifiers[i]);
    }
    return rc;
  };
  std::optional<std::string> result;
  AZTABLES_RETURN_IF_ERROR(RunSqlWith(db, sql, bind, [&](sqlite3_stmt* row) {
    if (sqlite3_column_type(row, 0) != SQLITE_NULL) result = ColumnText(row, 0);
  }));
  return result;
}

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether the modifier gives the unit of the number before it.
bool SaysUnit(std::string_view modifier) {
  return EqualsIgnoreCase(modifier, "unixepoch") || EqualsIgnoreCase(modifier, "julianday") ||
         EqualsIgnoreCase(modifier, "auto");
}

bool DropsTime(std::string_view modifier) {
  return EqualsIgnoreCase(modifier.substr(0, 9), "start of ");
}

// A text that begins like a date but is not valid, such as '2026-02-30', which SQLite would shift.
bool LooksLikeDate(std::string_view text) {
  return text.size() > 4 && IsDigits(text.substr(0, 4)) && text[4] == '-';
}

std::string Quote(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_BLOB) {
    return ShowBlob(static_cast<size_t>(sqlite3_value_bytes(value)));
  }
  return QuoteArgument(ToText(value));
}

Status NoTime(sqlite3_value* time, Modifiers modifiers) {
  std::string message = Quote(time);
  for (sqlite3_value* const modifier : modifiers) message += ", " + Quote(modifier);
  return {Code::kMismatch,
          message +
              " is not a time of the years 1 to 9999; write '2026-11-20T10:15:30.5Z', '2026-11-20' "
              "or 'now', with modifiers such as '-90 days', or (1795169730, 'unixepoch')"};
}

}  // namespace

Result<std::optional<Ticks>> TimeOf(sqlite3* db, std::span<sqlite3_value* const> arguments) {
  for (sqlite3_value* const argument : arguments) {
    if (IsNull(argument)) return std::optional<Ticks>();
  }
  sqlite3_value* const original = arguments[0];
  const Modifiers modifiers = arguments.subspan(1);
  const int type = sqlite3_value_type(original);
  if (type == SQLITE_BLOB) return NoTime(original, modifiers);

  TimeValue time;
  std::optional<Ticks> iso;
  Ticks rest = 0;  // the part finer than SQLite's milliseconds
  if (type != SQLITE_TEXT) time.number = original;
  if (type != SQLITE_FLOAT) {
    time.text = TrimBlanks(ToText(original));
    const bool counted = !modifiers.empty() && SaysUnit(ToText(modifiers[0]));
    if (!counted || !IsDigits(time.text)) iso = ParseIso8601(time.text);
    if (!iso && LooksLikeDate(time.text)) return NoTime(original, modifiers);
  }
  if (iso) {
    if (modifiers.empty()) return iso;
    // Milliseconds and a bit, which no version of SQLite rounds to another millisecond.
    time = {FormatDateTime(*iso).substr(0, 23) + '3', nullptr};
    rest = *iso % kTicksPerMs;
    for (sqlite3_value* const modifier : modifiers) {
      if (DropsTime(ToText(modifier))) rest = 0;
    }
  }
  const auto text = AskSqlite(db, time, modifiers);
  if (!text.ok()) return text.status();
  const auto ticks = *text ? ParseDateTime(**text) : std::nullopt;  // no ticks for a year below 1
  if (!ticks) return NoTime(original, modifiers);
  return std::optional(*ticks + rest);
}

}  // namespace aztables
