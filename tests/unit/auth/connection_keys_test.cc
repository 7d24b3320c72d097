// Checks which keys count as a misspelled one, whose value would be ignored, and which do not.
#include "aztables/auth/connection_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "aztables/auth/connection_settings.h"
#include "aztables/base/encoding.h"

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
    {"OnlyForReading", "ReadOnly"},
    {"ReadAccess", "ReadOnly"},
    {"AccessRead", "ReadOnly"},
    {"Read", "ReadOnly"},
    {"Read-", "ReadOnly"},
    {"ReadWrite", "ReadOnly"},
    {"Writable", "ReadOnly"},
    {"NoWrites", "ReadOnly"},
    {"Only", "ReadOnly"},
    {"ReadOnly\xE2\x80\x8B", "ReadOnly"},  // a blank of no width
    {"Re\xD0\xB0"
     "dOnly",
     "ReadOnly"},  // a Cyrillic letter
    {"AccountKy", "AccountKey"},
    {"KeyAccount", "AccountKey"},
    {"Key of Account", "AccountKey"},
    {"NameOfAccount", "AccountName"},
    {"EndpointTable", "TableEndpoint"},
    {"StoreLocal", "LocalStore"},
    {"LocalFileStore", "LocalStore"},
    {"StorageDevelopment-Use", "UseDevelopmentStorage"},
    {"SignatureSharedAccess", "SharedAccessSignature"},
    {"ReadsSecondary", "SecondaryReads"},
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
    {"UseDevelopmentStorge", "UseDevelopmentStorage"},
    {"Credentials", "Credential"},
    {"Secondary-Reads", "SecondaryReads"},
};

// Those of Azure's own strings, and what is like none.
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
    "SecondaryTableEndpoint",
    "AccessKey",
    "IngestionEndpoint",
    "LocalFile",
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

// A secret in the place of a key takes no time and is no misspelling.
TEST(ConnectionKeysTest, LongKeys) {
  EXPECT_EQ(MeantConnectionKey(std::string(1'000'000, 'k')), std::nullopt);
}

}  // namespace
}  // namespace aztables
