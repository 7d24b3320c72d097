// Checks signatures: SharedKeyLite against vectors computed with the emulator's published key. A
// SAS changes only the part of a request that is never shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "auth/connection_settings.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "unit/auth/emulator_key.h"

namespace aztables {
namespace {

constexpr const char* kDate = "Mon, 02 Nov 2026 10:00:00 GMT";

struct Vector {
  const char* path;
  const char* query;
  const char* text;  // after the date and its line end
  const char* signature;
};

constexpr Vector kVectors[] = {
    {"/devstoreaccount1/Tables", "", "/devstoreaccount1/devstoreaccount1/Tables",
     "EX8zllCUEgtAqY9JXSotlmutnF2GPHcSIWqz9eTgZJM="},
    {"/devstoreaccount1/mytable", "comp=acl", "/devstoreaccount1/devstoreaccount1/mytable?comp=acl",
     "JIl4zOjxpP6r/1Sbul57nyuFd7bWq/ZcwTsILO0LYd4="},
    {"/devstoreaccount1/mytable(PartitionKey='a%20b',RowKey='c%27%27d')", "",
     "/devstoreaccount1/devstoreaccount1/mytable(PartitionKey='a%20b',RowKey='c%27%27d')",
     "d6mKMzNn7jrsnyo2kvzOg+42lCe+b+34zsivdAX9W0I="},
};

TEST(SharedKeyLiteTest, Vectors) {
  const auto settings = ParseConnectionString("UseDevelopmentStorage=true");
  ASSERT_TRUE(settings.ok());
  const auto credential = MakeCredential(*settings);
  for (const Vector& vector : kVectors) {
    EXPECT_EQ(SharedKeyLiteStringToSign(kDate, "devstoreaccount1", vector.path, vector.query),
              std::string(kDate) + "\n" + vector.text);
    Request request;
    request.method = "GET";
    request.path = vector.path;
    request.query = vector.query;
    request.headers.Set("x-ms-date", kDate);
    ASSERT_TRUE(credential->Sign(request).ok());
    EXPECT_EQ(request.headers.Get("Authorization"),
              std::string("SharedKeyLite devstoreaccount1:") + vector.signature);
    EXPECT_EQ(request.path, vector.path) << "sent as it was signed";
    EXPECT_EQ(request.query, vector.query);
    EXPECT_EQ(request.credential_query.view(), "");
  }
}

// The fourth vector has the full form, which the project does not send: it checks the hash only.
TEST(SharedKeyLiteTest, TheHashOfTheFullForm) {
  std::string key;
  ASSERT_TRUE(Base64Decode(kEmulatorKey, key));
  const std::string text =
      std::string("GET\n\n\n") + kDate + "\n/devstoreaccount1/devstoreaccount1/Tables";
  EXPECT_EQ(Base64Encode(*HmacSha256(key, text)), "Q3uw5h8BDdUA0HJHGxmac8tdz6DkxKTD73IPX4er/RA=");
}

TEST(SharedKeyLiteTest, OfTheQueryOnlyCompIsSigned) {
  const auto text = [](std::string_view path, std::string_view query) {
    return SharedKeyLiteStringToSign("D", "acct", path, query);
  };
  EXPECT_EQ(text("/T()", ""), "D\n/acct/T()");
  EXPECT_EQ(text("", ""), "D\n/acct/");
  EXPECT_EQ(text("/", ""), "D\n/acct/");
  EXPECT_EQ(text("/T()", "$filter=A%20eq%201&$top=5&NextPartitionKey=x"), "D\n/acct/T()");
  EXPECT_EQ(text("/", "restype=service&comp=stats"), "D\n/acct/?comp=stats");
  EXPECT_EQ(text("/", "comp=properties&restype=service"), "D\n/acct/?comp=properties");
  EXPECT_EQ(text("/", "x=comp=acl&ycomp=acl&timeout=5"), "D\n/acct/");
  EXPECT_EQ(text("/T", "timeout=5&comp=acl&x=y"), "D\n/acct/T?comp=acl");
}

TEST(SharedKeyLiteTest, AnotherDateIsAnotherSignature) {
  const auto settings = ParseConnectionString("AccountName=acct;AccountKey=a2V5");
  ASSERT_TRUE(settings.ok());
  const auto credential = MakeCredential(*settings);
  Request request;
  request.path = "/T()";
  request.headers.Set("x-ms-date", kDate);
  ASSERT_TRUE(credential->Sign(request).ok());
  const std::string first(request.headers.Get("Authorization"));
  request.headers.Set("x-ms-date", "Mon, 02 Nov 2026 10:00:01 GMT");
  ASSERT_TRUE(credential->Sign(request).ok());
  EXPECT_NE(request.headers.Get("Authorization"), first);
  EXPECT_EQ(request.headers.all().size(), 2U) << "the old one is replaced";
  EXPECT_EQ(first.find("a2V5"), std::string::npos);
}

TEST(SharedKeyLiteTest, RemembersWhatItSignedWith) {
  const auto settings = ParseConnectionString("UseDevelopmentStorage=true");
  ASSERT_TRUE(settings.ok());
  const auto credential = MakeCredential(*settings);
  std::vector<std::string> sent;
  for (int i = 0; i < 1000; ++i) {
    Request request;
    request.path = "/devstoreaccount1/t" + std::to_string(i);
    request.headers.Set("x-ms-date", kDate);
    ASSERT_TRUE(credential->Sign(request).ok());
    const std::string_view header = request.headers.Get("Authorization");
    sent.emplace_back(header.substr(header.find(':') + 1));
    for (size_t last = 0; last < std::min(sent.size(), size_t{200}); ++last) {
      const std::string& one = sent[sent.size() - 1 - last];
      ASSERT_NE(credential->Signatures().find(one), std::string_view::npos) << i << " " << last;
    }
  }
  EXPECT_EQ(credential->Signatures().find(sent[0]), std::string_view::npos);
}

TEST(SasTest, GoesWhereNothingIsShown) {
  for (const char* front : {"", "?"}) {
    const auto settings = ParseConnectionString(
        "TableEndpoint=https://acct.table.core.windows.net;SharedAccessSignature=" +
        std::string(front) + "sv=2019-02-02&sp=r&sig=abc%3D");
    ASSERT_TRUE(settings.ok());
    const auto credential = MakeCredential(*settings);
    Request request;
    request.method = "GET";
    request.origin = settings->endpoint.Origin();
    request.path = "/T()";
    request.query = "$top=1";
    request.headers.Set("x-ms-date", kDate);
    ASSERT_TRUE(credential->Sign(request).ok());
    ASSERT_TRUE(credential->Sign(request).ok()) << "at every attempt";
    EXPECT_EQ(request.credential_query.view(), "sv=2019-02-02&sp=r&sig=abc%3D");
    EXPECT_EQ(credential->Signatures(), "abc%3D");
    EXPECT_EQ(request.query, "$top=1");
    EXPECT_EQ(request.path, "/T()");
    EXPECT_EQ(request.origin, "https://acct.table.core.windows.net");
    EXPECT_EQ(request.headers.Find("Authorization"), nullptr);
    EXPECT_EQ(request.headers.all().size(), 1U);
  }
}

}  // namespace
}  // namespace aztables
