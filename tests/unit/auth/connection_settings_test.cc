// Checks connection strings: all forms that the official clients accept, and their settings.
#include "auth/connection_settings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"
#include "unit/auth/emulator_key.h"

namespace aztables {
namespace {

// The emulator's account key, published in its documentation.
const std::string kAccountSas = "sv=2019-02-02&ss=t&srt=sco&sp=rl&sig=abc%2Bdef%3D";

struct GoodCase {
  std::string text;
  std::string endpoint;
  EndpointKind kind;
  CredentialKind credential;
  std::string account;
  std::string key;  // the revealed secret
  bool read_only = false;
};

constexpr auto kKey = CredentialKind::kAccountKey;
constexpr auto kSasKind = CredentialKind::kSas;
constexpr auto kStorage = EndpointKind::kStorage;
constexpr auto kCosmos = EndpointKind::kCosmos;
constexpr auto kEmulator = EndpointKind::kEmulator;
const std::string kEmulatorUrl = "http://127.0.0.1:10002/devstoreaccount1";
const std::string kStorageUrl = "https://acct.table.core.windows.net";

std::vector<GoodCase> EmulatorCases() {
  std::string emulator_key;
  EXPECT_TRUE(Base64Decode(kEmulatorKey, emulator_key));
  return {
      {"UseDevelopmentStorage=true", kEmulatorUrl, kEmulator, kKey, "devstoreaccount1",
       emulator_key},
      {"usedevelopmentstorage=TRUE;", kEmulatorUrl, kEmulator, kKey, "devstoreaccount1",
       emulator_key},
      {" UseDevelopmentStorage = true ; ReadOnly=true", kEmulatorUrl, kEmulator, kKey,
       "devstoreaccount1", emulator_key, true},
      {"UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://azurite",
       "http://azurite:10002/devstoreaccount1", kEmulator, kKey, "devstoreaccount1", emulator_key},
      {"UseDevelopmentStorage=true;DevelopmentStorageProxyUri=https://azurite:1234/",
       "https://azurite:1234/devstoreaccount1", kEmulator, kKey, "devstoreaccount1", emulator_key},
      {"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=" +
           std::string(kEmulatorKey) +
           ";BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;"
           "TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;",
       kEmulatorUrl, kEmulator, kKey, "devstoreaccount1", emulator_key},
  };
}

std::vector<GoodCase> AccountCases() {
  return {
      {"DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5;"
       "EndpointSuffix=core.windows.net",
       kStorageUrl, kStorage, kKey, "acct", "key"},
      {"AccountName=acct;AccountKey=a2V5", kStorageUrl, kStorage, kKey, "acct", "key"},
      {"accountname=acct;ACCOUNTKEY=a2V5;;", kStorageUrl, kStorage, kKey, "acct", "key"},
      {"\r\n AccountName = acct ;\r\n AccountKey = a2V5 ;\r\n", kStorageUrl, kStorage, kKey, "acct",
       "key"},
      {"AccountName=acct;AccountKey=a2U=", kStorageUrl, kStorage, kKey, "acct", "ke"},
      {"AccountName=acct;AccountKey=aw==", kStorageUrl, kStorage, kKey, "acct", "k"},
      {"DefaultEndpointsProtocol=http;AccountName=acct;AccountKey=a2V5",
       "http://acct.table.core.windows.net", kStorage, kKey, "acct", "key"},
      {"AccountName=acct;AccountKey=a2V5;EndpointSuffix=core.chinacloudapi.cn",
       "https://acct.table.core.chinacloudapi.cn", kStorage, kKey, "acct", "key"},
      {"AccountName=acct;AccountKey=a2V5;TableEndpoint=https://tables.example:8443/x/;"
       "EndpointSuffix=ignored.example",
       "https://tables.example:8443/x", kStorage, kKey, "acct", "key"},
      {"AccountName=acct;AccountKey=a2V5;QueueEndpoint=https://q;FileEndpoint=https://f;Other=x=y",
       kStorageUrl, kStorage, kKey, "acct", "key"},
      {"AccountName=acct;AccountKey=a2V5;UseDevelopmentStorage=false", kStorageUrl, kStorage, kKey,
       "acct", "key"},
      // Cosmos DB.
      {"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=a2V5;"
       "TableEndpoint=https://a.table.cosmos.azure.com:443/;",
       "https://a.table.cosmos.azure.com:443", kCosmos, kKey, "a", "key"},
      {"AccountName=a;AccountKey=a2V5;TableEndpoint=https://A.Table.CosmosDB.azure.com",
       "https://a.table.cosmosdb.azure.com", kCosmos, kKey, "a", "key"},
      {"AccountName=localhost;AccountKey=a2V5;TableEndpoint=http://localhost:8902/",
       "http://localhost:8902", kCosmos, kKey, "localhost", "key"},
  };
}

// The value of a SAS holds "=" and may begin with "?".
std::vector<GoodCase> SasCases() {
  return {
      {"TableEndpoint=https://acct.table.core.windows.net;SharedAccessSignature=" + kAccountSas,
       kStorageUrl, kStorage, kSasKind, "", kAccountSas},
      {"TableEndpoint=https://acct.table.core.windows.net/;SharedAccessSignature=?" + kAccountSas,
       kStorageUrl, kStorage, kSasKind, "", kAccountSas},
      {"AccountName=acct;SharedAccessSignature=" + kAccountSas + ";ReadOnly=1", kStorageUrl,
       kStorage, kSasKind, "acct", kAccountSas, true},
      {"BlobEndpoint=https://b;TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;"
       "SharedAccessSignature=" +
           kAccountSas,
       kEmulatorUrl, kEmulator, kSasKind, "", kAccountSas},
      {"TableEndpoint=http://acct.table.localhost:10002;SharedAccessSignature=" + kAccountSas,
       "http://acct.table.localhost:10002", kEmulator, kSasKind, "", kAccountSas},
      {"TableEndpoint=http://[::1]:10002/a;SharedAccessSignature=" + kAccountSas,
       "http://[::1]:10002/a", kEmulator, kSasKind, "", kAccountSas},
  };
}

void ExpectGood(const std::vector<GoodCase>& cases) {
  for (const GoodCase& good : cases) {
    const auto settings = ParseConnectionString(good.text);
    ASSERT_TRUE(settings.ok()) << good.text << ": " << settings.status().message();
    EXPECT_EQ(settings->endpoint.ToString(), good.endpoint) << good.text;
    EXPECT_EQ(settings->kind, good.kind) << good.text;
    EXPECT_EQ(settings->credential, good.credential) << good.text;
    EXPECT_EQ(settings->account, good.account) << good.text;
    EXPECT_EQ(settings->key.Reveal(), good.key) << good.text;
    EXPECT_EQ(settings->read_only, good.read_only) << good.text;
  }
}

TEST(ConnectionSettingsTest, TheEmulator) { ExpectGood(EmulatorCases()); }
TEST(ConnectionSettingsTest, AnAccountAndItsKey) { ExpectGood(AccountCases()); }
TEST(ConnectionSettingsTest, AnEndpointAndASas) { ExpectGood(SasCases()); }

// The portal and Storage Explorer hand out a URL, for an account or for a table.
TEST(ConnectionSettingsTest, AUrlWithASas) {
  const std::string local = "http://127.0.0.1:10002/devstoreaccount1";
  ExpectGood({
      {kStorageUrl + "/?" + kAccountSas, kStorageUrl, kStorage, kSasKind, "", kAccountSas},
      {kStorageUrl + "?" + kAccountSas, kStorageUrl, kStorage, kSasKind, "", kAccountSas},
      {" " + kStorageUrl + "/Orders?" + kAccountSas + "\n", kStorageUrl, kStorage, kSasKind, "",
       kAccountSas},
      {"'" + kStorageUrl + "/Orders()?" + kAccountSas + "'", kStorageUrl, kStorage, kSasKind, "",
       kAccountSas},
      {kStorageUrl + "/Orders?" + kAccountSas + ";ReadOnly=true", kStorageUrl, kStorage, kSasKind,
       "", kAccountSas, true},
      {local + "?" + kAccountSas, local, kEmulator, kSasKind, "", kAccountSas},
      {local + "/Orders?" + kAccountSas, local, kEmulator, kSasKind, "", kAccountSas},
      {"HTTPS://acct.table.cosmos.azure.com:443/Orders?" + kAccountSas,
       "https://acct.table.cosmos.azure.com:443", kCosmos, kSasKind, "", kAccountSas},
      {"TableEndpoint=" + kStorageUrl + "/Orders;SharedAccessSignature=" + kAccountSas, kStorageUrl,
       kStorage, kSasKind, "", kAccountSas},
  });
}

TEST(ConnectionSettingsTest, OtherFormsOfASas) {
  const std::string account = "AccountName=acct;SharedAccessSignature=";
  for (const std::string& sas :
       {"\"" + kAccountSas + "\"", "'?" + kAccountSas + "'", kStorageUrl + "/Orders?" + kAccountSas,
        "\"" + kStorageUrl + "/?" + kAccountSas + "\"",
        std::string("sv=2019-02-02&ss=t&srt=sco&sp=rl&sig=abc+def=")}) {
    ExpectGood({{account + sas, kStorageUrl, kStorage, kSasKind, "acct", kAccountSas}});
  }
}

TEST(ConnectionSettingsTest, Flags) {
  for (const char* value : {"true", "TRUE", "1", "yes", "on"}) {
    const auto settings =
        ParseConnectionString("AccountName=acct;AccountKey=a2V5;ReadOnly=" + std::string(value));
    ASSERT_TRUE(settings.ok()) << value;
    EXPECT_TRUE(settings->read_only) << value;
  }
  for (const char* value : {"false", "0", "no", "OFF"}) {
    const auto settings =
        ParseConnectionString("AccountName=acct;AccountKey=a2V5;ReadOnly=" + std::string(value));
    ASSERT_TRUE(settings.ok()) << value;
    EXPECT_FALSE(settings->read_only) << value;
  }
}

TEST(ConnectionSettingsTest, LocalStore) {
  for (const char* text : {"LocalStore=demo.db", "localstore = demo.db ;"}) {
    const auto settings = ParseConnectionString(text);
    ASSERT_TRUE(settings.ok()) << text;
    EXPECT_EQ(settings->kind, EndpointKind::kLocal);
    EXPECT_EQ(settings->credential, CredentialKind::kNone);
    EXPECT_EQ(settings->local_store, "demo.db");
    EXPECT_EQ(settings->Place(), "LocalStore=demo.db");
    EXPECT_FALSE(settings->read_only);
    EXPECT_EQ(MakeCredential(*settings), nullptr);
  }
  // A plan is not checked here; its names are not keys.
  const auto simulated = ParseConnectionString(
      "LocalStore=a.db;Simulate= seed=1, account_rate=9,503@1 ;ReadOnly=true");
  ASSERT_TRUE(simulated.ok());
  EXPECT_EQ(simulated->simulation, "seed=1, account_rate=9,503@1");
  EXPECT_EQ(simulated->Place(), "LocalStore=a.db");
  const auto read_only = ParseConnectionString("LocalStore=a=b.db;ReadOnly=true");
  ASSERT_TRUE(read_only.ok());
  EXPECT_TRUE(read_only->read_only);
  EXPECT_EQ(read_only->local_store, "a=b.db");
}

TEST(ConnectionSettingsTest, CaFile) {
  const auto settings = ParseConnectionString("AccountName=acct;AccountKey=a2V5;CAFILE=ca=1.pem");
  ASSERT_TRUE(settings.ok()) << settings.status().message();
  EXPECT_EQ(settings->ca_file, "ca=1.pem");
  EXPECT_EQ(ParseConnectionString("AccountName=acct;AccountKey=a2V5")->ca_file, "");
  const auto emulator = ParseConnectionString(
      "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=https://h;CaFile=/ca.pem");
  ASSERT_TRUE(emulator.ok()) << emulator.status().message();
  EXPECT_EQ(emulator->ca_file, "/ca.pem");
}

TEST(ConnectionSettingsTest, Names) {
  EXPECT_EQ(EndpointKindName(EndpointKind::kStorage), "storage");
  EXPECT_EQ(EndpointKindName(EndpointKind::kCosmos), "cosmos");
  EXPECT_EQ(EndpointKindName(EndpointKind::kEmulator), "emulator");
  EXPECT_EQ(CredentialKindName(CredentialKind::kAccountKey), "account key");
  EXPECT_EQ(EndpointKindName(EndpointKind::kLocal), "local");
  EXPECT_EQ(CredentialKindName(CredentialKind::kSas), "SAS");
  EXPECT_EQ(CredentialKindName(CredentialKind::kNone), "no credential");
}

}  // namespace
}  // namespace aztables
