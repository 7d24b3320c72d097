// Checks the keys of the store: they have the service's order and can be converted back.
#include "service/store/stored_key.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/encoding.h"
#include "model/key.h"
#include "support/rounds.h"
#include "support/texts.h"
#include "support/utf16.h"

namespace aztables {
namespace {

int Sign(int compared) { return compared < 0 ? -1 : compared > 0 ? 1 : 0; }

// Code points of all lengths and around the surrogates; so few that texts often share prefixes.
constexpr char32_t kCodePoints[] = {'a',    'b',    0x7E,   0x80,    0x7FF,   0x800,   0xD7FF,
                                    0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x103FF, 0x1F600, 0x10FFFF};

TEST(StoredKeyTest, IsUtf8ButForCodePointsAboveTheBasicPlane) {
  EXPECT_EQ(StoredKey(""), "");
  EXPECT_EQ(StoredKey("abc"), "abc");
  EXPECT_EQ(StoredKey("\xC3\xA4\xEF\xBF\xBF"), "\xC3\xA4\xEF\xBF\xBF");
  EXPECT_EQ(StoredKey("a\xF0\x9F\x98\x80"), "a\xED\xA0\xBD\xED\xB8\x80");  // U+1F600
  EXPECT_EQ(KeyText("a\xED\xA0\xBD\xED\xB8\x80z"), "a\xF0\x9F\x98\x80z");
  EXPECT_EQ(KeyText("\xED\x9F\xBF"), "\xED\x9F\xBF");  // U+D7FF is no surrogate
}

TEST(StoredKeyTest, SortsAsTheServiceDoesAndComesBack) {
  std::mt19937 random(20261102);
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    const std::string a = support::RandomText(random, kCodePoints, 4);
    const std::string b = support::RandomText(random, kCodePoints, 4);
    EXPECT_EQ(Sign(StoredKey(a).compare(StoredKey(b))), Sign(CompareKeys(a, b)))
        << PercentEncode(a) << " " << PercentEncode(b);
    EXPECT_EQ(KeyText(StoredKey(a)), a) << PercentEncode(a);
  }
}

TEST(StoredKeyTest, LoneSurrogatesComeBack) {
  constexpr char32_t kWithLone[] = {'a',    0xD7FF, 0xD800, 0xDBFF,  0xDC00,
                                    0xDFFF, 0xE000, 0xFFFD, 0x10000, 0x10FFFF};
  std::mt19937 random(20261122);
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    const std::string a = TextOf(Utf16(support::RandomText(random, kWithLone, 4)));
    const std::string b = TextOf(Utf16(support::RandomText(random, kWithLone, 4)));
    EXPECT_EQ(KeyText(StoredKey(a)), a) << PercentEncode(a);
    EXPECT_EQ(Sign(StoredKey(a).compare(StoredKey(b))), Sign(CompareKeys(a, b)))
        << PercentEncode(a) << " " << PercentEncode(b);
  }
}

TEST(StoredKeyTest, EveryCodePointComesBack) {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0xFFF ? 1 : 61) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    AppendUtf8(text, c);
    EXPECT_EQ(KeyText(StoredKey(text)), text) << static_cast<uint32_t>(c);
  }
}

TEST(StoredKeyTest, SuccessorIsTheNextAndTheEndAboveAll) {
  std::mt19937 random(7);
  for (int i = 0; i < 5'000; ++i) {
    const std::string a = StoredKey(support::RandomText(random, kCodePoints, 4));
    const std::string b = StoredKey(support::RandomText(random, kCodePoints, 4));
    EXPECT_LT(a, KeySuccessor(a));
    EXPECT_EQ(b < KeySuccessor(a), b <= a);
    EXPECT_LT(a, kAboveAllKeys);
  }
}

TEST(StoredKeyTest, DamagedKeysAreReadWithoutHarm) {
  std::mt19937 random(11);
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    std::string bytes;
    for (auto left = random() % 9; left > 0; --left) {
      bytes += random() % 3 == 0 ? '\xED' : static_cast<char>(random());
    }
    EXPECT_LE(KeyText(bytes).size(), 4 * bytes.size() + 4);
  }
}

}  // namespace
}  // namespace aztables
