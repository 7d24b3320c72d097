// Claims of tokens, and the words for errors of the token endpoint.
#include "identity/access_token.h"

#include <gtest/gtest.h>

#include <string>

#include "base/encoding.h"
#include "identity/entra.h"

namespace aztables {
namespace {

std::string TokenWith(const std::string& claims) {
  std::string text = Base64Encode(claims);
  while (text.ends_with('=')) text.pop_back();
  return "e30." + text + ".signature";
}

TEST(AccessTokenTest, Owners) {
  EXPECT_EQ(
      DescribeOwner(ClaimsOf(TokenWith(R"({"upn":"ada@contoso.com","appid":"1","tid":"2"})"))),
      "ada@contoso.com of tenant 2");
  EXPECT_EQ(DescribeOwner(ClaimsOf(TokenWith(R"({"azp":"1","tid":"2","roles":["a",{}]})"))),
            "client 1 of tenant 2");
  EXPECT_EQ(DescribeOwner(ClaimsOf(TokenWith(R"({"oid":"3"})"))), "object 3");
}

TEST(AccessTokenTest, WhatIsNoTokenSaysNothing) {
  for (const std::string& text :
       {std::string(), std::string("."), std::string("a.b.c"), std::string("e30.#.x"),
        TokenWith("[]"), TokenWith("{\"exp\":"), TokenWith("{} {}")}) {
    const TokenClaims claims = ClaimsOf(text);
    EXPECT_EQ(DescribeOwner(claims), "unknown") << text;
    EXPECT_EQ(claims.expires_s, 0);
  }
}

TEST(AccessTokenTest, ALongOrUnprintableNameIsCut) {
  const TokenClaims claims =
      ClaimsOf(TokenWith("{\"upn\":\"" + std::string(5000, 'a') + "\\n\",\"exp\":1764000000}"));
  EXPECT_LE(claims.name.size(), 110U);
  EXPECT_EQ(claims.expires_s, 1764000000);
}

TEST(AccessTokenTest, TheTimeForANewOne) {
  const AccessToken hour = MakeToken("x", std::chrono::seconds(3600), Clock::System());
  EXPECT_EQ(hour.expires - hour.refresh, std::chrono::seconds(300));
  const AccessToken minute = MakeToken("x", std::chrono::seconds(60), Clock::System());
  EXPECT_EQ(minute.expires - minute.refresh, std::chrono::seconds(30));
}

TEST(EntraTest, Explanations) {
  EXPECT_EQ(ExplainEntra("700011"), ExplainEntra("700016"));
  EXPECT_NE(ExplainEntra("7000215"), ExplainEntra("700021"));
  for (const char* unknown : {"", " ", "1", "70002", "700016 700011"}) {
    EXPECT_EQ(ExplainEntra(unknown), "") << unknown;
  }
}

}  // namespace
}  // namespace aztables
