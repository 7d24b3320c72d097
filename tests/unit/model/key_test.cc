// Checks keys: illegal characters, and that converting bounds from SQLite's order to the service's
// loses no key. It uses random keys for which the orders differ.
#include "model/key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "support/rounds.h"
#include "support/texts.h"
#include "support/utf16.h"

namespace aztables {
namespace {

using support::RandomText;

constexpr size_t kNoLimit = 1'000'000;

constexpr char32_t kKeyLetters[] = {0x01,   0x1F,   ' ',    '\'',   'A',    'a',     'b',
                                    '~',    0x7F,   0x9F,   0xA0,   0xE9,   0x7FF,   0x800,
                                    0xD7FE, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF};

TEST(KeyTest, IllegalCharacters) {
  for (char32_t c = 0; c < 0x3000; ++c) {
    const bool control = c <= 0x1F || (c >= 0x7F && c <= 0x9F);
    const bool illegal = control || c == '/' || c == '\\' || c == '#' || c == '?';
    EXPECT_EQ(IsIllegalInKey(c), illegal) << static_cast<uint32_t>(c);
  }
  for (const char32_t c : {0xD7FFU, 0xE000U, 0xFFFDU, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    EXPECT_FALSE(IsIllegalInKey(c));
  }
}

TEST(KeyTest, FirstIllegal) {
  EXPECT_EQ(FirstIllegalInKey(""), std::nullopt);
  EXPECT_EQ(FirstIllegalInKey("a'b%c+d e\xF0\x9F\x98\x80"), std::nullopt);
  EXPECT_EQ(FirstIllegalInKey("a/b?c"), static_cast<char32_t>('/'));
  EXPECT_EQ(FirstIllegalInKey("ok\xC2\x85"), 0x85U);
  EXPECT_EQ(FirstIllegalInKey(std::string_view("a\0", 2)), 0U);
}

TEST(LowerBoundTest, Table) {
  struct Case {
    const char* bound;
    const char* text;
    bool exact;
  };
  constexpr Case kCases[] = {
      {"", "", true},
      {"abc", "abc", true},
      {"O'Brien", "O'Brien", true},
      {"\xC3\xA9\xED\x9F\xBF", "\xC3\xA9\xED\x9F\xBF", true},  // up to U+D7FF
      {"ab\xED\xA0\x80", "ab", false},                         // half of a surrogate pair
      {"ab\xEE\x80\x80z", "ab", false},                        // U+E000
      {"ab\xEF\xBF\xBF", "ab", false},                         // U+FFFF
      {"ab\xF0\x90\x80\x80z", "ab", false},                    // U+10000
      {"\xF4\x8F\xBF\xBF", "", false},                         // U+10FFFF
      {"a\x1F", "a", false},                                   // controls
      {"a\x7F", "a", false},
      {"a\xC2\x9Fz", "a", false},
      {"ab\xFFz", "ab", false},  // no UTF-8
      {"ab\xE2\x82", "ab", false},
  };
  for (const Case& c : kCases) {
    const KeyBound bound = LowerBound(c.bound, kNoLimit);
    EXPECT_EQ(bound.text, c.text) << c.bound;
    EXPECT_EQ(bound.exact, c.exact) << c.bound;
  }
}

TEST(LowerBoundTest, CutsToTheEncodedLength) {
  EXPECT_EQ(LowerBound("abcdef", 6).text, "abcdef");
  EXPECT_TRUE(LowerBound("abcdef", 6).exact);
  EXPECT_EQ(LowerBound("abcdef", 5).text, "abcde");
  EXPECT_FALSE(LowerBound("abcdef", 5).exact);
  EXPECT_EQ(LowerBound("abcdef", 0).text, "");
  EXPECT_EQ(LowerBound("a b", 4).text, "a ") << "a blank takes three";
  EXPECT_EQ(LowerBound("a b", 3).text, "a");
  EXPECT_EQ(LowerBound("a'b", 7).text, "a'") << "a quote is doubled: six";
  EXPECT_EQ(LowerBound("a'b", 6).text, "a");
  EXPECT_EQ(LowerBound("\xC3\xA9", 5).text, "") << "no character is cut in two";
  EXPECT_EQ(LowerBound("\xC3\xA9", 6).text, "\xC3\xA9");
}

// How many characters a text takes inside a $filter.
size_t FilterSize(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled += c == '\'' ? std::string("''") : std::string(1, c);
  return PercentEncodedSize(doubled);
}

TEST(LowerBoundTest, LosesNoKeyInEitherOrder) {
  std::mt19937 random(4);
  int widened = 0;
  for (int i = 0; i < support::Rounds(200'000); ++i) {
    const std::string key = RandomText(random, kKeyLetters, 5);
    const std::string bound = RandomText(random, kKeyLetters, 5);
    const size_t limit = i % 3 == 0 ? random() % 30 : kNoLimit;
    const KeyBound lower = LowerBound(bound, limit);
    ASSERT_TRUE(bound.starts_with(lower.text));
    ASSERT_EQ(lower.exact, lower.text == bound);
    ASSERT_LE(FilterSize(lower.text), limit);
    ASSERT_LE(lower.text, bound);
    ASSERT_LE(Utf16(lower.text), Utf16(bound));
    if (key >= bound) {
      ASSERT_GE(key, lower.text);
      ASSERT_GE(Utf16(key), Utf16(lower.text)) << testing::PrintToString(key) << bound;
    }
    if (lower.exact) {  // both orders agree on which keys are above
      ASSERT_EQ(key >= bound, Utf16(key) >= Utf16(bound)) << testing::PrintToString(key) << bound;
    } else {
      ++widened;
    }
  }
  EXPECT_GT(widened, support::Rounds(50'000)) << "the alphabet is too tame";
}

TEST(PrefixEndTest, Table) {
  EXPECT_EQ(PrefixEnd("Sh"), "Si");
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("a'"), "a(");
  EXPECT_EQ(PrefixEnd("az"), "a{");
  EXPECT_EQ(PrefixEnd("a~"), "a\xC2\xA0") << "U+7F to U+9F may not stand in a URL";
  EXPECT_EQ(PrefixEnd("\xDF\xBF"), "\xE0\xA0\x80");
  EXPECT_EQ(PrefixEnd("\xED\x9F\xBE"), "\xED\x9F\xBF");
  EXPECT_EQ(PrefixEnd("a\xED\x9F\xBF"), "b") << "what follows U+D7FF are surrogates";
  EXPECT_EQ(PrefixEnd("a\xED\x9F\xBF\xED\x9F\xBF"), "b");
  EXPECT_EQ(PrefixEnd(""), std::nullopt);
  EXPECT_EQ(PrefixEnd("\xED\x9F\xBF"), std::nullopt);
  EXPECT_EQ(PrefixEnd("\xED\x9F\xBF\xED\x9F\xBF"), std::nullopt);
}

TEST(PrefixEndTest, IsAboveEveryTextWithThePrefixInBothOrders) {
  std::mt19937 random(5);
  int without = 0;
  for (int i = 0; i < support::Rounds(200'000); ++i) {
    const std::string prefix = LowerBound(RandomText(random, kKeyLetters, 4), kNoLimit).text;
    const auto end = PrefixEnd(prefix);
    if (!end) {
      ++without;
      continue;
    }
    const std::string key = prefix + RandomText(random, kKeyLetters, 4);
    ASSERT_LT(key, *end);
    ASSERT_LT(Utf16(key), Utf16(*end));
    ASSERT_EQ(LowerBound(*end, kNoLimit).text, *end) << "it may itself stand in a filter";
    // No wider than one character: all but its last one begins the prefix.
    size_t cut = end->size() - 1;
    while ((static_cast<unsigned char>((*end)[cut]) & 0xC0) == 0x80) --cut;
    ASSERT_TRUE(prefix.starts_with(end->substr(0, cut)));
  }
  EXPECT_GT(without, support::Rounds(1000));
  EXPECT_LT(without, support::Rounds(180'000));
}

TEST(BinaryPrefixEndTest, Table) {
  EXPECT_EQ(BinaryPrefixEnd("Sh"), "Si");
  EXPECT_EQ(BinaryPrefixEnd("a~"), "a\x7F");
  EXPECT_EQ(BinaryPrefixEnd("\x7F"), "\xC2\x80");
  EXPECT_EQ(BinaryPrefixEnd("\xDF\xBF"), "\xE0\xA0\x80");
  EXPECT_EQ(BinaryPrefixEnd("a\xED\x9F\xBF"), "a\xEE\x80\x80") << "U+D7FF, U+E000";
  EXPECT_EQ(BinaryPrefixEnd("\xEF\xBF\xBF"), "\xF0\x90\x80\x80") << "U+FFFF, U+10000";
  EXPECT_EQ(BinaryPrefixEnd("a\xF4\x8F\xBF\xBF"), "b") << "U+10FFFF";
  EXPECT_EQ(BinaryPrefixEnd("a\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF"), "b");
  EXPECT_EQ(BinaryPrefixEnd(std::string_view("\0", 1)), "\x01");
  EXPECT_EQ(BinaryPrefixEnd(""), std::nullopt);
  EXPECT_EQ(BinaryPrefixEnd("\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF"), std::nullopt);
}

// The texts with the prefix are exactly those from it to its end; no smaller text is such an end.
TEST(BinaryPrefixEndTest, AgreesWithBruteForce) {
  constexpr char32_t kLetters[] = {0,       1,       'a',      'b',     0x7F,   0x80,
                                   0x7FF,   0x800,   0xD7FE,   0xD7FF,  0xE000, 0xFFFF,
                                   0x10000, 0x10001, 0x10FFFE, 0x10FFFF};
  std::vector<std::string> texts = support::AllTexts(kLetters, 3);
  std::sort(texts.begin(), texts.end());
  std::mt19937 random(6);
  for (int i = 0; i < support::Rounds(2'000); ++i) {
    const std::string& prefix = texts[random() % texts.size()];
    const auto end = BinaryPrefixEnd(prefix);
    for (const std::string& text : texts) {
      const bool inside = text >= prefix && (!end || text < *end);
      if (inside != text.starts_with(prefix)) FAIL() << testing::PrintToString(prefix);
    }
  }
}

TEST(BinaryPrefixEndTest, IsTheSuccessorOverRandomTexts) {
  std::mt19937 random(7);
  for (int i = 0; i < support::Rounds(200'000); ++i) {
    const std::string prefix = RandomText(random, kKeyLetters, 4);
    const std::string text = RandomText(random, kKeyLetters, 6);
    if (!IsValidUtf8(prefix) || !IsValidUtf8(text)) continue;
    const auto end = BinaryPrefixEnd(prefix);
    ASSERT_EQ(text >= prefix && (!end || text < *end), text.starts_with(prefix));
    ASSERT_TRUE(!end || IsValidUtf8(*end));
  }
}

}  // namespace
}  // namespace aztables
