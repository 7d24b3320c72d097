// Clock: see include/aztables/base/clock.h. Names of days and months are spelled out here because
// strftime would take them from the host's locale.
#include "aztables/base/clock.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace aztables {
namespace {

class SystemClock final : public Clock {
 public:
  int64_t NowMs() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

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
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                 kDays[static_cast<size_t>(tm.tm_wday)], tm.tm_mday,
                                 kMonths[static_cast<size_t>(tm.tm_mon)], tm.tm_year + 1900,
                                 tm.tm_hour, tm.tm_min, tm.tm_sec);
  return std::string(text, static_cast<size_t>(size));
}

}  // namespace aztables
