// Checks the errors of connection strings. No error repeats a part of the string, since any part
// may contain a secret.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "auth/connection_settings.h"
#include "base/encoding.h"

namespace aztables {
namespace {

struct BadCase {
  const char* text;
  const char* words;  // a part of the expected message
};

constexpr BadCase kBad[] = {
    {"", "empty"},
    {" ; ;; \r\n", "empty"},
    {"LocalStore=sentinel;ReadOnly=", "ReadOnly in the connection string must be true or false"},
    {"AccountName=acct;AccountKey=a2V5;ReadOnly= ;", "ReadOnly"},
    {"LocalStore=;AccountName=acct;AccountKey=a2V5",
     "LocalStore in the connection string is empty"},
    {"AccountName=acct;AccountKey=a2V5;CaFile=", "CaFile in the connection string is empty"},
    {"UseDevelopmentStorage=", "UseDevelopmentStorage"},
    {"sentinel", "part 1"},
    {"https://sentinel.table.core.windows.net/", "the URL has no SAS"},
    {"https://acct.table.core.windows.net/?sv=sentinel", "no sig"},
    {"https://sentinel.blob.core.windows.net/?sv=1&sig=s", "write .table. in place of .blob."},
    {"AccountName=acct;AccountKey=a2V5;TableEndpoint=https://sentinel.queue.core.windows.net",
     "write .table. in place of .queue."},
    {"AccountName=acct;sentinel", "part 2"},
    {"AccountName=acct;=sentinel", "part 2"},
    {"AccountName=acct;;sentinel", "part 3"},
    {"AccountName=acct;AccountKey=a2V5;accountKEY=sentinel", "twice"},
    {"Sentinel=sentinel;Sentinel=sentinel", "twice"},
    {"sentinel=sentinel", "neither AccountName nor TableEndpoint"},
    {"AccountKey=a2V5", "neither AccountName nor TableEndpoint"},
    {"SharedAccessSignature=sv=1&sig=sentinel", "neither AccountName nor TableEndpoint"},
    {"AccountName=sentinel.sentinel;AccountKey=a2V5", "AccountName"},
    {"AccountName=sentinel/;AccountKey=a2V5", "AccountName"},
    {"AccountName=sentinel@host;AccountKey=a2V5", "AccountName"},
    {"AccountName=sentinel\xC3\xA9;AccountKey=a2V5", "AccountName"},
    {"AccountName=acct", "none of AccountKey, SharedAccessSignature and Credential"},
    {"AccountName=acct;AccountKey=", "none of AccountKey, SharedAccessSignature and Credential"},
    {"TableEndpoint=https://sentinel.example",
     "none of AccountKey, SharedAccessSignature and Credential"},
    {"AccountName=acct;AccountKey=sentinel!", "base64"},
    {"AccountName=acct;AccountKey=sentinel=", "base64"},
    {"AccountName=acct;AccountKey=sen tinel", "base64"},
    {"AccountName=acct;AccountKey=====", "base64"},
    {"AccountName=acct;AccountKey=a2V5;SharedAccessSignature=sig=sentinel", "more than one of"},
    {"TableEndpoint=https://sentinel.example;AccountKey=a2V5", "without AccountName"},
    {"AccountName=acct;SharedAccessSignature=sentinel", "no sig"},
    {"AccountName=acct;SharedAccessSignature=?", "no sig"},
    {"AccountName=acct;SharedAccessSignature=sig=sentinel#x", "character"},
    {"AccountName=acct;SharedAccessSignature=sig=sen tinel", "character"},
    {"AccountName=acct;SharedAccessSignature=sig=sentinel\xC3\xA9", "character"},
    {"AccountName=acct;SharedAccessSignature=sig=sentinel\r\nX: y", "character"},
    {"AccountName=acct;AccountKey=a2V5;TableEndpoint=sentinel", "endpoint is malformed"},
    {"AccountName=acct;AccountKey=a2V5;TableEndpoint=ftp://sentinel", "endpoint is malformed"},
    {"AccountName=acct;AccountKey=a2V5;TableEndpoint=https://h?sig=sentinel", "query"},
    {"AccountName=acct;AccountKey=a2V5;TableEndpoint=https://sentinel@h", "user name"},
    {"AccountName=acct;AccountKey=a2V5;DefaultEndpointsProtocol=sentinel", "malformed"},
    {"AccountName=acct;AccountKey=a2V5;EndpointSuffix=sentinel sentinel", "malformed"},
    {"AccountName=acct;AccountKey=a2V5;ReadOnly=sentinel", "ReadOnly"},
    {"UseDevelopmentStorage=sentinel", "UseDevelopmentStorage"},
    {"UseDevelopmentStorage=true;DevelopmentStorageProxyUri=sentinel",
     "DevelopmentStorageProxyUri"},
    {"LocalStore=sentinel;AccountName=acct", "both LocalStore and AccountName"},
    {"LocalStore=sentinel;AccountKey=a2V5", "both LocalStore and AccountKey"},
    {"LocalStore=sentinel;TableEndpoint=https://host", "both LocalStore and TableEndpoint"},
    {"LocalStore=sentinel;SharedAccessSignature=sig=x", "LocalStore and SharedAccessSignature"},
    {"UseDevelopmentStorage=true;LocalStore=sentinel", "LocalStore and UseDevelopmentStorage"},
    {"LocalStore=sentinel;CaFile=/ca.pem", "both LocalStore and CaFile"},
    {"LocalStore=sentinel;EndpointSuffix=x", "both LocalStore and EndpointSuffix"},
    {"LocalStore=sentinel;Sentinel=sentinel", "part 2 of the connection string has an unknown key"},
    {"Sentinel=;ReadOnly=true;LocalStore=sentinel", "part 1"},
    {"LocalStore=sentinel;BlobEndpoint=https://sentinel",
     "only ReadOnly and Simulate may be combined with LocalStore"},
    {"LocalStore=sentinel;Simulate=", "Simulate in the connection string is empty"},
    {"AccountName=sentinel;AccountKey=a2V5;Simulate=sentinel",
     "Simulate in the connection string needs LocalStore"},
    {"UseDevelopmentStorage=true;Simulate=sentinel", "Simulate in the connection string needs"},
    {"LocalStore=sentinel;Read-Only=true", "did you mean ReadOnly?"},
    {"AccountName=acct;AccountKey=a2V5;ReadOnli=sentinel", "part 3"},
    {"AccountName=acct;AccountKy=sentinel", "did you mean AccountKey?"},
    {"AccountName=acct;AccountKey=a2V5;EndpointSuffix=h/sentinel==", "may be a key"},
    {"TableEndpoint=https://h/sentinel==;SharedAccessSignature=sig=x", "may be a key"},
    {"LocalStore=sig=sentinel", "LocalStore in the connection string is not a path"},
    {"AccountName=acct;AccountKey=a2V5;DefaultEndpointsProtocol=http;CaFile=sentinel", "https"},
    {"UseDevelopmentStorage=true;CaFile=sentinel", "https"},
    {"AccountName=acct;Credential=sentinel", "Credential"},
    {"AccountName=acct;Credential=ClientSecret;TenantId=t;ClientId=sentinel", "needs ClientSecret"},
    {"AccountName=acct;Credential=ClientSecret;TenantId=t;ClientId=sentinel;ClientSecret=x",
     "ClientId"},
    {"AccountName=acct;Credential=ClientSecret;ClientSecret=sentinel;ClientId=11111111-1111-4111-"
     "8111-111111111111",
     "needs TenantId"},
    {"AccountName=acct;Credential=ClientSecret;TenantId=sen/"
     "tinel;ClientId=11111111-1111-4111-8111-111111111111;ClientSecret=sentinel",
     "TenantId"},
    {"AccountName=acct;Credential=ClientSecret;TenantId=t;ClientId=11111111-1111-4111-8111-"
     "111111111111;ClientSecret=sentinel;"
     "AccountKey=a2V5",
     "more than one of"},
    {"AccountName=acct;Credential=ClientSecret;TenantId=t;ClientId=11111111-1111-4111-8111-"
     "111111111111;ClientSecret=sentinel;"
     "Authority=http://sentinel",
     "Authority"},
    {"AccountName=acct;Credential=ClientSecret;TenantId=t;ClientId=11111111-1111-4111-8111-"
     "111111111111;ClientSecret=sentinel;"
     "DefaultEndpointsProtocol=http",
     "only over https"},
    {"AccountName=acct;AccessToken=sentinel", "write AccessToken=env:VARIABLE"},
    {"AccountName=acct;AccessToken=env:T;ClientSecret=sentinel", "ClientSecret"},
    {"AccountName=acct;Credential=AccessToken", "needs AccessToken"},
    {"AccountName=acct;AccountKey=a2V5;SecondaryReads=true", "SecondaryReads"},
    {"AccountName=acct;AccountKey=a2V5;SecondaryReads=sentinel", "SecondaryReads"},
};

void ExpectNoSentinel(const Status& status, const std::string& text) {
  const std::string message = ToLowerAscii(std::string(status.message()));
  EXPECT_EQ(message.find("sentinel"), std::string::npos) << text << ": " << message;
  EXPECT_EQ(message.find("tinel"), std::string::npos) << text << ": " << message;
}

TEST(ConnectionRefusalsTest, Each) {
  for (const BadCase& bad : kBad) {
    const auto settings = ParseConnectionString(bad.text);
    ASSERT_FALSE(settings.ok()) << bad.text;
    EXPECT_EQ(settings.status().code(), Code::kError);
    EXPECT_NE(settings.status().message().find(bad.words), std::string_view::npos)
        << bad.text << ": " << settings.status().message();
    ExpectNoSentinel(settings.status(), bad.text);
  }
}

// All keys with all forms of a misplaced secret, alone and among valid parts.
TEST(ConnectionRefusalsTest, NoErrorHoldsAnyValueOfTheString) {
  const char* const keys[] = {"AccountName",
                              "AccountKey",
                              "TableEndpoint",
                              "EndpointSuffix",
                              "DefaultEndpointsProtocol",
                              "SharedAccessSignature",
                              "ReadOnly",
                              "UseDevelopmentStorage",
                              "DevelopmentStorageProxyUri",
                              "LocalStore",
                              "Simulate",
                              "CaFile",
                              "Read-Only",
                              "Credential",
                              "AccessToken",
                              "Authority",
                              "ClientId",
                              "ClientSecret",
                              "Scope",
                              "TenantId",
                              "SecondaryReads",
                              "SecretSentinel",
                              "Sentinel"};
  const char* const values[] = {"sentinel",
                                "SENTINEL==",
                                "sentinel sentinel",
                                "?sig=sentinel",
                                "sig=sentinel#",
                                "https://sentinel",
                                "https://sentinel:x",
                                "https://u:sentinel@h",
                                "https://h:sentinel",
                                "http://h/sentinel?sig=sentinel",
                                "http://[sentinel",
                                "c2VudGluZWw",
                                "sentinel\n",
                                "'sentinel'",
                                "sentinel\x01",
                                "\xFFsentinel",
                                "true;sentinel",
                                ";sentinel",
                                "x;Sentinel;y=sentinel"};
  const char* const around[] = {"", "AccountName=acct;", "AccountName=acct;AccountKey=a2V5;",
                                "TableEndpoint=https://h.example;SharedAccessSignature=sig=x;",
                                "UseDevelopmentStorage=true;"};
  size_t refused = 0;
  for (const char* key : keys) {
    for (const char* value : values) {
      for (const char* front : around) {
        for (const bool before : {true, false}) {
          const std::string part = std::string(key) + "=" + value;
          const std::string text = before ? front + part : part + ";" + front;
          const auto settings = ParseConnectionString(text);
          if (settings.ok()) continue;
          ++refused;
          ExpectNoSentinel(settings.status(), text);
        }
      }
    }
  }
  EXPECT_GT(refused, 1000U);
}

TEST(ConnectionRefusalsTest, TheKeyOfTheEmulatorIsCheckedLikeAnyOther) {
  std::string cut =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=";
  const auto settings = ParseConnectionString("AccountName=devstoreaccount1;AccountKey=" + cut);
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.status().message().find("Eby8"), std::string_view::npos);
}

}  // namespace
}  // namespace aztables
