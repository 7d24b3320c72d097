// Checks ends of prefixes and bounds in UTF-16 order, by brute force over all short texts of the
// code points on which the orders differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/key.h"
#include "support/rounds.h"
#include "support/texts.h"
#include "support/utf16.h"

namespace aztables {
namespace {

using support::RandomText;

constexpr char32_t kPrefixLetters[] = {' ',     'a',     'b',      0x7F,    0x80,   0x7FF,
                                       0x800,   0xD7FE,  0xD7FF,   0xE000,  0xFFFE, 0xFFFF,
                                       0x10000, 0x10001, 0x10FFFE, 0x10FFFF};

TEST(ServicePrefixEndTest, Table) {
  EXPECT_EQ(ServicePrefixEnd("Sh"), "Si");
  EXPECT_EQ(ServicePrefixEnd("a~"), "a\x7F");
  EXPECT_EQ(ServicePrefixEnd("\xDF\xBF"), "\xE0\xA0\x80");
  EXPECT_EQ(ServicePrefixEnd("a\xED\x9F\xBF"), "a\xF0\x90\x80\x80") << "U+D7FF, U+10000";
  EXPECT_EQ(ServicePrefixEnd("a\xF4\x8F\xBF\xBF"), "a\xEE\x80\x80") << "U+10FFFF, U+E000";
  EXPECT_EQ(ServicePrefixEnd("a\xEF\xBF\xBF"), "b") << "U+FFFF is the last";
  EXPECT_EQ(ServicePrefixEnd("a\xEF\xBF\xBF\xEF\xBF\xBF"), "b");
  EXPECT_EQ(ServicePrefixEnd("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x81");
  EXPECT_EQ(ServicePrefixEnd(""), std::nullopt);
  EXPECT_EQ(ServicePrefixEnd("\xEF\xBF\xBF"), std::nullopt);
  EXPECT_EQ(ServicePrefixEnd("\xEF\xBF\xBF\xEF\xBF\xBF"), std::nullopt);
}

// The texts with the prefix are exactly those from it to its end.
TEST(ServicePrefixEndTest, AgreesWithBruteForce) {
  const std::vector<std::string> texts = support::AllTexts(kPrefixLetters, 3);
  std::vector<std::u16string> units;
  for (const std::string& text : texts) units.push_back(Utf16(text));
  std::mt19937 random(8);
  for (int i = 0; i < 600; ++i) {
    const std::string& prefix = texts[i < 273 ? static_cast<size_t>(i) : random() % texts.size()];
    const auto end = ServicePrefixEnd(prefix);
    const std::u16string first = Utf16(prefix);
    const std::u16string after = end ? Utf16(*end) : std::u16string();
    for (size_t t = 0; t < texts.size(); ++t) {
      const bool inside = units[t] >= first && (!end || units[t] < after);
      ASSERT_EQ(inside, texts[t].starts_with(prefix))
          << testing::PrintToString(prefix) << " " << testing::PrintToString(texts[t]);
    }
  }
}

TEST(ServicePrefixEndTest, IsTheSuccessorOverRandomTexts) {
  std::mt19937 random(9);
  for (int i = 0; i < support::Rounds(100'000); ++i) {
    const std::string prefix = RandomText(random, kPrefixLetters, 4);
    const std::string text = i % 2 == 0 ? RandomText(random, kPrefixLetters, 6)
                                        : prefix + RandomText(random, kPrefixLetters, 2);
    const auto end = ServicePrefixEnd(prefix);
    const std::u16string units = Utf16(text);
    ASSERT_EQ(units >= Utf16(prefix) && (!end || units < Utf16(*end)), text.starts_with(prefix));
    ASSERT_TRUE(!end || IsValidUtf8(*end));
  }
}

TEST(LowerBoundOfServiceTest, OnlyItsSizeCutsIt) {
  const std::string text = "a\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80'z";
  const KeyBound whole = LowerBoundOfService(text, 1'000);
  EXPECT_EQ(whole.text, text);
  EXPECT_TRUE(whole.exact);
  EXPECT_EQ(LowerBoundOfService("", 0).text, "");
  EXPECT_TRUE(LowerBoundOfService("", 0).exact);
  // 1 + 9 + 9 + 12 + 2 * 3 + 1 characters.
  const std::pair<size_t, size_t> sizes[] = {{38, 13}, {37, 12}, {36, 11}, {31, 11}, {30, 7},
                                             {19, 7},  {18, 4},  {10, 4},  {9, 1},   {0, 0}};
  for (const auto& [most, size] : sizes) {
    const KeyBound bound = LowerBoundOfService(text, most);
    EXPECT_EQ(bound.text, text.substr(0, size)) << most;
    EXPECT_EQ(bound.exact, size == text.size()) << most;
  }
}

TEST(LowerBoundOfServiceTest, IsNotAboveTheBound) {
  std::mt19937 random(10);
  for (int i = 0; i < support::Rounds(50'000); ++i) {
    const std::string text = RandomText(random, kPrefixLetters, 6);
    const size_t most = random() % 40;
    const KeyBound bound = LowerBoundOfService(text, most);
    ASSERT_TRUE(text.starts_with(bound.text));
    ASSERT_LE(Utf16(bound.text), Utf16(text));
    ASSERT_LE(PercentEncodedSize(bound.text), most);
    ASSERT_EQ(bound.exact, bound.text == text);
    ASSERT_EQ(bound.exact, PercentEncodedSize(text) <= most);
  }
}

}  // namespace
}  // namespace aztables
