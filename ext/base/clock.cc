// Clock: see clock.h. The names of days and months are constants here, because strftime would take
// them from the host's locale.
#include "base/clock.h"

#include <array>
#include <chrono>
#include <ctime>
#include <string>
#include <utility>

#include "base/encoding.h"

namespace aztables {
namespace {

class SystemClock final : public Clock {
 public:
  int64_t NowTicks() const override {
    using Unit = std::chrono::duration<int64_t, std::ratio<1, 10'000'000>>;
    return std::chrono::floor<Unit>(std::chrono::system_clock::now().time_since_epoch()).count();
  }
  int64_t NowMs() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

constexpr size_t kHttpDateSize = 29;
constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

void AppendTwoDigits(int number, std::string& text) {
  text += static_cast<char>('0' + number / 10 % 10);
  text += static_cast<char>('0' + number % 10);
}

}  // namespace

const Clock& Clock::System() {
  // Never destroyed: at exit another thread may still be inside a statement.
  static const SystemClock& clock = *new SystemClock;
  return clock;
}

std::string HttpDate(int64_t unix_ms) {
  const std::time_t seconds = static_cast<std::time_t>(unix_ms / 1000);
  std::tm tm{};
  gmtime_r(&seconds, &tm);
  std::string text;
  text.reserve(kHttpDateSize);
  text.append(kDays[static_cast<size_t>(tm.tm_wday)]).append(", ");
  AppendTwoDigits(tm.tm_mday, text);
  text.append(" ").append(kMonths[static_cast<size_t>(tm.tm_mon)]).append(" ");
  const int year = tm.tm_year + 1900;
  AppendTwoDigits(year / 100, text);
  AppendTwoDigits(year % 100, text);
  for (const auto& [before, number] :
       {std::pair(' ', tm.tm_hour), std::pair(':', tm.tm_min), std::pair(':', tm.tm_sec)}) {
    text += before;
    AppendTwoDigits(number, text);
  }
  text += " GMT";
  return text;
}

std::optional<int64_t> ParseHttpDate(std::string_view text) {
  if (text.size() != kHttpDateSize) return std::nullopt;
  const auto number = [text](size_t begin, size_t size) {
    int value = 0;
    for (const char c : text.substr(begin, size)) value = value * 10 + (c - '0');
    return value;
  };
  std::tm tm{};
  tm.tm_mday = number(5, 2);
  while (tm.tm_mon < 12 &&
         !EqualsIgnoreCase(text.substr(8, 3), kMonths[static_cast<size_t>(tm.tm_mon)])) {
    ++tm.tm_mon;
  }
  tm.tm_year = number(12, 4) - 1900;
  tm.tm_hour = number(17, 2);
  tm.tm_min = number(20, 2);
  tm.tm_sec = number(23, 2);
  // A text with a character that is not a digit, an unknown month or an impossible day differs from
  // the formatted result.
  const int64_t unix_ms = static_cast<int64_t>(timegm(&tm)) * 1000;
  if (!EqualsIgnoreCase(HttpDate(unix_ms), text)) return std::nullopt;
  return unix_ms;
}

}  // namespace aztables
