// Checks Shared Key and Shared Key Lite: independently computed signatures of the emulator's
// published key, every signed part, the clock, and invalid credentials.
#include <gtest/gtest.h>

#include "access_request.h"
#include "service/auth/credentials.h"

namespace aztables {
namespace {

constexpr const char* kLite =
    "SharedKeyLite devstoreaccount1:EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM=";
constexpr const char* kFull =
    "SharedKey devstoreaccount1:Q3uw5h8BDdUA0HJHGxmac8tdz6DkxKTD73IPX4er/RA=";

AccessRequest Signed(const std::string& authorization) {
  AccessRequest sent;
  sent.request.headers.Set("x-ms-date", kTestDate);
  sent.request.headers.Set("Authorization", authorization);
  return sent;
}

struct Vector {
  const char* path;
  const char* comp;
  const char* authorization;
};

constexpr Vector kVectors[] = {
    {"/devstoreaccount1/Tables", "", kLite},
    {"/devstoreaccount1/Tables", "", kFull},
    {"/devstoreaccount1/mytable", "acl",
     "SharedKeyLite devstoreaccount1:JIl4zOjxpP6r/1Sbul57nyuFd7bWq/ZcwTsILO0LYd4="},
    {"/devstoreaccount1/mytable(PartitionKey='a%20b',RowKey='c%27%27d')", "",
     "SharedKeyLite devstoreaccount1:d6mKMzNn7jrsnyo2kvzOg+42lCe+b+34zsivdAX9W0I="},
};

TEST(SharedKeyTest, Vectors) {
  for (const Vector& vector : kVectors) {
    AccessRequest sent = Signed(vector.authorization);
    sent.request.path = vector.path;
    sent.Option("$filter", "A eq 1");  // not signed
    if (*vector.comp != '\0') sent.Option("comp", vector.comp);
    const auto access = sent.Send();
    ASSERT_TRUE(access.ok()) << vector.authorization;
    EXPECT_EQ(access->kind, Access::Kind::kOwner);
  }
}

TEST(SharedKeyTest, EveryCharacterOfASignatureCounts) {
  for (const std::string good : {kLite, kFull}) {
    for (size_t at = good.find(':') + 1; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = bad[at] == 'A' ? 'B' : 'A';
      EXPECT_EQ(Signed(bad).Outcome(), "AuthenticationFailed") << bad;
    }
    EXPECT_EQ(Signed(good + "=").Outcome(), "AuthenticationFailed");
    EXPECT_EQ(Signed(good.substr(0, good.size() - 1)).Outcome(), "AuthenticationFailed");
  }
  // The last character before "=" has two bits that do not affect the decoded bytes.
  std::string bad = kLite;
  bad[bad.size() - 2] = 'N';
  EXPECT_EQ(bad.substr(bad.size() - 2), "N=");
  EXPECT_EQ(Signed(bad).Outcome(), "AuthenticationFailed") << "M and N decode to the same byte";
}

TEST(SharedKeyTest, HeadersThatAreNone) {
  for (const char* authorization :
       {"", " ", "SharedKey", "SharedKeyLite", "SharedKeyLite ",
        "SharedKeyLite :", "SharedKeyLite devstoreaccount1", "SharedKeyLite devstoreaccount1:",
        "SharedKeyLite other:EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM=",
        "SharedKeyLite DevStoreAccount1:EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM=",
        "SharedKey devstoreaccount1:EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM=",
        "SharedKeyLite devstoreaccount1:Q3uw5h8BDdUA0HJHGxmac8tdz6DkxKTD73IPX4er/RA=",
        "SharedKeyBold devstoreaccount1:EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM=",
        "EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM=", "Basic dXNlcjpwYXNz"}) {
    EXPECT_EQ(Signed(authorization).Outcome(), "AuthenticationFailed") << authorization;
  }
}

TEST(SharedKeyTest, EveryPartIsSigned) {
  const auto outcome = [](const auto& change) {
    AccessRequest sent = Signed(kFull);
    change(sent);
    return sent.Outcome();
  };
  const std::string bad = "AuthenticationFailed";
  EXPECT_EQ(outcome([](AccessRequest&) {}), "OK");
  EXPECT_EQ(outcome([](AccessRequest& sent) { sent.request.method = "POST"; }), bad);
  EXPECT_EQ(outcome([](AccessRequest& sent) { sent.request.path += "()"; }), bad);
  EXPECT_EQ(outcome([](AccessRequest& sent) { sent.Option("comp", "acl"); }), bad);
  EXPECT_EQ(outcome([](AccessRequest& sent) { sent.Option("restype", "service"); }), "OK");
  for (const char* name : {"Content-MD5", "Content-Type"}) {
    EXPECT_EQ(outcome([name](AccessRequest& sent) { sent.request.headers.Set(name, "x"); }), bad);
  }
  EXPECT_EQ(outcome([](AccessRequest& sent) {
              sent.request.headers.Set("x-ms-date", "Mon, 02 Nov 2026 10:00:01 GMT");
            }),
            bad);
}

TEST(SharedKeyTest, FullFormWithEveryLine) {
  AccessRequest sent = Signed("SharedKey devstoreaccount1:" +
                              Signature("PUT\nbWQ1\napplication/xml\n" + std::string(kTestDate) +
                                        "\n/devstoreaccount1/T?comp=acl"));
  sent.request.method = "PUT";
  sent.request.path = "/T";  // the account's own host: the path has its name once
  sent.request.headers.Set("Content-MD5", "bWQ1");
  sent.request.headers.Set("Content-Type", "application/xml");
  sent.Option("comp", "acl");
  EXPECT_EQ(sent.Outcome(), "OK");
  sent.query.emplace("comp", "properties");
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << "which one was meant?";
}

TEST(SharedKeyTest, AnotherAccountThatHasTheSameKey) {
  AccessRequest sent = Signed("SharedKeyLite other:" +
                              Signature(std::string(kTestDate) + "\n/other/devstoreaccount1/T"));
  sent.request.path = "/devstoreaccount1/T";
  sent.keys["other"].emplace_back(DecodedKey());
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
}

TEST(SharedKeyTest, TheSecondaryIsSignedAsItsPathStands) {
  AccessRequest sent = Signed(
      "SharedKeyLite devstoreaccount1:" +
      Signature(std::string(kTestDate) + "\n/devstoreaccount1/devstoreaccount1-secondary/T"));
  sent.request.path = "/devstoreaccount1-secondary/T";
  EXPECT_EQ(sent.Outcome(), "OK");
}

TEST(SharedKeyTest, DateOrMsDate) {
  AccessRequest sent = Signed(kLite);
  sent.request.headers = {};
  sent.request.headers.Set("Authorization", kLite);
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << "neither";
  sent.request.headers.Set("Date", kTestDate);
  EXPECT_EQ(sent.Outcome(), "OK");
  sent.request.headers.Set("x-ms-date", "Mon, 02 Nov 2026 10:00:01 GMT");
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << "x-ms-date goes first";
  sent.request.headers.Set("Date", "Mon, 02 Nov 2026 10:00:01 GMT");
  sent.request.headers.Set("x-ms-date", kTestDate);
  EXPECT_EQ(sent.Outcome(), "OK");
  const std::string text = "yesterday\n/devstoreaccount1/devstoreaccount1/Tables";
  sent = Signed("SharedKeyLite devstoreaccount1:" + Signature(text));
  sent.request.headers.Set("x-ms-date", "yesterday");
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << "well signed, but no date";
}

TEST(SharedKeyTest, FifteenMinutes) {
  constexpr int64_t kMost = 15 * 60 * 1000;
  AccessRequest sent = Signed(kLite);
  for (const int64_t skew : {-kMost, int64_t{-1}, int64_t{1}, kMost}) {
    sent.input.now_ms = kTestNowMs + skew;
    EXPECT_EQ(sent.Outcome(), "OK") << skew;
  }
  for (const int64_t skew : {-kMost - 1, kMost + 1, int64_t{86'400'000}}) {
    sent.input.now_ms = kTestNowMs + skew;
    EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << skew;
  }
}

TEST(SharedKeyTest, AnyKeyOfTheAccount) {
  AccessRequest sent = Signed(kLite);
  auto& keys = sent.keys[std::string(kTestAccount)];
  keys.insert(keys.begin(), Secret("first"));
  EXPECT_EQ(sent.Outcome(), "OK") << "the second one";
  keys.emplace_back("third");
  EXPECT_EQ(sent.Outcome(), "OK");
  keys.erase(keys.begin() + 1);
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
  keys.clear();
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
}

TEST(CheckSignatureTest, AnEmptyKeyIsAKeyAndAnEmptySignatureIsNone) {
  std::vector<Secret> keys;
  EXPECT_FALSE(CheckSignature("", "text", keys).ok());
  keys.emplace_back();
  EXPECT_FALSE(CheckSignature("", "text", keys).ok());
  EXPECT_TRUE(CheckSignature(Base64Encode(*HmacSha256("", "text")), "text", keys).ok());
}

}  // namespace
}  // namespace aztables
