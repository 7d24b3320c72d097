// Checks ISO 8601 texts: all combinations of date, time and zone, fractions, calendars against the
// standard library, errors.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>

#include "model/datetime.h"
#include "support/rounds.h"

namespace aztables {
namespace {

std::string Show(std::string_view text) {
  const auto ticks = ParseIso8601(text);
  return ticks ? FormatDateTime(*ticks) : "nothing";
}

TEST(Iso8601Test, EveryDateWithEveryTimeAndZone) {
  constexpr const char* kDates[] = {"2026-11-20", "20261120", "2026-324",
                                    "2026-W47-5", "2026W475", "2026-w47-5"};
  constexpr const char* kSeparators[] = {"T", "t", " ", "   ", "\t"};
  constexpr std::pair<const char*, const char*> kTimes[] = {
      {"10", "10:00:00.0000000"},
      {"10:15", "10:15:00.0000000"},
      {"1015", "10:15:00.0000000"},
      {"10:15:30", "10:15:30.0000000"},
      {"101530", "10:15:30.0000000"},
      {"10.5", "10:30:00.0000000"},
      {"10,25", "10:15:00.0000000"},
      {"10:15.5", "10:15:30.0000000"},
      {"1015,5", "10:15:30.0000000"},
      {"10:15:30.1234567", "10:15:30.1234567"},
      {"101530,1234567", "10:15:30.1234567"},
      {"10:15:30.12345678999999999999999", "10:15:30.1234567"},
      {"10:15:30.0000000999", "10:15:30.0000000"},
      {"24:00", "next"},
      {"24", "next"},
      {"240000", "next"},
      {"24:00:00.000", "next"},
      {"10.3333333333333333333333", "10:19:59.9999999"},
      {"10:15.0000000016", "10:15:00.0000000"},
      {"10:15.00000001666666667", "10:15:00.0000010"},
  };
  constexpr const char* kZones[] = {"",      "Z",      "z",      " Z",     "+00",
                                    "+0000", "+00:00", "-00:00", " +00:00"};
  for (const char* date : kDates) {
    EXPECT_EQ(Show(date), "2026-11-20T00:00:00.0000000Z") << date;
    for (const char* separator : kSeparators) {
      for (const auto& [time, shown] : kTimes) {
        for (const char* zone : kZones) {
          const std::string text = std::string(date) + separator + time + zone;
          const std::string wanted = shown == std::string("next")
                                         ? "2026-11-21T00:00:00.0000000Z"
                                         : "2026-11-20T" + std::string(shown) + "Z";
          ASSERT_EQ(Show(text), wanted) << text;
        }
      }
    }
  }
}

TEST(Iso8601Test, MoreForms) {
  constexpr std::pair<const char*, const char*> kCases[] = {
      {" 2026-11-20 ", "2026-11-20T00:00:00.0000000Z"},
      {"2026-11-20Z", "2026-11-20T00:00:00.0000000Z"},
      {"2026324T10", "2026-11-20T10:00:00.0000000Z"},
      {"2026-11-20T10:15:30+02", "2026-11-20T08:15:30.0000000Z"},
      {"2026-11-20T10:15:30+0230", "2026-11-20T07:45:30.0000000Z"},
      {"2026-11-20T10:15:30-02:30", "2026-11-20T12:45:30.0000000Z"},
      {"20261120T101530,5-0230", "2026-11-20T12:45:30.5000000Z"},
      {"2026-12-31T23:00-02", "2027-01-01T01:00:00.0000000Z"},
      {"10:15", "2000-01-01T10:15:00.0000000Z"},
      {"10:15:30.1234567", "2000-01-01T10:15:30.1234567Z"},
      {"10:15+01:00", "2000-01-01T09:15:00.0000000Z"},
      {"2026-W53-7", "2027-01-03T00:00:00.0000000Z"},
      {"2026-W01-1", "2025-12-29T00:00:00.0000000Z"},
      {"2024-366", "2024-12-31T00:00:00.0000000Z"},
      {"0001-01-01", "0001-01-01T00:00:00.0000000Z"},
      {"0001-001", "0001-01-01T00:00:00.0000000Z"},
      {"0001-W01-1", "0001-01-01T00:00:00.0000000Z"},
      {"9999-12-31T23:59:59.99999999", "9999-12-31T23:59:59.9999999Z"},
      {"9999-W52-5", "9999-12-31T00:00:00.0000000Z"},
  };
  for (const auto& [text, shown] : kCases) EXPECT_EQ(Show(text), shown) << text;
}

TEST(Iso8601Test, Refusals) {
  constexpr const char* kBad[] = {
      "",
      " ",
      "T",
      "now",
      "2026",
      "202611",
      "2026-11",
      "2026324",
      "2026-W47",
      "2026W47",
      "2026W47-5",
      "2026-W475",
      "2026-1120",
      "202611-20",
      "2026-11-2",
      "2026-11-200",
      "26-11-20",
      "12026-11-20",
      "+2026-11-20",
      "-2026-11-20",
      "2026/11/20",
      "2026-11-20x",
      "2026-11-20T",
      "2026-11-20TT10",
      "2026-11-2010:00",
      "2026-11-20+02:00",
      "0000-01-01",
      "2026-00-01",
      "2026-13-01",
      "2026-11-00",
      "2026-11-31",
      "2026-02-29",
      "20260229",
      "2026-000",
      "2026-366",
      "2026-W00-1",
      "2025-W53-1",
      "2026-W54-1",
      "2026-W47-0",
      "2026-W47-8",
      "9999-W52-6",
      "2026-11-20T1",
      "2026-11-20T101",
      "2026-11-20T10153",
      "2026-11-20T1015300",
      "2026-11-20T10:",
      "2026-11-20T10:1",
      "2026-11-20T10:155",
      "2026-11-20T10:15:",
      "2026-11-20T10:15:3",
      "2026-11-20T10:1530",
      "2026-11-20T1015:30",
      "2026-11-20T25",
      "2026-11-20T10:60",
      "2026-11-20T10:15:60",
      "2026-11-20T24:01",
      "2026-11-20T24:00:00.0000001",
      "2026-11-20T24.1",
      "2026-11-20T10.",
      "2026-11-20T10,Z",
      "2026-11-20T10:15:30.",
      "2026-11-20T10.5:15",
      "2026-11-20T10:15:30.5.5",
      "2026-11-20T10:15Zx",
      "2026-11-20T10:15ZZ",
      "2026-11-20T10:15+",
      "2026-11-20T10:15+2",
      "2026-11-20T10:15+002",
      "2026-11-20T10:15+24",
      "2026-11-20T10:15+02:",
      "2026-11-20T10:15+02:6",
      "2026-11-20T10:15+02:60",
      "2026-11-20T10:15+02:00:00",
      "2026-11-20T10:15+02:00Z",
      "2026-11-20T10:15UTC",
      "0001-01-01T00:00+00:01",
      "9999-12-31T23:59:59-00:01",
      "9999-12-31T24:00",
      "10",
      "1015",
      "10:1",
      "10:15x",
      "123:15",
  };
  for (const char* text : kBad) EXPECT_EQ(Show(text), "nothing") << text;
  EXPECT_EQ(ParseIso8601(std::string_view("2026-11-20\0", 11)), std::nullopt);
}

TEST(Iso8601Test, TakesEveryTextOfTheStoredForm) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 20'000; ++i) {
    const auto ticks = static_cast<Ticks>(random() % (kMaxServiceTicks + 1));
    ASSERT_EQ(ParseIso8601(FormatDateTime(ticks)), ticks);
  }
}

