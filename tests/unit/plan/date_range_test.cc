// Checks the instants that a text represents in comparisons with dates: a table of texts, and that
// ranges agree with byte comparisons of canonical forms, for random instants and texts.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "plan/date_filter.h"
#include "support/rounds.h"

namespace aztables {
namespace {

struct Case {
  const char* text;
  const char* first;  // null: no range
  const char* last;   // the last instant; the range ends 100 ns after it
  bool whole = false;
  bool exact = false;
};

TEST(DateRangeTest, Table) {
  constexpr Case kCases[] = {
      {"2024", "2024-01-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z", true},
      {"2024-", "2024-01-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z"},
      {"2024-0", "2024-01-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z"},
      {"2024-05", "2024-05-01T00:00:00.0000000Z", "2024-05-31T23:59:59.9999999Z", true},
      {"2024-12", "2024-12-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z", true},
      {"2024-13", "2024-01-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z"},
      {"2024-00", "2024-01-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z"},
      {"2024-5-1", "2024-01-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z"},
      {"2024-05-01", "2024-05-01T00:00:00.0000000Z", "2024-05-01T23:59:59.9999999Z", true},
      {"2024-02", "2024-02-01T00:00:00.0000000Z", "2024-02-29T23:59:59.9999999Z", true},
      {"2023-02", "2023-02-01T00:00:00.0000000Z", "2023-02-28T23:59:59.9999999Z", true},
      {"1900-02", "1900-02-01T00:00:00.0000000Z", "1900-02-28T23:59:59.9999999Z", true},
      {"2024-02-29", "2024-02-29T00:00:00.0000000Z", "2024-02-29T23:59:59.9999999Z", true},
      {"2023-02-29", "2023-02-01T00:00:00.0000000Z", "2023-02-28T23:59:59.9999999Z"},
      {"2024-02-30", "2024-02-01T00:00:00.0000000Z", "2024-02-29T23:59:59.9999999Z"},
      {"2024-05-01 10:20", "2024-05-01T00:00:00.0000000Z", "2024-05-01T23:59:59.9999999Z"},
      {"2024-05-01T", "2024-05-01T00:00:00.0000000Z", "2024-05-01T23:59:59.9999999Z"},
      {"2024-05-01t10", "2024-05-01T00:00:00.0000000Z", "2024-05-01T23:59:59.9999999Z"},
      {"2024-05-01T10", "2024-05-01T10:00:00.0000000Z", "2024-05-01T10:59:59.9999999Z", true},
      {"2024-05-01T24", "2024-05-01T00:00:00.0000000Z", "2024-05-01T23:59:59.9999999Z"},
      {"2024-05-01T23", "2024-05-01T23:00:00.0000000Z", "2024-05-01T23:59:59.9999999Z", true},
      {"2024-05-01T10:20", "2024-05-01T10:20:00.0000000Z", "2024-05-01T10:20:59.9999999Z", true},
      {"2024-05-01T10:20Z", "2024-05-01T10:20:00.0000000Z", "2024-05-01T10:20:59.9999999Z"},
      {"2024-05-01T10:60", "2024-05-01T10:00:00.0000000Z", "2024-05-01T10:59:59.9999999Z"},
      {"2024-05-01T10:20:30", "2024-05-01T10:20:30.0000000Z", "2024-05-01T10:20:30.9999999Z", true},
      {"2024-05-01T10:20:30Z", "2024-05-01T10:20:30.0000000Z", "2024-05-01T10:20:30.9999999Z"},
      {"2024-05-01T10:20:30.", "2024-05-01T10:20:30.0000000Z", "2024-05-01T10:20:30.9999999Z"},
      {"2024-05-01T10:20:30.1", "2024-05-01T10:20:30.1000000Z", "2024-05-01T10:20:30.1999999Z",
       true},
      {"2024-05-01T10:20:30.1Z", "2024-05-01T10:20:30.1000000Z", "2024-05-01T10:20:30.1999999Z"},
      {"2024-05-01T10:20:30.12", "2024-05-01T10:20:30.1200000Z", "2024-05-01T10:20:30.1299999Z",
       true},
      {"2024-05-01T10:20:30.123", "2024-05-01T10:20:30.1230000Z", "2024-05-01T10:20:30.1239999Z",
       true},
      {"2024-05-01T10:20:30.123Z", "2024-05-01T10:20:30.1230000Z", "2024-05-01T10:20:30.1239999Z"},
      {"2024-05-01T10:20:30.1234567", "2024-05-01T10:20:30.1234567Z",
       "2024-05-01T10:20:30.1234567Z", true},
      {"2024-05-01T10:20:30.1234567Z", "2024-05-01T10:20:30.1234567Z",
       "2024-05-01T10:20:30.1234567Z", true, true},
      {"2024-05-01T10:20:30.1234567z", "2024-05-01T10:20:30.1234567Z",
       "2024-05-01T10:20:30.1234567Z"},
      {"2024-05-01T10:20:30.1234567Z ", "2024-05-01T10:20:30.1234567Z",
       "2024-05-01T10:20:30.1234567Z"},
      {"9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.9999999Z",
       "9999-12-31T23:59:59.9999999Z", true, true},
      {"9999", "9999-01-01T00:00:00.0000000Z", "9999-12-31T23:59:59.9999999Z", true},
      {"9999-12", "9999-12-01T00:00:00.0000000Z", "9999-12-31T23:59:59.9999999Z", true},
      {"0001", "0001-01-01T00:00:00.0000000Z", "0001-12-31T23:59:59.9999999Z", true},
      {"1600", "1600-01-01T00:00:00.0000000Z", "1600-12-31T23:59:59.9999999Z", true},
      {"1601-01-01", "1601-01-01T00:00:00.0000000Z", "1601-01-01T23:59:59.9999999Z", true},
      {"20240501", "2024-01-01T00:00:00.0000000Z", "2024-12-31T23:59:59.9999999Z"},
      {"0000", nullptr, nullptr},
      {"", nullptr, nullptr},
      {"202", nullptr, nullptr},
      {"x", nullptr, nullptr},
      {" 2024", nullptr, nullptr},
      {"-2024", nullptr, nullptr},
      {"+024", nullptr, nullptr},
      {"20 4", nullptr, nullptr},
  };
  for (const Case& c : kCases) {
    const auto range = DateRangeOf(c.text);
    ASSERT_EQ(range.has_value(), c.first != nullptr) << c.text;
    if (!range) continue;
    EXPECT_EQ(FormatDateTime(range->first), c.first) << c.text;
    EXPECT_EQ(FormatDateTime(range->end - 1), c.last) << c.text;
    EXPECT_EQ(range->whole, c.whole) << c.text;
    EXPECT_EQ(range->exact, c.exact) << c.text;
  }
}

// The range's order of a form: before the text, after it, or undetermined.
TEST(DateRangeTest, AgreesWithTheBytesOfTheForms) {
  std::mt19937_64 random(41);
  int inside = 0;
  int equal = 0;
  for (int i = 0; i < support::Rounds(100'000); ++i) {
    const auto instant = static_cast<Ticks>(random() % (uint64_t{kMaxServiceTicks} + 1));
    std::string text = FormatDateTime(instant);
    if (random() % 2 == 0) text.resize(random() % (text.size() + 1));
    if (random() % 2 == 0 && !text.empty()) {
      constexpr std::string_view kOthers = "0123456789-:.TtZz x";
      text[random() % text.size()] = kOthers[random() % kOthers.size()];
    }
    if (random() % 8 == 0) text += "Z";
    const auto range = DateRangeOf(text);
    if (!range) continue;
    ASSERT_LT(range->first, range->end) << text;
    const Ticks steps[] = {
        0, 1, -1, 10'000, -10'000, 10'000'000, 864'000'000'000, -864'000'000'000};
    const Ticks centers[] = {instant, range->first, range->end};
    for (const Ticks center : centers) {
      const Ticks at = center + steps[random() % std::size(steps)];
      if (at < 0 || at > kMaxServiceTicks) continue;
      const std::string form = FormatDateTime(at);
      if (at < range->first) {
        ASSERT_LT(form, text);
      } else if (at >= range->end) {
        ASSERT_GT(form, text);
      } else {
        ++inside;
        ASSERT_TRUE(!range->whole || form.starts_with(text)) << form << " " << text;
        ASSERT_EQ(form == text, range->exact) << form << " " << text;
        equal += form == text ? 1 : 0;
      }
    }
  }
  EXPECT_GT(inside, support::Rounds(50'000));
  EXPECT_GT(equal, support::Rounds(10'000));
}

// Every prefix of a form is a range that contains the range of the next one.
TEST(DateRangeTest, LongerBeginningsNarrow) {
  std::mt19937_64 random(42);
  for (int i = 0; i < 2'000; ++i) {
    const auto instant = static_cast<Ticks>(random() % (uint64_t{kMaxServiceTicks} + 1));
    const std::string form = FormatDateTime(instant);
    DateRange before{0, kMaxServiceTicks + 1};
    for (size_t size = 4; size <= form.size(); ++size) {
      const auto range = DateRangeOf(std::string_view(form).substr(0, size));
      ASSERT_TRUE(range) << form << " " << size;
      ASSERT_GE(range->first, before.first);
      ASSERT_LE(range->end, before.end);
      ASSERT_LE(range->first, instant);
      ASSERT_GT(range->end, instant);
      before = *range;
    }
    EXPECT_EQ(before.first, instant);
    EXPECT_EQ(before.end, instant + 1);
  }
}

}  // namespace
}  // namespace aztables
