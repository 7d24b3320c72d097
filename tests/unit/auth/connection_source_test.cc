// Checks the sources of connection strings: variables, files, names, the variables of the Azure
// tools, and inline forms in CREATE VIRTUAL TABLE. Errors never repeat the contents of a source.
#include "auth/connection_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace aztables {
namespace {

using Variables = std::map<std::string, std::string>;

Environment Fake(Variables variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

constexpr const char* kGood = "AccountName=acct;AccountKey=a2V5";
constexpr const char* kUrl = "https://acct.table.core.windows.net";

void ExpectError(const Status& status, std::initializer_list<const char*> words) {
  ASSERT_FALSE(status.ok());
  const std::string message(status.message());
  for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  EXPECT_EQ(message.find("sentinel"), std::string::npos) << message;
}

class FileTest : public testing::Test {
 protected:
  FileTest() : path_(testing::TempDir() + "aztables_connection_" + std::to_string(getpid())) {}
  ~FileTest() override { unlink(path_.c_str()); }
  void Write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  Result<ResolvedConnection> Resolve() { return ResolveHow("file:" + path_, Fake({})); }

  const std::string path_;
};

TEST(ResolveHowTest, TheStringItself) {
  const auto resolved = ResolveHow(std::string("  ") + kGood + "\n", Fake({}));
  ASSERT_TRUE(resolved.ok()) << resolved.status().message();
  EXPECT_EQ(resolved->source, "connection string");
  EXPECT_EQ(resolved->settings.endpoint.ToString(), kUrl);
  ExpectError(ResolveHow("AccountName=acct;AccountKey=sentinel!", Fake({})).status(),
              {"connection string", "base64"});
  ExpectError(ResolveHow("", Fake({})).status(), {"empty"});
}

TEST(ResolveHowTest, Variables) {
  const auto resolved = ResolveHow(" env:PROD ", Fake({{"PROD", std::string(kGood) + "\n"}}));
  ASSERT_TRUE(resolved.ok()) << resolved.status().message();
  EXPECT_EQ(resolved->source, "env:PROD");
  EXPECT_EQ(resolved->settings.account, "acct");
  ExpectError(ResolveHow("env:PROD", Fake({})).status(), {"PROD", "not set"});
  ExpectError(ResolveHow("env:", Fake({})).status(), {"name of an environment variable"});
  for (const char* misplaced : {"env:AccountName=a;AccountKey=sentinel", "env:sentinel==",
                                "env:https://sentinel/?sig=x", "env:sig=sentinel"}) {
    ExpectError(ResolveHow(misplaced, Fake({})).status(), {"name of an environment variable"});
  }
  ExpectError(ResolveHow("env:PROD", Fake({{"PROD", "sentinel"}})).status(),
              {"env:PROD", "part 1"});
  ExpectError(ResolveHow("env:PROD", Fake({{"PROD", "env:sentinel"}})).status(), {"env:PROD"});
}

TEST_F(FileTest, Contents) {
  for (const char* end : {"", "\n", "\r\n", "\n\n  "}) {
    Write(std::string(kGood) + end);
    const auto resolved = Resolve();
    ASSERT_TRUE(resolved.ok()) << resolved.status().message();
    EXPECT_EQ(resolved->source, "file:" + path_);
    EXPECT_EQ(resolved->settings.key.Reveal(), "key");
  }
  Write("AccountName=acct;AccountKey=sentinel!");
  ExpectError(Resolve().status(), {path_.c_str(), "base64"});
  Write("");
  ExpectError(Resolve().status(), {path_.c_str(), "empty"});
}

TEST_F(FileTest, WhatCannotBeRead) {
  ExpectError(Resolve().status(), {path_.c_str(), "cannot be read"});
  for (const char* misplaced :
       {"file:AccountName=a;AccountKey=sentinel", "file:sig=sentinel", "file:sentinel=="}) {
    ExpectError(ResolveHow(misplaced, Fake({})).status(), {"the path of a file"});
  }
  ExpectError(ResolveHow("file:", Fake({})).status(), {"cannot be read"});
  ExpectError(ResolveHow("file:" + testing::TempDir(), Fake({})).status(), {"cannot be read"});
  Write(std::string(kGood) + std::string(64 * 1024, ';'));
  ExpectError(Resolve().status(), {"too large"});
  Write(std::string(kGood) + std::string(64 * 1024 - std::string(kGood).size(), ';'));
  EXPECT_TRUE(Resolve().ok()) << "64 KiB are read";
}

TEST(ResolveNameTest, ItsOwnVariable) {
  for (const char* name : {"prod-eu_1", "PROD-EU_1", "Prod-eu-1"}) {
    const auto resolved = ResolveName(name, Fake({{"AZTABLES_CONNECTION_PROD_EU_1", kGood}}));
    ASSERT_TRUE(resolved.ok()) << name << resolved.status().message();
    EXPECT_EQ(resolved->source, "env:AZTABLES_CONNECTION_PROD_EU_1");
  }
  ExpectError(ResolveName("prod", Fake({{"AZTABLES_CONNECTION_PROD", "sentinel"}})).status(),
              {"env:AZTABLES_CONNECTION_PROD"});
}

TEST(ResolveNameTest, AnUnknownNameIsToldTheWays) {
  const Variables others = {{"AZURE_STORAGE_CONNECTION_STRING", kGood}};
  ExpectError(
      ResolveName("prod", Fake(others)).status(),
      {"'prod' is unknown", "aztables_connect('prod'", "env:", "file:", "AZTABLES_CONNECTION_PROD",
       "without an account: SELECT aztables_connect('prod', 'LocalStore=demo.db')"});
  ExpectError(
      ResolveName("default", Fake({})).status(),
      {"'default' is unknown", "AZTABLES_CONNECTION_DEFAULT", "AZURE_STORAGE_CONNECTION_STRING"});
}

TEST(ResolveNameTest, AnUnknownNameIsToldTheKnownNames) {
  ExpectError(ResolveName("prd", Fake({}), {"prod", "shop"}).status(),
              {"connection 'prd' is unknown; known connections: prod, shop; to name it: SELECT "
               "aztables_connect('prd', "});
  ExpectError(ResolveName("default", Fake({}), {"prod"}).status(),
              {"connection=NAME); known connections: prod; to name it: SELECT"});
}

TEST(NamesInEnvironmentTest, ThoseThatResolve) {
  const auto names = [] {
    std::vector<std::string> found = NamesInEnvironment();
    std::sort(found.begin(), found.end());
    return found;
  };
  const std::vector<std::string> before = names();
  const char* const variables[] = {"AZTABLES_CONNECTION_UNIT_ONE", "AZTABLES_CONNECTION_lower",
                                   "AZTABLES_CONNECTION_", "AZTABLES_CONNECTIONS_UNIT"};
  for (const char* variable : variables) setenv(variable, "AccountName=a", 1);
  setenv("AZTABLES_CONNECTION_UNIT_EMPTY", "", 1);  // counts as not set
  const std::vector<std::string> after = names();
  for (const char* variable : variables) unsetenv(variable);
  unsetenv("AZTABLES_CONNECTION_UNIT_EMPTY");
  std::vector<std::string> added;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(added));
  EXPECT_EQ(added, std::vector<std::string>{"unit_one"});
}

TEST(ResolveNameTest, TheChainOfDefault) {
  Variables variables = {
      {"AZTABLES_CONNECTION_DEFAULT", "AccountName=first;AccountKey=a2V5"},
      {"AZURE_STORAGE_CONNECTION_STRING", "AccountName=second;AccountKey=a2V5"},
      {"AZURE_STORAGE_ACCOUNT", "third"},
      {"AZURE_STORAGE_KEY", "a2V5"},
      {"AZURE_STORAGE_SAS_TOKEN", "?sv=1&sig=x"},
  };
  const auto resolve = [&] { return ResolveName("default", Fake(variables)); };
  EXPECT_EQ(resolve()->settings.account, "first");
  EXPECT_EQ(resolve()->source, "env:AZTABLES_CONNECTION_DEFAULT");
  variables.erase("AZTABLES_CONNECTION_DEFAULT");
  EXPECT_EQ(resolve()->settings.account, "second");
  EXPECT_EQ(resolve()->source, "env:AZURE_STORAGE_CONNECTION_STRING");
  variables.erase("AZURE_STORAGE_CONNECTION_STRING");
  EXPECT_EQ(resolve()->settings.account, "third");
  EXPECT_EQ(resolve()->settings.credential, CredentialKind::kAccountKey);
  EXPECT_EQ(resolve()->source, "env:AZURE_STORAGE_ACCOUNT and env:AZURE_STORAGE_KEY");
  variables.erase("AZURE_STORAGE_KEY");
  EXPECT_EQ(resolve()->settings.credential, CredentialKind::kSas);
  EXPECT_EQ(resolve()->settings.key.Reveal(), "sv=1&sig=x");
  EXPECT_EQ(resolve()->source, "env:AZURE_STORAGE_ACCOUNT and env:AZURE_STORAGE_SAS_TOKEN");
  variables.erase("AZURE_STORAGE_SAS_TOKEN");
  ExpectError(resolve().status(), {"AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN"});
  EXPECT_FALSE(ResolveName("other", Fake(variables)).ok());
}

TEST(ResolveNameTest, BadVariablesOfTheAzureTools) {
  ExpectError(
      ResolveName("default", Fake({{"AZURE_STORAGE_CONNECTION_STRING", "sentinel"}})).status(),
      {"env:AZURE_STORAGE_CONNECTION_STRING"});
  ExpectError(
      ResolveName("default", Fake({{"AZURE_STORAGE_ACCOUNT", "a;TableEndpoint=http://sentinel"},
                                   {"AZURE_STORAGE_KEY", "a2V5"}}))
          .status(),
      {"AZURE_STORAGE_ACCOUNT", "not a valid account name"});
  ExpectError(ResolveName("default", Fake({{"AZURE_STORAGE_ACCOUNT", "acct"},
                                           {"AZURE_STORAGE_KEY", "sentinel!"}}))
                  .status(),
              {"env:AZURE_STORAGE_KEY", "base64"});
  ExpectError(ResolveName("default", Fake({{"AZURE_STORAGE_ACCOUNT", "acct"},
                                           {"AZURE_STORAGE_SAS_TOKEN", "sentinel"}}))
                  .status(),
              {"env:AZURE_STORAGE_SAS_TOKEN", "no sig"});
}

TEST(ConnectionNameTest, LegalOnes) {
  for (const char* good : {"a", "prod", "PROD-eu_1", "-", "_", "0"}) {
    EXPECT_TRUE(IsConnectionName(good)) << good;
  }
  for (const char* bad : {"", "a b", "a.b", "a=b", "a:b", "a'b", "a/b", "\xC3\xA9", "a\n"}) {
    EXPECT_FALSE(IsConnectionName(bad)) << bad;
  }
  EXPECT_TRUE(IsConnectionName(std::string(64, 'a')));
  EXPECT_FALSE(IsConnectionName(std::string(65, 'a')));
}

TEST(InlineTest, WhatMayStandInADatabaseFile) {
  for (const char* good :
       {"prod", " prod ", "env:PROD", "file:/run/secrets/tables", "UseDevelopmentStorage=true",
        "usedevelopmentstorage=TRUE;", " UseDevelopmentStorage = true ; ", "LocalStore=demo.db",
        "localstore=:memory:", " LocalStore=/var/lib/a b.db "}) {
    EXPECT_TRUE(CheckInline(good).ok()) << good;
  }
  EXPECT_EQ(CheckInline(" ").message(),
            "the option connection has no value: write connection=NAME");
  const std::string rule = " is not the name of a connection: letters, digits, _ and -, 64 at most";
  EXPECT_EQ(CheckInline("demo.db").message(), "'demo.db'" + rule);
  EXPECT_EQ(CheckInline("my connection").message(), "'my connection'" + rule);
  for (const char* bad :
       {"env:", "file:", "env:AccountName=a;AccountKey=sentinel",
        "env:sentinel==", "file:AccountKey=sentinel", "file:sig=sentinel",
        "AccountName=a;AccountKey=sentinel", "https://sentinel.example",
        "UseDevelopmentStorage=true;AccountKey=sentinel", "UseDevelopmentStorage=false",
        "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://sentinel",
        "TableEndpoint=http://sentinel;SharedAccessSignature=sig=sentinel", "?sig=sentinel",
        "sentinel==", "sentinel/+", "prod;ReadOnly=true",
        "LocalStore=", "LocalStore=a.db;AccountKey=sentinel", "LocalStore=a.db;ReadOnly=true"}) {
    ExpectError(CheckInline(bad), {"CREATE VIRTUAL TABLE", "connection=NAME", "env:", "file:"});
    ExpectError(ResolveInline(bad, Fake({})).status(), {"CREATE VIRTUAL TABLE"});
  }
}

TEST(InlineTest, Resolves) {
  const Environment environment =
      Fake({{"AZTABLES_CONNECTION_PROD", kGood}, {"VAR", "AccountName=var;AccountKey=a2V5"}});
  EXPECT_EQ(ResolveInline("prod", environment)->settings.account, "acct");
  EXPECT_EQ(ResolveInline(" env:VAR ", environment)->settings.account, "var");
  EXPECT_EQ(ResolveInline("UseDevelopmentStorage=true", environment)->settings.kind,
            EndpointKind::kEmulator);
  ExpectError(ResolveInline("other", environment).status(), {"'other' is unknown"});
  ExpectError(ResolveInline("file:/nonexistent/x", environment).status(), {"/nonexistent/x"});
}

TEST(ProcessEnvironmentTest, AnEmptyVariableIsNotSet) {
  setenv("AZTABLES_UNIT_TEST", "value", 1);
  EXPECT_EQ(ProcessEnvironment()("AZTABLES_UNIT_TEST"), "value");
  setenv("AZTABLES_UNIT_TEST", "", 1);
  EXPECT_EQ(ProcessEnvironment()("AZTABLES_UNIT_TEST"), std::nullopt);
  unsetenv("AZTABLES_UNIT_TEST");
  EXPECT_EQ(ProcessEnvironment()("AZTABLES_UNIT_TEST"), std::nullopt);
}

}  // namespace
}  // namespace aztables