TEST(Iso8601Test, EveryDayInEveryCalendar) {
  namespace chrono = std::chrono;
  constexpr Ticks kDay = 864'000'000'000;
  Ticks ticks = *ParseIso8601("1895-01-01");
  int week_year = 1895;
  int week = 1;
  for (auto day = chrono::sys_days{chrono::year{1895} / 1 / 1};
       day < chrono::sys_days{chrono::year{2110} / 1 / 1}; day += chrono::days{1}, ticks += kDay) {
    const chrono::year_month_day date{day};
    const int ordinal = static_cast<int>((day - chrono::sys_days{date.year() / 1 / 1}).count()) + 1;
    const unsigned weekday = chrono::weekday{day}.iso_encoding();
    // The ISO week is the week of its Thursday.
    const auto thursday = day + chrono::days{4 - static_cast<int>(weekday)};
    week_year = static_cast<int>(chrono::year_month_day{thursday}.year());
    week =
        static_cast<int>((thursday - chrono::sys_days{chrono::year{week_year} / 1 / 1}).count()) /
            7 +
        1;
    char text[32];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    ASSERT_EQ(ParseIso8601(text), ticks) << text;
    std::snprintf(text, sizeof text, "%04d-%03d", static_cast<int>(date.year()), ordinal);
    ASSERT_EQ(ParseIso8601(text), ticks) << text;
    std::snprintf(text, sizeof text, "%04d-W%02d-%u", week_year, week, weekday);
    ASSERT_EQ(ParseIso8601(text), ticks) << text;
  }
}

TEST(Iso8601Test, HostileTexts) {
  std::mt19937 random(13);
  constexpr std::string_view kAlphabet = "0123456789-:.,+TWZz ";
  for (int i = 0; i < support::Rounds(300'000); ++i) {
    std::string text = random() % 2 == 0 ? "2026-11-20T10:15:30.5+02:00" : "";
    for (size_t n = random() % 4; n > 0 && !text.empty(); --n) {
      text[random() % text.size()] = kAlphabet[random() % kAlphabet.size()];
    }
    if (text.empty()) {
      for (size_t n = random() % 30; n > 0; --n) text += kAlphabet[random() % kAlphabet.size()];
    }
    const auto ticks = ParseIso8601(text);
    if (!ticks) continue;
    ASSERT_GE(*ticks, 0) << text;
    ASSERT_LE(*ticks, kMaxServiceTicks) << text;
  }
  EXPECT_EQ(Show("2026-11-20T10:15:30." + std::string(100'000, '9')),
            "2026-11-20T10:15:30.9999999Z");
}

TEST(TicksTextTest, Table) {
  EXPECT_EQ(FormatTicks(0), "0000000000000000000");
  EXPECT_EQ(FormatTicks(kMaxServiceTicks), "3155378975999999999");
  EXPECT_EQ(FormatTicks(639291744000000000), "0639291744000000000");
  EXPECT_EQ(ParseTicks("0"), 0);
  EXPECT_EQ(ParseTicks("0639291744000000000"), 639291744000000000);
  EXPECT_EQ(ParseTicks("639291744000000000"), 639291744000000000);
  EXPECT_EQ(ParseTicks("3155378975999999999"), kMaxServiceTicks);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "x", "1.0", "3155378976000000000",
                           "9999999999999999999", "00639291744000000000"}) {
    EXPECT_EQ(ParseTicks(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace aztables
