// Checks base64 in both directions: the vectors of RFC 4648, all lengths and paddings, invalid
// texts.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/encoding.h"

namespace aztables {
namespace {

TEST(Base64Test, VectorsOfRfc4648) {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [plain, encoded] : vectors) {
    EXPECT_EQ(Base64Encode(plain), encoded);
    std::string decoded;
    EXPECT_TRUE(Base64Decode(encoded, decoded)) << encoded;
    EXPECT_EQ(decoded, plain);
  }
}

TEST(Base64Test, UsesBothSymbolsBeyondLettersAndDigits) {
  EXPECT_EQ(Base64Encode("\xFB\xEF\xFF"), "++//");
  std::string decoded;
  EXPECT_TRUE(Base64Decode("++//", decoded));
  EXPECT_EQ(decoded, "\xFB\xEF\xFF");
}

TEST(Base64Test, RoundTripOfEveryLengthWithEveryByte) {
  std::mt19937 random(1);
  for (size_t size = 0; size <= 300; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(random());
    const std::string encoded = Base64Encode(bytes);
    EXPECT_EQ(encoded.size(), (size + 2) / 3 * 4);
    EXPECT_EQ(encoded.find('='),
              size % 3 == 0 ? std::string::npos : encoded.size() - (size % 3 == 1 ? 2 : 1));
    std::string decoded;
    ASSERT_TRUE(Base64Decode(encoded, decoded)) << encoded;
    EXPECT_EQ(decoded, bytes);
  }
}

TEST(Base64Test, DecodeAppends) {
  std::string out = "before ";
  EXPECT_TRUE(Base64Decode("Zm9v", out));
  EXPECT_EQ(out, "before foo");
}

TEST(Base64Test, BadInputIsRefusedAndLeavesTheOutputAlone) {
  const char* const bad[] = {
      "Z",        "Zg",
      "Zg=",      "Zm8",  // padding is missing
      "Zm9vY",    "Zm9vYg",
      "Zm9vYg=",  // the same after a whole group
      "=",        "==",
      "===",      "====",  // only padding
      "Z===",     "=m9v",
      "Z=9v",                  // padding in the place of symbols
      "Zg==Zg==", "Zm8=Zm9v",  // padding in the middle
      "Zm9v=",    "Zm9v====",  // too much of it
      "Zm9\n",    " Zm9",
      "Zm 9",     "Zm9v\n",  // blanks
      "Zm9-",     "Zm9_",
      "Zm9.",                       // other alphabets
      "Zm9\xC3",  "\xE2\x82\xAC=",  // not ASCII
      "Zm9vZm9!", "Zm9vZ!9v",       // late in the text, after a good group
  };
  for (const char* text : bad) {
    std::string out = "kept";
    EXPECT_FALSE(Base64Decode(text, out)) << text;
    EXPECT_EQ(out, "kept") << text;
  }
}

TEST(Base64Test, AZeroByteIsNoSymbol) {
  std::string out;
  EXPECT_FALSE(Base64Decode(std::string_view("Zm9\0", 4), out));
  EXPECT_EQ(out, "");
}

TEST(Base64Test, EverySymbolDecodesToItsPlace) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned c = 0; c < 256; ++c) {
    std::string out;
    const bool known = alphabet.find(static_cast<char>(c)) != std::string::npos;
    EXPECT_EQ(Base64Decode(std::string("AAA") + static_cast<char>(c), out), known || c == '=') << c;
    if (known) {
      EXPECT_EQ(static_cast<unsigned char>(out[2]), alphabet.find(static_cast<char>(c)));
    }
  }
}

}  // namespace
}  // namespace aztables
