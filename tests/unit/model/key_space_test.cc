// Checks that what a KeySpace names is between the keys, in the service's order, for random keys of
// many forms; that bisecting ends; how far a step goes; and which forms are learnt.
#include "model/key_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

using Keys = std::vector<std::string>;

KeySpace Learnt(const Keys& keys) {
  KeySpace space;
  for (const std::string& key : keys) space.Add(key);
  return space;
}

std::string Between(const Keys& keys, const std::string& low, const std::string& high) {
  return Learnt(keys).Between(low, high).value_or("none");
}
std::string Beyond(const Keys& keys, const std::string& low, const KeySpace::Span& span,
                   uint32_t pages) {
  return Learnt(keys).Beyond(low, span, pages).value_or("none");
}

std::u16string Utf16(std::string_view text) {
  std::u16string units;
  for (size_t pos = 0; pos < text.size();) {
    const char32_t c = NextCodePoint(text, pos);
    if (c >= 0x10000) units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
    units += static_cast<char16_t>(c < 0x10000 ? c : 0xDC00 + ((c - 0x10000) & 0x3FF));
  }
  return units;
}

std::string Random(std::mt19937& random, const std::vector<char32_t>& alphabet, size_t least,
                   size_t most) {
  std::string text;
  for (size_t n = least + random() % (most - least + 1); n > 0; --n) {
    AppendUtf8(text, alphabet[random() % alphabet.size()]);
  }
  return text;
}

const std::vector<std::vector<char32_t>> kAlphabets = {
    {'0', '1', '5', '9'},
    {'0', '9', 'a', 'f'},
    {'a', 'z', 'm'},
    {'A', 'z', '0', '-', '_', '\''},
    {'x'},
    {' ', '%', '&', '+', '~', 0xA0, 0xE9, 0x7FF, 0xD7FF},
    {'a', 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF},
};

TEST(KeySpaceTest, TheServicesOrder) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto& alphabet = kAlphabets[random() % kAlphabets.size()];
    const std::string a = Random(random, alphabet, 0, 4);
    const std::string b = Random(random, alphabet, 0, 4);
    EXPECT_EQ(KeyLess(a, b), Utf16(a) < Utf16(b)) << a << " " << b;
  }
}

TEST(KeySpaceTest, BetweenIsBetweenAndLegal) {
  std::mt19937 random(2);
  int found = 0;
  for (int i = 0; i < 3'000; ++i) {
    const auto& alphabet = kAlphabets[static_cast<size_t>(i) % kAlphabets.size()];
    const size_t least = random() % 4;
    Keys keys;
    for (int n = 0; n < 6; ++n) keys.push_back(Random(random, alphabet, least, 3 + random() % 5));
    const KeySpace space = Learnt(keys);
    std::sort(keys.begin(), keys.end(), KeyLess);
    for (size_t a = 0; a < keys.size(); ++a) {
      for (size_t b = a; b <= keys.size(); ++b) {
        const auto high = b < keys.size() ? std::optional(keys[b]) : std::nullopt;
        const auto text = space.Between(keys[a], high);
        if (!text) continue;
        ++found;
        EXPECT_TRUE(KeyLess(keys[a], *text)) << keys[a] << " " << *text;
        EXPECT_TRUE(!high || KeyLess(*text, *high)) << *text << " " << *high;
        EXPECT_TRUE(IsValidUtf8(*text));
        EXPECT_EQ(FirstIllegalInKey(*text), std::nullopt) << *text;
        EXPECT_LT(a, b);
      }
    }
  }
  EXPECT_GT(found, 20'000);
}

TEST(KeySpaceTest, BisectingEndsAndHalves) {
  const KeySpace space = Learnt({"000000", "999999"});
  for (const bool upwards : {false, true}) {
    std::string low = "000000";
    std::string high = "999999";
    int steps = 0;
    while (const auto middle = space.Between(low, high)) {
      ASSERT_LT(++steps, 25);
      const auto half = space.Distance(low, middle);
      const auto whole = space.Distance(low, high);
      EXPECT_LT(half, whole);
      EXPECT_LE(half, space.Distance(*middle, high));
      (upwards ? low : high) = *middle;
    }
    EXPECT_GE(steps, 18);
  }
}

TEST(KeySpaceTest, BisectingEndsForEveryForm) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const auto& alphabet = kAlphabets[static_cast<size_t>(i) % kAlphabets.size()];
    Keys keys;
    for (int n = 0; n < 4; ++n) keys.push_back(Random(random, alphabet, 0, 12));
    const KeySpace space = Learnt(keys);
    std::string low = *std::min_element(keys.begin(), keys.end(), KeyLess);
    std::optional<std::string> high;
    int steps = 0;
    while (const auto middle = space.Between(low, high)) {
      ASSERT_LT(++steps, 200);
      if (random() % 2 == 0) {
        low = *middle;
      } else {
        high = middle;
      }
    }
  }
}

TEST(KeySpaceTest, TheMiddleOfFamiliarForms) {
  EXPECT_EQ(Between({"000", "010"}, "000", "010"), "005");
  EXPECT_EQ(Between({"p003", "p007"}, "p003", "p900"), "p451");
  EXPECT_EQ(Between({"p1", "p2"}, "p1", "p2"), "none");
  EXPECT_EQ(Between({"a"}, "a", "z"), "m");
  EXPECT_EQ(Between({"1", "10", "2"}, "1", "2"), "14") << "the end of a key is a digit too";
  EXPECT_EQ(
      Between({"10000000-0000-4000-8000-0000000000ab", "9fc00000-0000-4000-8000-000000000000"},
              "10000000-0000-4000-8000-0000000000ab", "f0000000-0000-4000-8000-000000000000"),
      "80000000-");
  EXPECT_EQ(Between({}, "", "b"), "none");
  EXPECT_EQ(Between({""}, "", "b"), "none");
  EXPECT_EQ(Between({"", "a", "b"}, "", "b"), "a");
}

