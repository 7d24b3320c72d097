// Checks percent coding both ways, hex, and the ASCII helpers.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kUnreserved =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

TEST(PercentTest, EveryByteByItself) {
  for (unsigned c = 0; c < 256; ++c) {
    const std::string text(1, static_cast<char>(c));
    char hex[8];
    std::snprintf(hex, sizeof hex, "%%%02X", c);
    const bool plain = kUnreserved.find(text[0]) != std::string_view::npos;
    EXPECT_EQ(PercentEncode(text), plain ? text : std::string(hex));
    EXPECT_EQ(PercentDecode(PercentEncode(text)), text);
  }
}

TEST(PercentTest, WhatFiltersAndKeysAreMadeOf) {
  EXPECT_EQ(PercentEncode("a b+c/d?e"), "a%20b%2Bc%2Fd%3Fe");
  EXPECT_EQ(PercentEncode("O''Brien"), "O%27%27Brien");
  EXPECT_EQ(PercentEncode("100%"), "100%25");
  EXPECT_EQ(PercentEncode("\xC3\xB6\xF0\x9F\x98\x80"), "%C3%B6%F0%9F%98%80");
  EXPECT_EQ(PercentEncode(""), "");
}

TEST(PercentTest, SizeIsThatOfTheText) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (size_t n = random() % 40; n > 0; --n) text += static_cast<char>(random());
    EXPECT_EQ(PercentEncodedSize(text), PercentEncode(text).size());
    EXPECT_EQ(PercentDecode(PercentEncode(text)), text);
    std::string out = "q=";
    AppendPercentEncoded(out, text);
    EXPECT_EQ(out, "q=" + PercentEncode(text));
  }
}

TEST(PercentTest, DecodeTakesBothCasesAndLeavesTheRest) {
  EXPECT_EQ(PercentDecode("%2f%2F%c3%B6"), "//\xC3\xB6");
  EXPECT_EQ(PercentDecode("a+b"), "a+b") << "a plus is a plus";
  for (const char* text : {"%", "%2", "a%", "a%2", "%zz", "%2g", "%g2", "100%", "%%", "% 20"}) {
    EXPECT_EQ(PercentDecode(text), text);
  }
  EXPECT_EQ(PercentDecode("%%41"), "%A");
  EXPECT_EQ(PercentDecode("%2527"), "%27") << "once, not twice";
  EXPECT_EQ(PercentDecode("%00"), std::string(1, '\0'));
}

TEST(HexTest, UpperCase) {
  std::string out = "X'";
  AppendHex(out, std::string_view("\x00\x0A\x1F\xFF", 4));
  EXPECT_EQ(out, "X'000A1FFF");
}

TEST(AsciiTest, LowerCaseTouchesNothingButLetters) {
  for (unsigned c = 0; c < 256; ++c) {
    const char in = static_cast<char>(c);
    const char out = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : in;
    EXPECT_EQ(ToLowerAscii(in), out);
  }
  EXPECT_EQ(ToLowerAscii(std::string_view("Edm.INT32 \xC3\x84")), "edm.int32 \xC3\x84");
}

TEST(AsciiTest, EqualsIgnoreCase) {
  EXPECT_TRUE(EqualsIgnoreCase("", ""));
  EXPECT_TRUE(EqualsIgnoreCase("ETag", "etAG"));
  EXPECT_FALSE(EqualsIgnoreCase("ETag", "ETags"));
  EXPECT_FALSE(EqualsIgnoreCase("ETag", ""));
  EXPECT_FALSE(EqualsIgnoreCase("[", "{")) << "32 apart, and no letters";
  EXPECT_FALSE(EqualsIgnoreCase("\xC3\x84", "\xC3\xA4")) << "ASCII only";
}

TEST(AsciiTest, TrimBlanks) {
  EXPECT_EQ(TrimBlanks(" \t\r\na b\n "), "a b");
  EXPECT_EQ(TrimBlanks("a"), "a");
  EXPECT_EQ(TrimBlanks(" \t\r\n"), "");
  EXPECT_EQ(TrimBlanks(""), "");
  EXPECT_EQ(TrimBlanks("\xC2\xA0x"), "\xC2\xA0x") << "a blank of Unicode stays";
}

TEST(IntegerTest, Values) {
  const std::pair<const char*, int64_t> good[] = {
      {"0", 0},
      {"-0", 0},
      {"+7", 7},
      {"007", 7},
      {"2147483648", 2147483648},
      {"9223372036854775807", std::numeric_limits<int64_t>::max()},
      {"+9223372036854775807", std::numeric_limits<int64_t>::max()},
      {"-9223372036854775808", std::numeric_limits<int64_t>::min()},
      {"00000000000000000000000000000000000001", 1},
  };
  for (const auto& [text, value] : good) EXPECT_EQ(ParseInteger(text), value) << text;
}

TEST(OnOffTest, EveryWordInAnyCase) {
  for (const char* on : {"on", "yes", "true", "1", "ON", "Yes", "tRuE"}) {
    EXPECT_EQ(ParseOnOff(on), true) << on;
  }
  for (const char* off : {"off", "no", "false", "0", "OFF", "No", "False"}) {
    EXPECT_EQ(ParseOnOff(off), false) << off;
  }
  for (const char* other : {"", "y", "n", "t", "2", "00", "onn", "on ", "enabled"}) {
    EXPECT_EQ(ParseOnOff(other), std::nullopt) << other;
  }
}

TEST(IntegerTest, Refusals) {
  for (const char* text : {"", "+", "-", "+-1", "-+1", "++1", "--1", " 1", "1 ", "1.0", "1e3",
                           "0x10", "1,000", "12a", "a", "9223372036854775808",
                           "-9223372036854775809", "99999999999999999999999", "\xD9\xA1"}) {
    EXPECT_EQ(ParseInteger(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseInteger(std::string_view()), std::nullopt);
}

}  // namespace
}  // namespace aztables
