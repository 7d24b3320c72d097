// Conceal: finds all or part of a signature, raw, percent-encoded or in JSON, and changes nothing
// else.
#include "base/conceal.h"

#include <gtest/gtest.h>

#include <string>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr char kSignature[] = "ab%2Bcd%2Fef%3D";
// A signature of the usual size.
constexpr char kReal[] = "dD80ihBh5jfNpymO5Hg1IdiJIEvHcJpCMiCMnN/RnbI=";

TEST(ConcealTest, EveryForm) {
  for (const std::string form :
       {"ab+cd/ef=", "ab%2Bcd%2Fef%3D", "ab%2bcd%2fef%3d", "ab%252Bcd%252Fef%253D",
        "ab%25252bcd%2525252Fef%3D", "ab\\u002Bcd\\/ef\\u003d",
        "ab\\u002bcd\\u002Fef=", "ab\\u00252Bcd%2Fef%3D", "%61b%2Bcd%2Fe%66%3D",
        "\\u0061\\u0062+cd/ef=", "ab%5Cu002Bcd/ef%3D",
        "ab%2525252525252525252Bcd%25252525252Fef%3D", "ab-cd_ef", "ab cd/ef", "abcdef",
        "AB+CD/EF="}) {
    EXPECT_EQ(Conceal("sig='" + form + "'&x", kSignature), "sig='...'&x") << form;
    EXPECT_EQ(Conceal(form, kSignature), "...") << form;
    const std::string twice = std::string(form).append(" %41 ").append(form);
    EXPECT_EQ(Conceal(twice, kSignature), "... %41 ...") << form;
  }
}

TEST(ConcealTest, EveryLayerOfPercents) {
  std::string percent = kReal;
  for (int layer = 0; layer < 40; ++layer) {
    percent = PercentEncode(percent);
    EXPECT_EQ(Conceal("<" + percent + ">", kReal), "<...>") << layer;
    EXPECT_EQ(Conceal("<" + percent + ">", percent), "<...>") << layer;
  }
}

TEST(ConcealTest, LettersInEveryLayerOfJson) {
  // Every letter with another meaning after a backslash.
  const std::string signature = "bfnrtuxabcdbfnrtux0123b/f+ntrrnnux";
  for (const bool all : {true, false}) {
    std::string form;
    for (size_t i = 0; i < signature.size(); ++i) {
      const std::string hex = "0123456789abcdef";
      const auto c = static_cast<unsigned char>(signature[i]);
      const bool escaped = all || i % 2 == 0;
      form +=
          escaped ? std::string("\\u00") + hex[c >> 4] + hex[c & 15] : std::string(1, signature[i]);
    }
    for (int layer = 1; layer < 6; ++layer) {
      for (const std::string& text : {form, PercentEncode(form)}) {
        const std::string shown = Conceal(text, signature);
        ASSERT_TRUE(shown.ends_with("...")) << text << ": " << shown;
        // Backslashes of outer layers before the first letter.
        EXPECT_EQ(shown.substr(0, shown.size() - 3).find_first_not_of("\\%5C"), std::string::npos)
            << text << ": " << shown;
      }
      std::string next;
      for (const char c : form) next.append(c == '\\' ? 2 : 1, c);
      form = next;
    }
  }
}

TEST(ConcealTest, AStringOfJsonStaysOne) {
  for (const char* backslashes : {"", "\\", "\\\\\\"}) {
    const std::string escaped = std::string(backslashes) + "\\u0061";
    EXPECT_EQ(Conceal("\"no " + escaped + "bcdef\"", kSignature), "\"no ...\"");
  }
}

TEST(ConcealTest, EveryPartOfTwelveLettersOrMore) {
  const std::string signature = kReal;
  for (size_t begin = 0; begin < signature.size(); ++begin) {
    for (size_t size = 1; begin + size <= signature.size(); ++size) {
      const std::string part = signature.substr(begin, size);
      size_t letters = 0;
      for (const char c : part) letters += c != '/' && c != '=' ? 1 : 0;
      const std::string concealed = part[0] == '/' ? "'/...'" : "'...'";
      EXPECT_EQ(Conceal("'" + part + "'", kReal), letters < 12 ? "'" + part + "'" : concealed);
    }
  }
}

