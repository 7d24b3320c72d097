// Checks which bounds are recognized as SQLite's bounds of a LIKE pattern. It tests real bounds and
// similar ones. Every text between recognized bounds must have the reported prefix.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "plan/text_range.h"
#include "support/rounds.h"
#include "support/sqlite_compare.h"

namespace aztables {
namespace {

using Beginning = std::optional<std::string>;

Beginning Of(std::string_view low, std::string_view end) {
  return CommonBeginning(SqlValue::Text(low), SqlValue::Text(end));
}

TEST(CommonBeginningTest, OfTheBoundsOfAPattern) {
  struct Case {
    std::string_view low;
    std::string_view end;
    std::string_view beginning;
  };
  for (const Case& c : {
           Case{"SH", "si", "sh"},
           {"S", "t", "s"},
           {"A", "b", "a"},
           {"Z", "{", "z"},
           {"AZ", "a{", "az"},
           {"A_", "a`", "a_"},
           {"A%", "a&", "a%"},  // ESCAPE
           {"5", "6", "5"},
           {"9", ":", "9"},
           {"2024-05", "2024-06", "2024-05"},
           {"2024-09", "2024-0:", "2024-09"},
           {" ", "!", " "},
           {"O'", "o(", "o'"},
           {"[", "\\", "["},
           {"`", "a", "`"},
           {"?", "@", "?"},
           {"\x7F", "\x80", "\x7F"},
           {"\xC3\xA9", "\xC3\xAA", "\xC3\xA9"},
           {"\xC3\x89", "\xC3\x8A", "\xC3\x89"},  // another case, but not in ASCII
           {"X\xC3\xBF", "x\xC3\xC0", "x\xC3\xBF"},
           {"\xF0\x9D\x92\x9C", "\xF0\x9D\x92\x9D", "\xF0\x9D\x92\x9C"},
       }) {
    EXPECT_EQ(Of(c.low, c.end), Beginning(c.beginning)) << c.low;
    const support::LikeBounds bounds(c.beginning);
    EXPECT_EQ(bounds.low, c.low);
    EXPECT_EQ(bounds.end, c.end);
  }
}

// After '@' comes 'A', which equals 'a' under NOCASE, so '_' is between the bounds, too.
TEST(CommonBeginningTest, AnAtSignAtTheEndIsLeftOut) {
  EXPECT_EQ(support::LikeBounds("@").end, "A");
  EXPECT_EQ(Of("@", "A"), std::nullopt);
  EXPECT_EQ(Of("ME@", "meA"), Beginning("me"));
  EXPECT_EQ(Of("@@", "@A"), Beginning("@"));
  EXPECT_EQ(Of("@A", "@b"), Beginning("@a"));
  EXPECT_EQ(Of("@", "a"), std::nullopt);
}

TEST(CommonBeginningTest, BoundsOfSomethingElse) {
  for (const auto& [low, end] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"A", "c"},
           {"A", "a"},
           {"A", "A"},
           {"A", "B"},  // in capitals
           {"SH", "sI"},
           {"SH", "SI"},
           {"SH", "si "},
           {"SH", "s"},
           {"SH", "t"},
           {"SH", ""},
           {"SI", "sh"},
           {"SH", "sg"},
           {"SH", "ti"},
           {"Z", "["},
           {"2024-05", "2024-07"},
           {"2024-05", "2025-06"},
           {"", ""},
           {"", "a"},
           {"", "\x01"},
           {"\xC3\xA9", "\xC3\xAB"},
           {"\xC3\xA9", "\xC3\xA9"},
           {"\xFF", ""},
           {"\xFF", std::string_view("\0", 1)},
           {"\xC3", "\xC4"},
           {"A\xC3", "a\xC4"},
           {"\xE9", "\xEA"},
           {"\xED\xA0\x80", "\xED\xA0\x81"},
       }) {
    EXPECT_EQ(Of(low, end), std::nullopt) << low << " " << end;
  }
}

