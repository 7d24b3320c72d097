// Checks continuation tokens: their form, and round trips of any text.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/encoding.h"
#include "service/handlers/query_page.h"

namespace aztables {
namespace {

TEST(ContinuationTest, Form) {
  EXPECT_EQ(EncodeToken("Smith"), "1!8!U21pdGg-");
  EXPECT_EQ(EncodeToken("b"), "1!4!Yg--");
  EXPECT_EQ(EncodeToken("abc"), "1!4!YWJj");
  EXPECT_EQ(EncodeToken(""), "1!0!");
  EXPECT_EQ(DecodeToken("1!8!U21pdGg-"), "Smith");
  EXPECT_EQ(DecodeToken("1!8!U21pdGg="), "Smith");
  EXPECT_EQ(DecodeToken("1!0!"), "");
}

TEST(ContinuationTest, RoundTripOfAnyText) {
  std::mt19937 random(5);
  for (int i = 0; i < 5'000; ++i) {
    std::string text;
    for (auto left = random() % 12; left > 0; --left) {
      auto c = static_cast<char32_t>(random() % (random() % 3 == 0 ? 0x110000 : 0x7F));
      if (c >= 0xD800 && c < 0xE000) c = 'x';
      AppendUtf8(text, c);
    }
    const std::string token = EncodeToken(text);
    EXPECT_EQ(DecodeToken(token), text) << token;
    // A token from a client that does not percent-encode it.
    std::string sent = token;
    for (char& c : sent) c = c == '+' ? ' ' : c;
    EXPECT_EQ(DecodeToken(sent), text) << token;
  }
}

TEST(ContinuationTest, OthersAreNone) {
  for (const char* token :
       {"", "1", "1!", "1!8", "1!8!", "1!7!U21pdGg-", "1!9!U21pdGg-", "2!8!U21pdGg-",
        "1!x!U21pdGg-", "1!-8!U21pdGg-", "1!8!U21pd*g-", "1!3!U21", "1!4!/w--", "8!U21pdGg-",
        "U21pdGg-", "1!8!U21pdGg-!", "1!99999999999999999999!YWJj", "1!4!----"}) {
    EXPECT_EQ(DecodeToken(token), std::nullopt) << token;
  }
}

}  // namespace
}  // namespace aztables
