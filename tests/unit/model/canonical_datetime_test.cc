// Checks the quick paths for dates against parsing and formatting: what they accept has the same
// canonical form, and they accept what a service sends.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "model/datetime.h"
#include "support/rounds.h"

namespace aztables {
namespace {

// The form in which the service sends an instant: the fraction without its trailing zeros.
std::string AsSent(std::string text) {
  text.pop_back();
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + 'Z';
}

void ExpectSame(const std::string& text) {
  const auto ticks = ParseDateTime(text);
  if (IsCanonicalDateTime(text)) {
    ASSERT_TRUE(ticks) << text;
    EXPECT_EQ(FormatDateTime(*ticks), text);
  }
  char out[kDateTimeSize];
  if (CanonicalDateTime(text, out)) {
    ASSERT_TRUE(ticks) << text;
    EXPECT_EQ(FormatDateTime(*ticks), std::string(out, kDateTimeSize)) << text;
  }
}

TEST(CanonicalDateTimeTest, WhatTheServiceSends) {
  std::mt19937_64 random(5);
  constexpr Ticks kUnits[] = {1, 10, 1'000'000, kTicksPerSecond, 86'400 * kTicksPerSecond};
  for (int i = 0; i < support::Rounds(5'000); ++i) {
    const Ticks unit = kUnits[random() % std::size(kUnits)];
    const auto any = static_cast<Ticks>(random() % static_cast<uint64_t>(kMaxServiceTicks));
    const std::string canonical = FormatDateTime(any / unit * unit);
    EXPECT_TRUE(IsCanonicalDateTime(canonical)) << canonical;
    const std::string sent = AsSent(canonical);
    char out[kDateTimeSize];
    ASSERT_TRUE(CanonicalDateTime(sent, out)) << sent;
    EXPECT_EQ(std::string(out, kDateTimeSize), canonical) << sent;
  }
}

TEST(CanonicalDateTimeTest, WhatIsNoInstantIsLeftToTheParser) {
  for (const char* text : {"",
                           "Z",
                           "2026-02-29T00:00:00.0000000Z",
                           "2024-02-29T00:00:00.0000000Z",
                           "1900-02-29T00:00:00Z",
                           "2000-02-29T00:00:00Z",
                           "2026-04-31T00:00:00Z",
                           "0000-01-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-01-00T00:00:00Z",
                           "2026-01-32T00:00:00Z",
                           "2026-01-01T24:00:00Z",
                           "2026-01-01T00:60:00Z",
                           "2026-01-01T00:00:60Z",
                           "2026-01-01T00:00:00.Z",
                           "2026-01-01T00:00:00.00000000Z",
                           "2026-01-01 00:00:00Z",
                           "2026-01-01T00:00:00z",
                           "2026-01-01T00:00:0Z",
                           "2026-01-01T00:00:00.1 Z",
                           "2026-01-01T00:00:00,1Z"}) {
    ExpectSame(text);
  }
  std::mt19937 random(6);
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    std::string text = i % 2 == 0 ? "2026-11-24T06:05:04.0302010Z" : "2026-11-24T06:05:04.5Z";
    for (size_t n = 1 + random() % 2; n > 0; --n) {
      text[random() % text.size()] = "0123456789-:.TZ "[random() % 16];
    }
    ExpectSame(text);
  }
}

// The beginnings of all days, and of instants with every value of a field.
TEST(CanonicalDateTimeTest, BeginningsOfInstants) {
  std::set<std::string> beginnings;
  const auto add = [&](const std::string& form) {
    for (size_t size = 0; size <= form.size(); ++size) beginnings.insert(form.substr(0, size));
  };
  constexpr int kDays = 731;  // among them 2024-02-29
  const Ticks day = *ParseDateTime("2023-01-01");
  for (int i = 0; i < kDays; ++i) add(FormatDateTime(day + i * 86'400 * kTicksPerSecond));
  for (int i = 0; i < 24 * 60; ++i) add(FormatDateTime(day + i * 60 * kTicksPerSecond));
  for (int i = 0; i < 60; ++i) add(FormatDateTime(day + i * kTicksPerSecond));
  for (const std::string& text : beginnings) EXPECT_TRUE(BeginsCanonicalDateTime(text)) << text;
  // A text with one other character at its end begins an instant if a field allows it.
  int others = 0;
  for (const std::string& text : beginnings) {
    if (text.size() < 5 || text.size() > 19) continue;
    for (const char last : std::string("0123456789-T:.Z /")) {
      const std::string other = text.substr(0, text.size() - 1) + last;
      const std::string year = other.substr(0, 4);
      if (year != "2023" && year != "2024") continue;
      const std::string rest = other.substr(std::min<size_t>(other.size(), 11));
      if (!rest.empty() && other.substr(0, 10) != "2023-01-01") continue;
      if (rest.size() > 5 && rest.substr(0, 5) != "00:00") continue;
      EXPECT_EQ(BeginsCanonicalDateTime(other), beginnings.contains(other)) << other;
      others += beginnings.contains(other) ? 0 : 1;
    }
  }
  EXPECT_GT(others, 3'000);
}

TEST(CanonicalDateTimeTest, OtherTextsBeginNoInstant) {
  for (const char* text : {"0000", "2026-13", "2026-02-3", "2026-02-29", "2026-27-08", "2026-8",
                           "2026/08", "26-", " 2026", "2026 ", "2026-08-27 ", "2026-08-27T24",
                           "2026-08-27T10:6", "2026-08-27T10:00:00.00000000",
                           "2026-08-27T10:00:00.0000000z", "2026-08-27t", "27.08.2026", "Aug"}) {
    EXPECT_FALSE(BeginsCanonicalDateTime(text)) << text;
  }
  for (const char* text : {"", "0", "000", "0001", "9", "9999-12-31T23:59:59.9999999Z", "2026-04-3",
                           "2024-02-29", "2000-02-29"}) {
    EXPECT_TRUE(BeginsCanonicalDateTime(text)) << text;
  }
}

}  // namespace
}  // namespace aztables
