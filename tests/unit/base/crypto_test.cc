// Checks HMAC-SHA256 against RFC 4231, fingerprints, and the shape and uniqueness of GUIDs.
#include "base/crypto.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/encoding.h"

namespace aztables {
namespace {

std::string HmacHex(std::string_view key, std::string_view message) {
  std::string hex;
  AppendHex(hex, *HmacSha256(key, message));
  return ToLowerAscii(hex);
}

TEST(HmacTest, TestCasesOfRfc4231) {
  EXPECT_EQ(HmacHex(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(HmacHex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(HmacHex(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(
      HmacHex(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(HmacTest, EmptyKeyAndMessage) {
  EXPECT_EQ(HmacHex("", ""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
  EXPECT_EQ(HmacHex({}, {}), HmacHex("", ""));
}

TEST(HmacTest, ZeroBytesCount) {
  EXPECT_NE(HmacHex("k", std::string_view("a\0b", 3)), HmacHex("k", "a"));
}

void ExpectVersion4(const std::string& guid) {
  ASSERT_EQ(guid.size(), 36U);
  for (size_t at = 0; at < guid.size(); ++at) {
    const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
    const bool hex = std::string_view("0123456789abcdef").find(guid[at]) != std::string_view::npos;
    EXPECT_TRUE(dash ? guid[at] == '-' : hex) << guid;
  }
  EXPECT_EQ(guid[14], '4') << guid;
  EXPECT_NE(std::string_view("89ab").find(guid[19]), std::string_view::npos) << guid;
}

TEST(FingerprintTest, TextsDiffer) {
  std::set<std::string> seen;
  std::string text;
  for (int i = 0; i < 300; ++i, text += '\0') {
    EXPECT_EQ(Fingerprint(text)->size(), 16U);
    EXPECT_TRUE(seen.insert(*Fingerprint(text)).second) << text.size();
  }
  for (size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = 1;
    EXPECT_TRUE(seen.insert(*Fingerprint(other)).second) << i;
  }
}

// Another process, or a later version, must find the EGTs that this one remembers.
TEST(FingerprintTest, IsAlwaysTheSame) {
  std::string hex;
  AppendHex(hex, *Fingerprint("abc"));
  EXPECT_EQ(hex, "B57BD776764D6DD8EC9AD018739760B4");  // that of `openssl mac`
}

TEST(GuidTest, ShapeIsThatOfVersion4) {
  for (int i = 0; i < 200; ++i) ExpectVersion4(RandomGuid());
}

TEST(GuidTest, SequencesHaveNoGuidTwice) {
  std::set<std::string> seen;
  for (int sequence = 0; sequence < 20; ++sequence) {
    GuidSequence ids;
    for (int i = 0; i < 700; ++i) {
      const std::string guid = ids.Next();
      ExpectVersion4(guid);
      EXPECT_TRUE(seen.insert(guid).second) << guid;
    }
  }
}

TEST(EqualInConstantTimeTest, Equality) {
  EXPECT_TRUE(EqualInConstantTime("", ""));
  EXPECT_TRUE(EqualInConstantTime({}, ""));
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualInConstantTime("xbc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "ab"));
  EXPECT_FALSE(EqualInConstantTime("", "a"));
  EXPECT_FALSE(EqualInConstantTime(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

TEST(GuidTest, NoTwoAreAlike) {
  std::set<std::string> seen;
  for (int i = 0; i < 20000; ++i) EXPECT_TRUE(seen.insert(RandomGuid()).second);
}

TEST(GuidTest, EveryFreeDigitVaries) {
  const std::string first = RandomGuid();
  std::set<size_t> varied;
  for (int i = 0; i < 200; ++i) {
    const std::string guid = RandomGuid();
    for (size_t at = 0; at < guid.size(); ++at) {
      if (guid[at] != first[at]) varied.insert(at);
    }
  }
  EXPECT_EQ(varied.size(), 31U) << "32 digits, of which the version is fixed";
}

}  // namespace
}  // namespace aztables
