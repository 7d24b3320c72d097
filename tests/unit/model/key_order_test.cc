// Checks the order of keys against UTF-16 code units, for every pair of texts of the code points on
// which UTF-8 and UTF-16 differ.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/key.h"
#include "support/texts.h"
#include "support/utf16.h"

namespace aztables {
namespace {

int Sign(int order) { return (order > 0) - (order < 0); }

TEST(CompareKeysTest, Table) {
  EXPECT_EQ(CompareKeys("", ""), 0);
  EXPECT_LT(CompareKeys("", "a"), 0);
  EXPECT_GT(CompareKeys("a", ""), 0);
  EXPECT_EQ(CompareKeys("abc", "abc"), 0);
  EXPECT_LT(CompareKeys("ab", "abc"), 0);
  EXPECT_LT(CompareKeys("B", "a"), 0) << "no alphabet";
  EXPECT_LT(CompareKeys("10", "9"), 0) << "no numbers";
  EXPECT_LT(CompareKeys("z", "\xC3\xA9"), 0);
  EXPECT_LT(CompareKeys("\xF0\x9F\x98\x80", "\xEE\x80\x80"), 0) << "U+1F600 before U+E000";
  EXPECT_GT(CompareKeys("\xEF\xBC\xA1", "\xF0\x9F\x98\x80"), 0) << "U+FF21 after U+1F600";
  EXPECT_GT(CompareKeys("\xF0\x9F\x98\x80", "\xED\x9F\xBF"), 0) << "U+1F600 after U+D7FF";
}

TEST(CompareKeysTest, IsTheOrderOfUtf16WithLoneSurrogates) {
  constexpr char32_t kLetters[] = {'a',    0xD7FF, 0xD800,  0xDBFF,  0xDC00,   0xDFFF,
                                   0xE000, 0xFFFD, 0x10000, 0x103FF, 0x10FC00, 0x10FFFF};
  std::vector<std::string> texts;
  for (const std::string& text : support::AllTexts(kLetters, 2)) {
    texts.push_back(TextOf(Utf16(text)));
  }
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      ASSERT_EQ(Sign(CompareKeys(a, b)), Sign(Utf16(a).compare(Utf16(b))))
          << testing::PrintToString(a) << " " << testing::PrintToString(b);
      ASSERT_EQ(Sign(CompareAsShown(a, b)),
                Sign(WithoutLoneSurrogates(a).compare(WithoutLoneSurrogates(b))));
    }
  }
}

TEST(CompareKeysTest, IsTheOrderOfUtf16) {
  constexpr char32_t kLetters[] = {0x01,   'a',    0x7F,   0x80,    0x7FF,   0x800,   0xD7FF,
                                   0xE000, 0xEFFF, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF};
  const std::vector<std::string> texts = support::AllTexts(kLetters, 2);
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      ASSERT_EQ(Sign(CompareKeys(a, b)), Sign(Utf16(a).compare(Utf16(b))))
          << testing::PrintToString(a) << " " << testing::PrintToString(b);
    }
  }
}

// Invalid UTF-8 has an order, too: different texts are never equal.
TEST(CompareKeysTest, IsTotal) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string first(1, static_cast<char>(a));
      const std::string second(1, static_cast<char>(b));
      EXPECT_EQ(CompareKeys(first, second), -CompareKeys(second, first));
    }
  }
}

}  // namespace
}  // namespace aztables
