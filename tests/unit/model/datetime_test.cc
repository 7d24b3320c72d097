// Checks Edm.DateTime texts: all accepted forms, all errors, bounds, and round trips of many
// instants against the standard library's calendar.
#include "model/datetime.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>

#include "support/rounds.h"

namespace aztables {
namespace {

struct GoodCase {
  const char* text;
  Ticks ticks;
  const char* canonical;
};

constexpr GoodCase kGood[] = {
    // A date alone, and times of growing precision.
    {"2026-11-02", 639291744000000000, "2026-11-02T00:00:00.0000000Z"},
    {"2026-11-02Z", 639291744000000000, "2026-11-02T00:00:00.0000000Z"},
    {"2026-11-02T10:00", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02T10:00Z", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02T10:00:00", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02 10:00:00", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02t10:00:00z", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02T10:00:00Z", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    // Fractions: omitted zeros, all seven digits, zeros after the seventh.
    {"2012-11-10T03:04:05.2Z", 634881134452000000, "2012-11-10T03:04:05.2000000Z"},
    {"2012-11-10T03:04:05.200Z", 634881134452000000, "2012-11-10T03:04:05.2000000Z"},
    {"2012-11-10T03:04:05.2000000Z", 634881134452000000, "2012-11-10T03:04:05.2000000Z"},
    {"2012-11-10T03:04:05.2000001Z", 634881134452000001, "2012-11-10T03:04:05.2000001Z"},
    {"2012-11-10T03:04:05.20000010Z", 634881134452000001, "2012-11-10T03:04:05.2000001Z"},
    {"2012-11-10T03:04:05.200000100000Z", 634881134452000001, "2012-11-10T03:04:05.2000001Z"},
    {"2012-11-10 03:04:05.2", 634881134452000000, "2012-11-10T03:04:05.2000000Z"},
    // Offsets.
    {"2026-11-02T12:00:00+02:00", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02T12:00:00+0200", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02T12:00:00+02", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02T04:30-05:30", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-02T10:00:00.0000000-00:00", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2026-11-03T09:59:00+23:59", 639292104000000000, "2026-11-02T10:00:00.0000000Z"},
    {"2000-03-01T00:30:00+01:00", 630874638000000000, "2000-02-29T23:30:00.0000000Z"},
    // Leap days.
    {"2000-02-29", 630873792000000000, "2000-02-29T00:00:00.0000000Z"},
    {"1900-02-28", 599316192000000000, "1900-02-28T00:00:00.0000000Z"},
    {"2024-12-31", 638712000000000000, "2024-12-31T00:00:00.0000000Z"},
    // Bounds: of the type, and of the service.
    {"0001-01-01T00:00:00Z", 0, "0001-01-01T00:00:00.0000000Z"},
    {"1601-01-01T00:00:00Z", kMinServiceTicks, "1601-01-01T00:00:00.0000000Z"},
    {"1970-01-01T00:00:00Z", 621355968000000000, "1970-01-01T00:00:00.0000000Z"},
    {"9999-12-31T23:59:59.9999999Z", kMaxServiceTicks, "9999-12-31T23:59:59.9999999Z"},
};

TEST(DateTimeTest, Good) {
  for (const GoodCase& good : kGood) {
    EXPECT_EQ(ParseDateTime(good.text), good.ticks) << good.text;
    EXPECT_EQ(FormatDateTime(good.ticks), good.canonical) << good.text;
  }
}

TEST(DateTimeTest, Refusals) {
  const char* const bad[] = {
      "",
      "2026",
      "2026-11",
      "20261102",
      "2026-11-2",
      "2026-1-02",
      "26-11-02",
      "12026-11-02",
      "-2026-11-02",
      "+2026-11-02",
      "2026/11/02",
      " 2026-11-02",
      "2026-11-02 ",
      "2026-11-02T",
      "today",
      "1793613600",
      "2026-11-02x",
      // No such day or time.
      "0000-01-01",
      "2026-00-01",
      "2026-13-01",
      "2026-11-00",
      "2026-11-31",
      "2026-02-29",
      "1900-02-29",
      "2100-02-29",
      "2024-02-30",
      "2026-04-31",
      "2026-11-02T24:00:00Z",
      "2026-11-02T10:60:00Z",
      "2026-11-02T10:00:60Z",
      "2026-11-02T10:00:61Z",
      // Half a time.
      "2026-11-02T10",
      "2026-11-02T10Z",
      "2026-11-02T1:00",
      "2026-11-02T10:0",
      "2026-11-02T10:00:",
      "2026-11-02T10:00:0",
      "2026-11-02T10:00:00.",
      "2026-11-02T10:00:00.Z",
      "2026-11-02T10:00:00,5Z",
      "2026-11-02T10:00.5Z",
      "2026-11-02T1000",
      "2026-11-02  10:00",
      "2026-11-02 T10:00",
      // Finer than 100 ns.
      "2026-11-02T10:00:00.00000001Z",
      "2026-11-02T10:00:00.12345678Z",
      "2026-11-02T10:00:00.0000000000001Z",
      // Offsets.
      "2026-11-02T10:00:00+",
      "2026-11-02T10:00:00+2",
      "2026-11-02T10:00:00+02:",
      "2026-11-02T10:00:00+02:0",
      "2026-11-02T10:00:00+24:00",
      "2026-11-02T10:00:00+02:60",
      "2026-11-02T10:00:00+02:00Z",
      "2026-11-02T10:00:00ZZ",
      "2026-11-02T10:00:00 Z",
      "2026-11-02T10:00:00+02:00:00",
      "2026-11-02T10:00:00UTC",
      "2026-11-02+02:00",
      // Before the first and after the last instant, after the offset is subtracted.
      "0001-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59.9999999-00:01",
  };
  for (const char* text : bad) EXPECT_EQ(ParseDateTime(text), std::nullopt) << text;
  EXPECT_EQ(ParseDateTime(std::string_view("2026-11-02\0", 11)), std::nullopt);
}

TEST(DateTimeTest, EveryMonthHasItsLastDay) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (int year : {1601, 1899, 1900, 1904, 1999, 2000, 2001, 2023, 2024, 2100, 2400, 9999}) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (int month = 1; month <= 12; ++month) {
      const int last = kDays[month - 1] + (month == 2 && leap ? 1 : 0);
      for (const char* time : {"", "T23:59:59.9999999Z"}) {
        char text[64];
        std::snprintf(text, sizeof text, "%04d-%02d-%02d%s", year, month, last, time);
        EXPECT_TRUE(ParseDateTime(text)) << text;
        std::snprintf(text, sizeof text, "%04d-%02d-%02d%s", year, month, last + 1, time);
        EXPECT_FALSE(ParseDateTime(text)) << text;
      }
    }
  }
}

// Every day of 400 years, the period of the calendar; in all other years the ends of February and
// December.
TEST(DateTimeTest, EveryDayAgreesWithTheStandardLibrary) {
  namespace chrono = std::chrono;
  constexpr Ticks kDay = 864000000000;
  chrono::sys_days day = chrono::year{1} / 1 / 1;
  for (Ticks ticks = 0; ticks < kMaxServiceTicks; ticks += kDay, day += chrono::days{1}) {
    const chrono::year_month_day date(day);
    const auto day_of_year = (day - chrono::sys_days(date.year() / 1 / 1)).count();
    const bool is_end =
        (day_of_year >= 58 && day_of_year <= 60) || day_of_year == 0 || day_of_year >= 364;
    if (date.year() > chrono::year{400} && !is_end) continue;
    char expected[48];
    std::snprintf(expected, sizeof expected, "%04d-%02u-%02uT00:00:00.0000000Z",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()));
    char text[kDateTimeSize];
    FormatDateTime(ticks, text);
    const std::string_view shown(text, kDateTimeSize);
    if (shown != expected || ParseDateTime(shown) != ticks) FAIL() << expected << " " << shown;
  }
}

TEST(DateTimeTest, RandomInstantsRoundTripAndKeepTheirOrder) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<Ticks> any(0, kMaxServiceTicks);
  Ticks last = 0;
  std::string last_text = FormatDateTime(0);
  for (int i = 0; i < support::Rounds(200'000); ++i) {
    // Every second one is close to the previous one, so low digits matter.
    const Ticks ticks = i % 2 == 0 ? any(random) : std::min(last + i % 20, kMaxServiceTicks);
    const std::string text = FormatDateTime(ticks);
    ASSERT_EQ(text.size(), kDateTimeSize);
    ASSERT_EQ(ParseDateTime(text), ticks) << text;
    ASSERT_EQ(ParseIso8601(text), ticks) << text;
    ASSERT_EQ(text < last_text, ticks < last) << text << " " << last_text;
    last = ticks;
    last_text = text;
  }
}

}  // namespace
}  // namespace aztables