// A user's equivalent bounds are recognized, too, in any case of the lower one.
TEST(CommonBeginningTest, TheLowerBoundInAnyCase) {
  for (const char* low : {"sh", "Sh", "sH", "SH"}) EXPECT_EQ(Of(low, "si"), Beginning("sh"));
}

TEST(CommonBeginningTest, BoundsThatAreNoTexts) {
  const SqlValue low = SqlValue::Text("SH");
  const SqlValue end = SqlValue::Text("si");
  for (const SqlValue& other : {SqlValue::Null(), SqlValue::Integer(5), SqlValue::Integer(6),
                                SqlValue::Real(5.5), SqlValue::Blob("SH"), SqlValue::Blob("si")}) {
    EXPECT_EQ(CommonBeginning(other, end), std::nullopt);
    EXPECT_EQ(CommonBeginning(low, other), std::nullopt);
    EXPECT_EQ(CommonBeginning(other, other), std::nullopt);
  }
  EXPECT_EQ(CommonBeginning(SqlValue::Integer(5), SqlValue::Integer(6)), std::nullopt);
}

bool BeginsWith(std::string_view text, std::string_view beginning) {
  return EqualsIgnoreCase(text.substr(0, beginning.size()), beginning);
}

// Letters and their neighbours, digits, blanks and NUL, whole characters and parts of them.
std::string RandomText(std::mt19937& random, size_t most) {
  constexpr std::string_view kParts[] = {"a",
                                         "A",
                                         "b",
                                         "B",
                                         "z",
                                         "Z",
                                         "@",
                                         "[",
                                         "_",
                                         "`",
                                         "{",
                                         "5",
                                         "9",
                                         ":",
                                         "-",
                                         " ",
                                         "\x7F",
                                         "\xC3\xA9",
                                         "\xC3\x89",
                                         "\xC3\xBF",
                                         "\xED\x9F\xBF",
                                         "\xF0\x90\x80\x80",
                                         "\xC3",
                                         "\xFF",
                                         std::string_view("\0", 1)};
  std::string text;
  for (size_t n = random() % (most + 1); n > 0; --n) {
    // Prefers the first ones, so that texts are similar.
    const size_t all = random() % 2 == 0 ? 10 : std::size(kParts);
    text += kParts[random() % all];
  }
  return text;
}

TEST(CommonBeginningTest, EveryTextBetweenTheBoundsBeginsSo) {
  std::mt19937 random(5);
  int taken = 0;
  int between = 0;
  int outside = 0;
  for (int i = 0; i < support::Rounds(40'000); ++i) {
    std::string low = RandomText(random, 3);
    std::string end = RandomText(random, 3);
    const bool real = !low.empty() && random() % 4 > 0;
    if (real) {
      const support::LikeBounds bounds(low);
      low = bounds.low;
      end = bounds.end;
    }
    const Beginning beginning = Of(low, end);
    // The real bounds that are not recognized, and no others.
    if (real && IsValidUtf8(low) && low != "@") {
      ASSERT_TRUE(beginning) << low;
      ASSERT_EQ(*beginning + (low.back() == '@' ? "@" : ""), ToLowerAscii(low));
    }
    if (!beginning) continue;
    ++taken;
    ASSERT_FALSE(beginning->empty());
    ASSERT_TRUE(IsValidUtf8(*beginning));
    for (int j = 0; j < 20; ++j) {
      std::string text = RandomText(random, 4);
      if (random() % 2 == 0) {  // near the bounds
        text = (random() % 2 == 0 ? low : end).substr(0, random() % (low.size() + 1)) + text;
        for (char& c : text) c = random() % 2 == 0 ? ToLowerAscii(c) : c;
      }
      const bool kept =
          support::CompareNoCase(text, low) >= 0 && support::CompareNoCase(text, end) < 0;
      if (kept) {
        ASSERT_TRUE(BeginsWith(text, *beginning)) << text << " " << low << " " << end;
      }
      ++(kept ? between : outside);
    }
  }
  EXPECT_GT(taken, support::Rounds(10'000));
  EXPECT_GT(between, support::Rounds(40'000));
  EXPECT_GT(outside, support::Rounds(100'000));
}

}  // namespace
}  // namespace aztables
