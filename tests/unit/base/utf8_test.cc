// Checks UTF-8: every code point both ways, every kind of invalid sequence, lengths in UTF-16.
#include <gtest/gtest.h>

#include <string>

#include "base/encoding.h"

namespace aztables {
namespace {

TEST(Utf8Test, EveryCodePointRoundTrips) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    AppendUtf8(text, c);
    size_t pos = 0;
    const char32_t read = NextCodePoint(text, pos);
    const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (read != c || pos != size || text.size() != size || !IsValidUtf8(text) ||
        Utf16Length(text) != (c < 0x10000 ? 1U : 2U)) {
      FAIL() << "U+" << std::hex << static_cast<uint32_t>(c);
    }
  }
}

TEST(Utf8Test, KnownEncodings) {
  const std::pair<char32_t, const char*> known[] = {
      {0x41, "A"},
      {0x7F, "\x7F"},
      {0x80, "\xC2\x80"},
      {0x7FF, "\xDF\xBF"},
      {0x800, "\xE0\xA0\x80"},
      {0xD7FF, "\xED\x9F\xBF"},
      {0xE000, "\xEE\x80\x80"},
      {0xFFFF, "\xEF\xBF\xBF"},
      {0x10000, "\xF0\x90\x80\x80"},
      {0x10FFFF, "\xF4\x8F\xBF\xBF"},
  };
  for (const auto& [code_point, bytes] : known) {
    std::string text;
    AppendUtf8(text, code_point);
    EXPECT_EQ(text, bytes);
  }
}

// The number of U+FFFD for each: one per byte, since each invalid byte is skipped separately.
struct InvalidSequence {
  const char* what;
  const char* bytes;
  size_t size;
};
constexpr InvalidSequence kInvalidSequences[] = {
    {"a lone continuation byte", "\x80", 1},
    {"the last continuation byte", "\xBF", 1},
    {"overlong NUL", "\xC0\x80", 2},
    {"overlong U+7F", "\xC1\xBF", 2},
    {"overlong U+0 in three", "\xE0\x80\x80", 3},
    {"overlong U+7FF", "\xE0\x9F\xBF", 3},
    {"overlong U+FFFF", "\xF0\x8F\xBF\xBF", 4},
    {"overlong U+0 in four", "\xF0\x80\x80\x80", 4},
    {"a surrogate cut", "\xED\xA0", 2},
    {"one above U+10FFFF", "\xF4\x90\x80\x80", 4},
    {"far above U+10FFFF", "\xF7\xBF\xBF\xBF", 4},
    {"five bytes", "\xF8\x88\x80\x80\x80", 5},
    {"six bytes", "\xFC\x84\x80\x80\x80\x80", 6},
    {"FE", "\xFE", 1},
    {"FF", "\xFF", 1},
    {"two bytes cut", "\xC3", 1},
    {"three bytes cut after one", "\xE2", 1},
    {"three bytes cut after two", "\xE2\x82", 2},
    {"four bytes cut after three", "\xF0\x9F\x98", 3},
};

TEST(Utf8Test, InvalidSequences) {
  for (const InvalidSequence& bad : kInvalidSequences) {
    const std::string bytes(bad.bytes, bad.size);
    EXPECT_FALSE(IsValidUtf8(bytes)) << bad.what;
    EXPECT_FALSE(IsValidUtf8("good" + bytes + "good")) << bad.what;
    size_t pos = 0;
    EXPECT_EQ(NextCodePoint(bytes, pos), 0xFFFDU) << bad.what;
    EXPECT_EQ(pos, 1U) << bad.what;
    EXPECT_EQ(Utf16Length(bytes), bad.size) << bad.what;
  }
}

// A lone surrogate is one code unit and never valid in UTF-8.
TEST(Utf8Test, LoneSurrogates) {
  for (char32_t c = 0xD800; c <= 0xDFFF; ++c) {
    std::string text;
    AppendUtf8(text, c);
    EXPECT_FALSE(IsValidUtf8(text));
    EXPECT_TRUE(HasLoneSurrogate(text));
    EXPECT_EQ(Utf16Length(text), 1U);
    EXPECT_EQ(WithoutLoneSurrogates(text), "\xEF\xBF\xBD");
    size_t pos = 0;
    EXPECT_EQ(NextCodePoint(text, pos), c);
    EXPECT_EQ(pos, 3U);
    EXPECT_EQ(FindLoneSurrogate("\xED\x9F\xBF" + text), 3U) << "U+D7FF is none";
    EXPECT_EQ(FindLoneSurrogate(text + text, 1), 3U);
  }
  EXPECT_EQ(WithoutLoneSurrogates("a\xED\xA0\x80\xED\xBF\xBF-"), "a\xEF\xBF\xBD\xEF\xBF\xBD-");
  for (const char* none :
       {"", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xED", "\xED\xA0"}) {
    EXPECT_FALSE(HasLoneSurrogate(none));
    EXPECT_EQ(WithoutLoneSurrogates(none), none);
  }
  EXPECT_EQ(PrintableLine("a\xED\xA0\x80z", 9), "az");
}

TEST(Utf8Test, ACutSequenceDoesNotEatWhatFollows) {
  const std::string text =
      "\xE2\x82"
      "A";
  size_t pos = 0;
  EXPECT_EQ(NextCodePoint(text, pos), 0xFFFDU);
  EXPECT_EQ(NextCodePoint(text, pos), 0xFFFDU);
  EXPECT_EQ(NextCodePoint(text, pos), static_cast<char32_t>('A'));
  EXPECT_EQ(pos, text.size());
}

TEST(Utf8Test, AViewIsNotReadBeyondItsEnd) {
  const std::string text = "\xC3\xB6";
  EXPECT_FALSE(IsValidUtf8(std::string_view(text).substr(0, 1)));
  EXPECT_TRUE(IsValidUtf8(text));
}

TEST(Utf8Test, BetweenAsciiOfEveryLength) {
  for (size_t before = 0; before < 20; ++before) {
    for (size_t after = 0; after < 20; ++after) {
      const auto text = [&](const std::string& part) {
        return std::string(before, 'a') + part + std::string(after, 'b');
      };
      EXPECT_TRUE(IsValidUtf8(text("\xC3\xA9")));
      EXPECT_EQ(Utf16Length(text("\xC3\xA9")), before + after + 1);
      EXPECT_EQ(Utf16Length(text("\xF0\x9F\x98\x80x\xC3\xA9")), before + after + 4);
      EXPECT_FALSE(IsValidUtf8(text("\x80")));
      EXPECT_FALSE(IsValidUtf8(text("\xF0\x9F\x98")));
    }
  }
}

TEST(Utf8Test, LengthsInUtf16) {
  EXPECT_EQ(Utf16Length(""), 0U);
  EXPECT_EQ(Utf16Length("abc"), 3U);
  EXPECT_EQ(Utf16Length("\xC3\xB6"), 1U);
  EXPECT_EQ(Utf16Length("\xEF\xBF\xBF"), 1U);
  EXPECT_EQ(Utf16Length("\xF0\x90\x80\x80"), 2U);
  EXPECT_EQ(Utf16Length("a\xF0\x9F\x98\x80\xE2\x82\xAC"), 4U);
  EXPECT_EQ(Utf16Length(std::string_view("\0\0", 2)), 2U);
  EXPECT_TRUE(IsValidUtf8(std::string_view("\0\0", 2)));
}

}  // namespace
}  // namespace aztables
