// Checks which unknown keys are reported as misspellings, since their values would be ignored.
#include "auth/connection_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "auth/connection_settings.h"
#include "base/encoding.h"

namespace aztables {
namespace {

struct Misspelled {
  const char* key;
  const char* meant;
};

constexpr Misspelled kMisspelled[] = {
    {"ReadOnli", "ReadOnly"},
    {"Read-Only", "ReadOnly"},
    {"Read Only", "ReadOnly"},
    {"READ_ONLY", "ReadOnly"},
    {"-read.only-", "ReadOnly"},
    {"RaedOnly", "ReadOnly"},
    {"RedOnly", "ReadOnly"},
    {"ReadOnlyy", "ReadOnly"},
    {"IsReadOnly", "ReadOnly"},
    {"ReadOnlyMode", "ReadOnly"},
    {"OnlyRead", "ReadOnly"},
    {"only_read", "ReadOnly"},
    {"ReadAccess", "ReadOnly"},
    {"AccessRead", "ReadOnly"},
    {"Read", "ReadOnly"},
    {"Read-", "ReadOnly"},
    {"ReadWrite", "ReadOnly"},
    {"Writable", "ReadOnly"},
    {"NoWrites", "ReadOnly"},
    {"Only", "ReadOnly"},
    {"Access", "ReadOnly"},
    {"access-mode", "ReadOnly"},
    {"Mode", "ReadOnly"},
    {"RO", "ReadOnly"},
    {"AllowWrites", "ReadOnly"},
    {"ReadOnly\xE2\x80\x8B", "ReadOnly"},  // a zero-width space
    {"Re\xD0\xB0"
     "dOnly",
     "ReadOnly"},  // a Cyrillic letter
    {"AccountKy", "AccountKey"},
    {"Account Key", "AccountKey"},
    {"AcountKey", "AccountKey"},
    {"AccountKey1", "AccountKey"},
    {"AccountNam", "AccountName"},
    {"Account_Name", "AccountName"},
    {"ca-file", "CaFile"},
    {"CaFil", "CaFile"},
    {"DefaultEndpointProtocol", "DefaultEndpointsProtocol"},
    {"DevelopmentStorageProxyUrl", "DevelopmentStorageProxyUri"},
    {"EndpointSufix", "EndpointSuffix"},
    {"Endpoint-Suffix", "EndpointSuffix"},
    {"DefaultEndpointSuffix", "EndpointSuffix"},
    {"LocalStor", "LocalStore"},
    {"Local-Store", "LocalStore"},
    {"LoaclStore", "LocalStore"},
    {"SharedAcessSignature", "SharedAccessSignature"},
    {"Shared Access Signature", "SharedAccessSignature"},
    {"TablEndpoint", "TableEndpoint"},
    {"Table-Endpoint", "TableEndpoint"},
    {"TableEndpoints", "TableEndpoint"},
    {"SecondaryTableEndpoint", "TableEndpoint"},
    {"UseDevelopmentStorge", "UseDevelopmentStorage"},
    {"Credentials", "Credential"},
    {"Secondary-Reads", "SecondaryReads"},
};

// Keys of Azure's connection strings, and keys that resemble none.
constexpr const char* kIgnored[] = {
    "BlobEndpoint",
    "QueueEndpoint",
    "FileEndpoint",
    "blobendpoint",
    "DfsEndpoint",
    "WebEndpoint",
    "BlobSecondaryEndpoint",
    "QueueSecondaryEndpoint",
    "Blob-Endpoint",
    "FileSecondaryEndpoint",
    "TableSecondaryEndpoint",
    "AccountKeyName",
    "Endpoint",
    "AccountEndpoint",
    "ApiKind",
    "SharedAccessKey",
    "EntityPath",
    "SharedAccessKeyName",
    "HubEndpoint",
    "BlobEndpont",
    "EndpointBlob",
    "AccessKey",
    "IngestionEndpoint",
    "LocalFile",
    "Thread",
    "Threads",
    "ThreadCount",
    "MaxThreads",
    "Spread",
    "Other",
    "Timeout",
    "Pooling",
    "ApplicationName",
    "Database",
    "x",
    "Sentinel",
    "---",
    "\xFF",
    "Encrypt",
};

TEST(ConnectionKeysTest, AMisspelledKeyIsAnErrorThatNamesTheOneMeant) {
  for (const auto& [key, meant] : kMisspelled) {
    EXPECT_EQ(MeantConnectionKey(key), meant) << key;
    for (const char* around : {"AccountName=acct;AccountKey=a2V5", "UseDevelopmentStorage=true",
                               "LocalStore=demo.db", "LocalStore=demo.db;ReadOnly=true"}) {
      const std::string text = std::string(around) + ";" + key + "=sentinel";
      const auto settings = ParseConnectionString(text);
      ASSERT_FALSE(settings.ok()) << text;
      const std::string message(settings.status().message());
      EXPECT_NE(message.find("did you mean " + std::string(meant) + "?"), std::string::npos)
          << text << ": " << message;
      EXPECT_EQ(message.find("sentinel"), std::string::npos) << message;
    }
  }
}

TEST(ConnectionKeysTest, KeysForOthersAreIgnoredInARemoteString) {
  for (const char* key : kIgnored) {
    EXPECT_EQ(MeantConnectionKey(key), std::nullopt) << key;
    const std::string part = ";" + std::string(key) + "=sentinel";
    EXPECT_TRUE(ParseConnectionString("AccountName=acct;AccountKey=a2V5" + part).ok()) << key;
    EXPECT_TRUE(ParseConnectionString("UseDevelopmentStorage=true" + part).ok()) << key;
    EXPECT_FALSE(ParseConnectionString("LocalStore=demo.db" + part).ok()) << key;
  }
}

TEST(ConnectionKeysTest, AKnownKeyIsNoMisspelling) {
  for (const std::string_view key : ConnectionKeys()) {
    EXPECT_EQ(MeantConnectionKey(key), std::nullopt) << key;
    EXPECT_EQ(MeantConnectionKey(ToLowerAscii(key)), std::nullopt) << key;
  }
}

struct Inside {
  const char* text;
  const char* key;
};

constexpr Inside kInside[] = {
    {"AccountName=a;SharedAccessSignature=sv=1&sig=sentinel%3D&ReadOnly=true", "ReadOnly"},
    {"AccountName=a;SharedAccessSignature=sv=1&sig=sentinel%3D,ReadOnly=true", "ReadOnly"},
    {"AccountName=a;SharedAccessSignature=sv=1&sig=sentinel ReadOnly=true", "ReadOnly"},
    {"AccountName=a;SharedAccessSignature=sv=1&sig=sentinel&read-only = true", "ReadOnly"},
    {"AccountName=a;SharedAccessSignature=sv=1&RO=1&sig=sentinel", "ReadOnly"},
    {"AccountName=a;SharedAccessSignature=ReadOnly=true&sv=1&sig=sentinel", "ReadOnly"},
    {"AccountName=a;SharedAccessSignature=?ReadOnly=true&sv=1&sig=sentinel", "ReadOnly"},
    {"AccountName=a;SharedAccessSignature=sig=sentinel&TableEndpoint=http://h", "TableEndpoint"},
    {"LocalStore=sentinel.db,ReadOnly=true", "ReadOnly"},
    {"LocalStore=sentinel.db ReadOnly=true", "ReadOnly"},
    {"LocalStore=sentinel.db&ReadOnli=true", "ReadOnly"},
    {"LocalStore=file:sentinel.db?mode=ro", "ReadOnly"},
    {"TableEndpoint=http://h:1/a,ReadOnly=true;AccountName=a;AccountKey=a2V5", "ReadOnly"},
    {"AccountName=a;AccountKey=a2V5\nReadOnly=true", "ReadOnly"},
    {"AccountName=a;AccountKey=a2V5==,\tREADONLY=true", "ReadOnly"},
    {"AccountName=a;AccountKey=a2V5;EndpointSuffix=core.windows.net, ReadOnly=true", "ReadOnly"},
    {"AccountName=a,AccountKey=a2V5", "AccountKey"},
    {"AccountName=a;AccountKey=a2V5;BlobEndpoint=https://x,ReadOnly=true", "ReadOnly"},
    {"UseDevelopmentStorage=true,ReadOnly=true", "ReadOnly"},
};

TEST(ConnectionKeysTest, AKeyInsideAValueIsAnError) {
  for (const auto& [text, key] : kInside) {
    const auto settings = ParseConnectionString(text);
    ASSERT_FALSE(settings.ok()) << text;
    const std::string message(settings.status().message());
    EXPECT_NE(message.find("holds the key " + std::string(key) +
                           ", or one like it, inside its value; separate keys by ';'"),
              std::string::npos)
        << text << ": " << message;
    EXPECT_EQ(message.find("sentinel"), std::string::npos) << message;
  }
}

TEST(ConnectionKeysTest, WhatIsNoKeyStandsInAValue) {
  constexpr const char* kSas =
      "?sv=2022-11-02&ss=bfqt&srt=sco&sp=rwdlacupiytfx&se=2026-12-31T00:00:00Z&st=2026-01-01&"
      "sip=1.2.3.4&spr=https&si=read&tn=ReadOnly&spk=a&epk=b%20c&srk=d&erk=e&skoid=1&sktid=2&"
      "saoid=3&scid=4&sig=abc%2Bdef%2Fghi12345678901234567890123456789012345678%3D=";
  EXPECT_TRUE(
      ParseConnectionString("AccountName=a;SharedAccessSignature=" + std::string(kSas)).ok());
  for (const char* text : {"LocalStore=/data/Read Only/a=b,c=d.db", "LocalStore=a ReadOnly.db",
                           "LocalStore=ReadOnly=true.db", "AccountName=a;AccountKey=Read",
                           "AccountName=a;AccountKey=ReadOnl=",
                           "AccountName=a;AccountKey=a2V5;Comment=for, reading only"}) {
    EXPECT_TRUE(ParseConnectionString(text).ok()) << text;
  }
}

TEST(ConnectionKeysTest, AByteOrderMarkIsNoPartOfTheFirstKey) {
  const auto settings = ParseConnectionString("\xEF\xBB\xBFReadOnly=true;LocalStore=a.db");
  ASSERT_TRUE(settings.ok()) << settings.status().message();
  EXPECT_TRUE(settings->read_only);
  EXPECT_FALSE(ParseConnectionString("\xEF\xBB\xBF").ok());
  EXPECT_FALSE(ParseConnectionString("LocalStore=a.db;\xEF\xBB\xBFReadOnly=true").ok());
}

// A secret in the place of a key is checked quickly and is not a misspelling.
TEST(ConnectionKeysTest, LongKeys) {
  EXPECT_EQ(MeantConnectionKey(std::string(1'000'000, 'k')), std::nullopt);
  for (const char* unit : {"=", "a=", ",a=", ",", " =", "thread"}) {
    std::string text;
    while (text.size() < 100'000) text += unit;
    EXPECT_EQ(ConnectionKeyWithin(text, true), std::nullopt) << unit;
    EXPECT_EQ(MeantConnectionKey(text), std::nullopt) << unit;
  }
}

}  // namespace
}  // namespace aztables