TEST(KeySpaceTest, BeyondGoesInPages) {
  const Keys padded = {"000000", "000999", "003999"};
  EXPECT_EQ(Beyond(padded, "003999", {"000000", "003999", 4}, 8), "011997");
  EXPECT_EQ(Beyond(padded, "003999", {"000000", "003999", 4}, 64), "067983");
  EXPECT_EQ(Beyond(padded, "003999", {"000000", "003999", 4}, 1'000'000), "999500") << "saturated";
  EXPECT_EQ(Beyond(padded, "999499", {"000000", "003999", 4}, 8), "999500");
  EXPECT_EQ(Beyond(padded, "999500", {"000000", "003999", 4}, 8), "none");
  EXPECT_EQ(Beyond(padded, "003999", {"003999", "003999", 4}, 8), "none") << "no distance";
  const Keys few = {"p0", "p1", "p2", "p3"};
  EXPECT_EQ(Beyond(few, "p3", {"p0", "p3", 4}, 8), "p9");
  EXPECT_EQ(Beyond(few, "p3", {"p0", "p3", 4}, 0xFFFFFFFF), "p9");
  const Keys pages = {"p000", "p001", "p100"};
  EXPECT_EQ(Beyond(pages, "p100", {"p000", "p100", 1}, 64), "p949");
  EXPECT_EQ(Learnt(pages).Beyond("p100", {"p000", "p100", 1}, 64, true), "p999")
      << "to the largest";
  EXPECT_EQ(Beyond({"user-0998", "user-0999"}, "user-0999", {"user-0998", "user-0999", 1}, 2),
            "user-1001");
}

TEST(KeySpaceTest, OneCharacterStandsForItsClass) {
  const auto largest = [](const Keys& keys) {
    const KeySpace::Span span{keys.front(), keys.back(), 1};
    return Learnt(keys).Beyond(keys.front(), span, 1'000'000'000, true).value_or("");
  };
  EXPECT_EQ(largest({"00", "01"}), "99");
  EXPECT_EQ(largest({"01", "0a"}), "ff");
  EXPECT_EQ(largest({"01", "0A"}), "FF");
  EXPECT_EQ(largest({"ga", "gb"}), "zz");
  EXPECT_EQ(largest({"ab", "ac"}), "zz") << "no digit: letters";
  EXPECT_EQ(largest({"Ab", "Cd"}), "Zz");
  EXPECT_EQ(largest({"a-1", "a-2"}), "a-9") << "what does not vary stays";
  EXPECT_EQ(largest({"1-a", "2-z"}), "9-z");
  EXPECT_EQ(largest({"x00a", "x00f"}), "x00z") << "digits do not continue letters";
  EXPECT_EQ(largest({"\xD0\xB0", "\xD0\xB1"}), "\xD3\xBF") << "Cyrillic";
  EXPECT_EQ(largest({"!", "+"}), "+") << "other characters stand for themselves";
}

TEST(KeySpaceTest, StepsAreMonotone) {
  std::mt19937 random(4);
  for (int i = 0; i < 300; ++i) {
    const auto& alphabet = kAlphabets[static_cast<size_t>(i) % kAlphabets.size()];
    Keys keys;
    for (int n = 0; n < 8; ++n) keys.push_back(Random(random, alphabet, 3, 9));
    const KeySpace space = Learnt(keys);
    std::sort(keys.begin(), keys.end(), KeyLess);
    std::optional<std::string> last;
    for (uint32_t pages = 1; pages < 100'000; pages *= 8) {
      const auto text = space.Beyond(keys[3], {keys[0], keys[3], 1}, pages);
      if (!text) continue;
      EXPECT_TRUE(KeyLess(keys[3], *text));
      EXPECT_FALSE(last && KeyLess(*text, *last)) << *last << " " << *text;
      last = text;
    }
  }
}

TEST(KeySpaceTest, DistancesAreCompared) {
  const KeySpace space = Learnt({"0000", "0999"});
  EXPECT_LT(space.Distance("0000", "0100"), space.Distance("0100", "0201"));
  EXPECT_EQ(space.Times(space.Distance("0000", "0100"), 3), space.Distance("0000", "0300"));
  EXPECT_EQ(space.Distance("5", std::nullopt), space.Distance("5000", "9999"));
  EXPECT_TRUE(space.IsWithin(space.Distance("1000", "2000"), {"0000", "4000", 4}, 4));
  EXPECT_FALSE(space.IsWithin(space.Distance("1000", "2001"), {"0000", "4000", 4}, 4));
}

TEST(KeySpaceTest, LongKeysGetShortTexts) {
  const std::string prefix(900, 'u');
  const std::string text = Between({prefix + "0", prefix + std::string(100, '9')}, prefix + "0",
                                   prefix + std::string(100, '9'));
  EXPECT_LE(text.size(), 910U);
  EXPECT_TRUE(KeyLess(prefix + "0", text));
}

}  // namespace
}  // namespace aztables