TEST(ConcealTest, OneOfSeveral) {
  const std::string other = "tuvwxyz0123456789tuvwxyz0123456789tuvwxyz01=";
  const std::string secrets = std::string(44, ' ') + other + kReal;
  EXPECT_EQ(Conceal("a " + other + " b " + kReal + "c", secrets), "a ... b ...c");
  EXPECT_EQ(Conceal("nothing of it", secrets), "nothing of it");
}

TEST(ConcealTest, BetweenHarmlessEscapes) {
  const std::string real = kReal;
  for (const std::string between : {"%3A", "%20%0d", "%C3%A9", "%7f"}) {
    const std::string text = std::string(real).insert(20, between);
    EXPECT_EQ(Conceal(std::string("%3A").append(text).append("%2C"), kReal), "%3A...%2C");
    EXPECT_EQ(Conceal(text, PercentEncode(real)), "...") << between;
  }
  for (const std::string escape : {"%41", "%5C", "%26", "%25", "%2", "%"}) {
    EXPECT_EQ(Conceal(std::string(escape).append(" ").append(real), kReal), escape + " ...");
  }
}

TEST(ConcealTest, NothingElse) {
  for (const char* text : {"",
                           "b+cd/ef=",
                           "acbdef",
                           "100% of \\u0041 & &amp; %zz %4",
                           "%",
                           "\\",
                           "&",
                           ";",
                           "&;",
                           "&#;",
                           "&#x;",
                           "\\u00",
                           "&#9999999999;",
                           "{\"a\":\"\\ud83d\\ude00 %00\"}",
                           "&thisisnonamethatanyonegave;",
                           "&#",
                           "&#x",
                           "&#4",
                           "&#4 &#x4g",
                           "\\u{",
                           "\\u{}",
                           "{61}",
                           "u{61}",
                           "\\u{g}",
                           "}"}) {
    EXPECT_EQ(Conceal(text, kSignature), text);
    EXPECT_EQ(Conceal(text, kReal), text);
  }
  EXPECT_EQ(Conceal("sig=short", "short"), "sig=short");
  EXPECT_EQ(Conceal("anything", ""), "anything");
  const std::string message =
      "{\"odata.error\":{\"code\":\"TableNotFound\",\"message\":{\"lang\":\"en-US\",\"value\":"
      "\"The table specified does not exist.\\nRequestId:0b0b8e3c-5002-0042-2d1b-4b8a3c000000\\n"
      "Time:2026-11-22T19:31:30.1234567Z\"}}} W/\"datetime'2026-11-22T19%3A31%3A30.1234567Z'\"";
  EXPECT_EQ(Conceal(message, kReal), message);
}

TEST(ConcealTest, LongTextsOfOddEscapes) {
  // A quadratic search would take minutes for each.
  constexpr size_t kSize = size_t{1} << 18;
  for (const std::string unit : {";", "&", "&a;", "&amp;", "%25", "a", "&#", "0", "\\u0025", "%",
                                 "&#52%", "&amp;#52%", "%61", "}", "\\u{", "{", "&#1"}) {
    std::string text = "&#";
    while (text.size() < kSize) text += unit;
    EXPECT_EQ(Conceal(text + ";" + kReal, kReal), text + ";...") << unit;
  }
}

TEST(ConcealTest, SignatureOfSas) {
  EXPECT_EQ(SignatureOfSas("sv=1&sig=abc%3D&sp=r"), "abc%3D");
  EXPECT_EQ(SignatureOfSas("sig=abc"), "abc");
  EXPECT_EQ(SignatureOfSas("sv=1&amp;sig=abc&amp;sp=r"), "abc");
  EXPECT_EQ(SignatureOfSas("xsig=abc&sv=1"), "");
  EXPECT_EQ(SignatureOfSas("xsig=abc&sig=def"), "def");
  EXPECT_EQ(SignatureOfSas(""), "");
}

}  // namespace
}  // namespace aztables
