// Checks that numbers of keys rise in the service's order, that their texts convert back, and which
// characters they cover. It uses common forms of keys and random keys.
#include "model/key_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

using Frame = KeyNumbers::Frame;
using Keys = std::vector<std::string>;

KeyNumbers Learned(const Keys& keys) {
  KeyNumbers numbers;
  for (const std::string& key : keys) numbers.Add(key);
  return numbers;
}

Frame OpenFrame(const Keys& keys) { return Learned(keys).FrameOf(keys.back(), std::nullopt); }
std::string Above(const Keys& keys) { return OpenFrame(keys).Above().value_or("none"); }
std::string Largest(const Keys& keys) {
  const Frame frame = OpenFrame(keys);
  return frame.Key(frame.size() - 1);
}
std::string Middle(const Keys& keys, const std::string& low, const std::string& high) {
  const Frame frame = Learned(keys).FrameOf(low, high);
  return frame.Key(frame.Number(low) + (frame.Number(high) - frame.Number(low)) / 2);
}

const std::vector<std::vector<char32_t>> kAlphabets = {
    {'0', '1', '5', '9'},
    {'0', '9', 'a', 'f'},
    {'a', 'z', 'm'},
    {'A', 'z', '0', '-', '_', '\''},
    {'x'},
    {' ', '%', '&', '+', '~', 0xA0, 0xE9, 0x7FF, 0xD7FF},
    {'a', 0xE000, 0xFFEF, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF},
};

Keys RandomKeys(std::mt19937& random, size_t form, size_t count) {
  const auto& alphabet = kAlphabets[form % kAlphabets.size()];
  const std::string prefix(random() % 3 == 0 ? random() % 80 : 0, 'p');
  const size_t most = 1 + random() % 9;
  Keys keys;
  while (keys.size() < count) {
    std::string key = prefix;
    for (size_t n = random() % (most + 1); n > 0; --n) {
      AppendUtf8(key, alphabet[random() % alphabet.size()]);
    }
    keys.push_back(std::move(key));
  }
  const auto before = [](const std::string& a, const std::string& b) {
    return CompareKeys(a, b) < 0;
  };
  std::sort(keys.begin(), keys.end(), before);
  return keys;
}

// REQUIRES: keys in the service's order
void ExpectRising(const Frame& frame, const Keys& keys) {
  uint64_t last = 0;
  for (const std::string& key : keys) {
    const uint64_t number = frame.Number(key);
    EXPECT_LE(last, number) << key;
    EXPECT_LE(number, frame.size()) << key;
    last = number;
  }
}

void ExpectTexts(const Frame& frame, std::mt19937& random) {
  std::string last;
  uint64_t number = 0;
  for (int i = 0; i < 12 && number < frame.size(); ++i) {
    const std::string key = frame.Key(number);
    // The end of a key ends its text; the rest of the number is ignored.
    EXPECT_LE(frame.Number(key), number);
    EXPECT_EQ(frame.Key(frame.Number(key)), key);
    EXPECT_LE(CompareKeys(last, key), 0) << last << " " << key;
    EXPECT_TRUE(IsValidUtf8(key)) << "half a surrogate pair";
    EXPECT_EQ(FirstIllegalInKey(key), std::nullopt) << key;
    last = key;
    number += 1 + random() % (frame.size() / 8 + 1);
  }
  if (const auto above = frame.Above()) {
    EXPECT_LT(CompareKeys(last, *above), 0);
    EXPECT_TRUE(IsValidUtf8(*above));
    EXPECT_EQ(FirstIllegalInKey(*above), std::nullopt);
    EXPECT_EQ(frame.Number(*above), frame.size());
  }
}

TEST(KeyNumbersTest, ANumberAboveTheLargestCountsAsTheLargest) {
  const Frame frame = OpenFrame({"a1", "b2", "c3"});
  EXPECT_EQ(frame.Key(frame.size()), frame.Key(frame.size() - 1));
  EXPECT_EQ(frame.Key(UINT64_MAX), frame.Key(frame.size() - 1));
}

TEST(KeyNumbersTest, RandomKeys) {
  std::mt19937 random(3);
  for (size_t i = 0; i < 1'400; ++i) {
    const Keys keys = RandomKeys(random, i, 8);
    const KeyNumbers numbers = Learned(keys);
    const Frame open = numbers.FrameOf(keys[2], std::nullopt);
    const Frame between = numbers.FrameOf(keys[1], keys[6]);
    for (const Frame* frame : {&open, &between}) {
      ExpectRising(*frame, keys);
      ExpectRising(*frame, RandomKeys(random, random(), 8));  // most of them were not learned
      ExpectTexts(*frame, random);
    }
    for (const std::string& key : keys) {
      const bool usable = key.find("\xEF\xBF\xBF") == std::string::npos;  // no text contains U+FFFF
      EXPECT_TRUE(!usable || open.Number(key) < open.size()) << key;
    }
    if (testing::Test::HasFailure()) FAIL() << "table " << i;
  }
}

