// Checks the date form of HTTP headers against known dates, and that the system clock advances.
#include "base/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <clocale>
#include <string>

namespace aztables {
namespace {

struct DateCase {
  int64_t unix_ms;
  const char* text;
};

// Every month and weekday; leap days; both sides of a new year; past 2^31 s.
constexpr DateCase kDates[] = {
    {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
    {1793613600000, "Mon, 02 Nov 2026 10:00:00 GMT"},
    {1709251199000, "Thu, 29 Feb 2024 23:59:59 GMT"},
    {951825600000, "Tue, 29 Feb 2000 12:00:00 GMT"},
    {1704067199000, "Sun, 31 Dec 2023 23:59:59 GMT"},
    {1704067200000, "Mon, 01 Jan 2024 00:00:00 GMT"},
    {1741482123000, "Sun, 09 Mar 2025 01:02:03 GMT"},
    {1744085106000, "Tue, 08 Apr 2025 04:05:06 GMT"},
    {1746601689000, "Wed, 07 May 2025 07:08:09 GMT"},
    {1749204672000, "Fri, 06 Jun 2025 10:11:12 GMT"},
    {1751721255000, "Sat, 05 Jul 2025 13:14:15 GMT"},
    {1754324238000, "Mon, 04 Aug 2025 16:17:18 GMT"},
    {1756927221000, "Wed, 03 Sep 2025 19:20:21 GMT"},
    {1759443804000, "Thu, 02 Oct 2025 22:23:24 GMT"},
    {2147483648000, "Tue, 19 Jan 2038 03:14:08 GMT"},
    {253402300799000, "Fri, 31 Dec 9999 23:59:59 GMT"},
};

TEST(ClockTest, HttpDateKnownDates) {
  for (const DateCase& date : kDates) EXPECT_EQ(HttpDate(date.unix_ms), date.text);
}

TEST(ClockTest, ParseHttpDateKnownDates) {
  for (const DateCase& date : kDates) EXPECT_EQ(ParseHttpDate(date.text), date.unix_ms);
  EXPECT_EQ(ParseHttpDate("wed, 31 dec 1969 23:59:59 gmt"), -1000) << "any case, before 1970";
  EXPECT_EQ(ParseHttpDate("Mon, 01 Jan 0001 00:00:00 GMT"), -62135596800000);
}

TEST(ClockTest, ParseHttpDateRefusesWhatIsNone) {
  for (const char* text : {"",
                           "GMT",
                           "Mon, 02 Nov 2026 10:00:00",
                           "Mon, 02 Nov 2026 10:00:00 UTC",
                           "Mon, 02 Nov 2026 10:00:00 GMT ",
                           " Mon, 02 Nov 2026 10:00:00 GMT",
                           "Tue, 02 Nov 2026 10:00:00 GMT",
                           "Mon, 2 Nov 2026 10:00:00 GMT",
                           "Mon, 02 Nov 2026 24:00:00 GMT",
                           "Mon, 02 Nov 2026 10:60:00 GMT",
                           "Mon, 02 Nov 2026 10:00:60 GMT",
                           "Sat, 31 Apr 2026 10:00:00 GMT",
                           "Sun, 29 Feb 2026 10:00:00 GMT",
                           "Mon, 02 Nox 2026 10:00:00 GMT",
                           "Mon, 00 Nov 2026 10:00:00 GMT",
                           "Mon, -2 Nov 2026 10:00:00 GMT",
                           "Mon, 02 Nov 2026 10.00.00 GMT",
                           "Mon, 02-Nov-2026 10:00:00 GMT",
                           "Monday, 02-Nov-26 10:00:00 GM",
                           "Mon Nov  2 10:00:00 2026 GMT ",
                           "2026-11-02T10:00:00.000000000"}) {
    EXPECT_EQ(ParseHttpDate(text), std::nullopt) << text;
  }
  for (const char c : {'\0', '/', '9', ':', '\x7F', '\xFF'}) {
    EXPECT_EQ(ParseHttpDate(std::string(29, c)), std::nullopt);
  }
}

TEST(ClockTest, HttpDateCutsMilliseconds) {
  EXPECT_EQ(HttpDate(999), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(HttpDate(1793613600999), "Mon, 02 Nov 2026 10:00:00 GMT");
}

TEST(ClockTest, HttpDateTakesNoNamesFromTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "");  // the machine's locale
  EXPECT_EQ(HttpDate(1793613600000), "Mon, 02 Nov 2026 10:00:00 GMT");
  std::setlocale(LC_ALL, before.c_str());
}

TEST(ClockTest, SystemClockIsTheTimeOfDay) {
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  const int64_t before = now();
  const int64_t shown = Clock::System().NowMs();
  EXPECT_LE(before, shown);
  EXPECT_LE(shown, now());
}

class FixedClock final : public Clock {
 public:
  int64_t NowMs() const override { return 1793613600000; }
};

TEST(ClockTest, AnotherClockCanStandForIt) {
  const FixedClock fixed;
  const Clock& clock = fixed;
  EXPECT_EQ(HttpDate(clock.NowMs()), "Mon, 02 Nov 2026 10:00:00 GMT");
}

}  // namespace
}  // namespace aztables