// A key may contain a lone surrogate. No text does, so the key's number is only close.
TEST(KeyNumbersTest, HalvesOfPairsAreNotGuessed) {
  const std::string half = "\xED\xA0\xBD";
  for (const Keys& keys : {Keys{"a" + half + "1", "a" + half + "2"}, Keys{half, "b"}, Keys{half}}) {
    const Frame frame = OpenFrame(keys);
    EXPECT_LE(frame.Number(keys[0]), frame.size());
    EXPECT_TRUE(IsValidUtf8(frame.Key(frame.size() - 1)));
    EXPECT_TRUE(IsValidUtf8(frame.Above().value_or("")));
  }
  const std::string emoji = "\xF0\x9F\x98\x80";
  EXPECT_EQ(Largest({emoji + "a", emoji + "b"}), emoji + "z");
  EXPECT_EQ(Above({"a", "\xED\x9F\xBF"}), "\xF0\x90\x80\x80") << "U+10000 follows U+D7FF";
  EXPECT_EQ(Above({"a", "\xF4\x8F\xBF\xBF"}), "\xEE\x80\x80") << "U+E000 follows U+10FFFF";
  EXPECT_EQ(Above({"a", "\xEF\xBF\xAF"}), "none");
}

TEST(KeyNumbersTest, ACharacterStandsForItsClass) {
  EXPECT_EQ(Largest({"00", "10"}), "99");
  EXPECT_EQ(Largest({"01", "1a"}), "ff") << "hexadecimal";
  EXPECT_EQ(Largest({"01", "1A"}), "FF");
  EXPECT_EQ(Largest({"0a", "1g"}), "9z");
  EXPECT_EQ(Largest({"ba", "ab"}), "zz");
  EXPECT_EQ(Largest({"Ab", "Cd"}), "Zz");
  EXPECT_EQ(Largest({"a-1", "a-2"}), "a-9") << "what varies nowhere is constant";
  EXPECT_EQ(Largest({"a-01", "a-10"}), "a-99") << "a zero varies, but not in front";
  EXPECT_EQ(Largest({"!", "+"}), "+") << "other characters stand for themselves";
  EXPECT_EQ(Largest({"\xD0\xB0\xD0\xB1", "\xD0\xB1\xD0\xB3"}), "\xD0\xB3\xD0\xB3") << "Cyrillic";
}

TEST(KeyNumbersTest, TheMiddle) {
  EXPECT_EQ(Middle({"000", "010"}, "000", "010"), "005");
  EXPECT_EQ(Middle({"p003", "p010"}, "p003", "p900"), "p451");
  EXPECT_EQ(Middle({"1", "10", "2"}, "1", "2"), "14") << "the end of a key is a digit too";
  EXPECT_EQ(Middle({"a", "b"}, "a", "zz"), "n");
  EXPECT_EQ(Middle({"a1", "a2"}, "a1", "b"), "a5") << "a bound above all is the end";
}

TEST(KeyNumbersTest, KeysOfAnotherForm) {
  const Frame frame = OpenFrame({"p-10", "p-31"});
  EXPECT_EQ(frame.size(), 100U);
  EXPECT_EQ(frame.Number("p-31"), 31U);
  EXPECT_EQ(frame.Number("o"), 0U);
  EXPECT_EQ(frame.Number("p"), 0U);
  EXPECT_EQ(frame.Number("q"), 100U);
  EXPECT_EQ(frame.Number("p-"), 0U);
  EXPECT_EQ(frame.Number("p-4"), 40U);
  EXPECT_EQ(frame.Number("p-4!"), 40U) << "the next that has a number";
  EXPECT_EQ(frame.Number("p-4x"), 50U);
  EXPECT_EQ(frame.Number("p-x"), 100U);
  EXPECT_EQ(frame.Number("p-317"), 32U) << "longer than all that are known";
}

TEST(KeyNumbersTest, TheOpenEnd) {
  EXPECT_EQ(Above({"p-10", "p-31"}), "p-:");
  EXPECT_EQ(Above({"ab", "ba"}), "{");
  EXPECT_EQ(Above({"a-", "a."}), "a0") << "no key has a slash";
  EXPECT_EQ(Above({"a", "~"}), "\xC2\xA0") << "no key has a control character";
  EXPECT_EQ(Above({"p", "p1"}), "p:");
  EXPECT_EQ(Above({"one"}), "none") << "no position varies";
  EXPECT_EQ(Above({""}), "none");
  EXPECT_EQ(KeyNumbers().FrameOf("", std::nullopt).size(), 1U);
}

TEST(KeyNumbersTest, LongKeys) {
  const std::string prefix(900, 'u');
  const std::string low = prefix + "0" + std::string(100, '5');
  const std::string high = prefix + "1" + std::string(100, '9');
  const std::string text = Middle({low, high}, low, high);
  EXPECT_LE(text.size(), prefix.size() + 18) << "as many digits as a number holds";
  EXPECT_LT(CompareKeys(low, text), 0);
  EXPECT_LT(CompareKeys(text, high), 0);
  // After these digits keys share a number; only a closer frame distinguishes them.
  const KeyNumbers numbers = Learned({low, high});
  EXPECT_EQ(numbers.FrameOf(low, high).Number(low + "7"), numbers.FrameOf(low, high).Number(low));
  const std::string next = prefix + "0" + std::string(80, '5') + "8";
  const Frame close = numbers.FrameOf(low, next);
  EXPECT_GT(close.Number(next), close.Number(low));
}

}  // namespace
}  // namespace aztables
