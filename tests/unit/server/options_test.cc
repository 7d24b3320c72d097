// Checks the options of aztables-server: accepted values and error messages.
#include "server/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "auth/connection_settings.h"

namespace aztables {
namespace {

constexpr char kKeyA[] = "QUJD";  // "ABC"
constexpr char kKeyB[] = "WFla";  // "XYZ"

Result<Options> Parse(const std::vector<const char*>& arguments, std::string_view variable = "") {
  return ParseOptions(arguments, variable);
}

TEST(Options, HaveDefaults) {
  const auto options = Parse({"--store", "a.db"});
  ASSERT_TRUE(options.ok()) << options.status().message();
  EXPECT_EQ(options->action, Options::Action::kServe);
  EXPECT_EQ(options->store, "a.db");
  EXPECT_EQ(options->http.host, "127.0.0.1");
  EXPECT_EQ(options->http.port, 10002);
  EXPECT_EQ(options->http.idle_timeout.count(), 120);
  EXPECT_FALSE(options->insecure_default_key);
  EXPECT_FALSE(options->allowed_hosts.Allows("tables"));
  EXPECT_TRUE(options->accounts.empty());
  EXPECT_FALSE(options->log);
  EXPECT_FALSE(options->oauth);
  EXPECT_FALSE(options->simulation.has_value());
}

TEST(Options, AreAllRead) {
  const auto options =
      Parse({"--store=:memory:", "--host", "::1", "--port=0", "--log", "--idle-timeout", "7",
             "--allow-host", "Tables", "--allow-host=db.example.com", "--insecure-default-key",
             "--oauth", "--accounts-file", "f=g", "--simulate", "latency=5,reset-after@*6"});
  ASSERT_TRUE(options.ok()) << options.status().message();
  EXPECT_EQ(options->store, ":memory:");
  EXPECT_EQ(options->http.host, "::1");
  EXPECT_EQ(options->http.port, 0);
  EXPECT_TRUE(options->log);
  EXPECT_EQ(options->http.idle_timeout.count(), 7);
  EXPECT_TRUE(options->insecure_default_key);
  EXPECT_TRUE(options->oauth);
  EXPECT_TRUE(options->allowed_hosts.Allows("tables"));
  EXPECT_TRUE(options->allowed_hosts.Allows("DB.example.com:1"));
  EXPECT_EQ(options->accounts_file, "f=g");
  ASSERT_TRUE(options->simulation.has_value());
  EXPECT_EQ(options->simulation->latency.count(), 5);
  EXPECT_EQ(options->simulation->faults.size(), 1U);
}

TEST(Options, AccountsAddUp) {
  const auto options = Parse({"--store=a", "--account", "abc:QUJD:WFla", "--account=d1f:QUJD"},
                             " ghi:WFla; ;devstoreaccount1:QUJD;");
  ASSERT_TRUE(options.ok()) << options.status().message();
  ASSERT_EQ(options->accounts.size(), 4U);
  const auto& keys = options->accounts.find("abc")->second;
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].Reveal(), "ABC");
  EXPECT_EQ(keys[1].Reveal(), "XYZ");
  EXPECT_EQ(options->accounts.find("ghi")->second[0].Reveal(), "XYZ");
}

TEST(Options, HelpAndVersionNeedNothingElse) {
  EXPECT_EQ(Parse({"--help", "--nonsense"})->action, Options::Action::kHelp);
  EXPECT_EQ(Parse({"-h"})->action, Options::Action::kHelp);
  EXPECT_EQ(Parse({"--port", "1", "--version"})->action, Options::Action::kVersion);
  EXPECT_EQ(VersionText(), "aztables-server 0.1.0\n");
}

TEST(Options, WrongOnesAreExplained) {
  const struct {
    std::vector<const char*> arguments;
    const char* sentence;
  } cases[] = {
      {{}, "--store is missing; see --help"},
      {{"--port", "1"}, "--store is missing; see --help"},
      {{"--store"}, "--store needs a value"},
      {{"--store="}, "--store: needs a value that is not empty"},
      {{"--store", "--log"}, "--store needs a value"},
      {{"--stor", "a"}, "there is no option --stor; see --help"},
      {{"--log=1"}, "--log takes no value"},
      {{"-x"}, "there is no option -x; see --help"},
      {{"--acount=abc:QUJD"}, "there is no option --acount; see --help"},
      {{"--store", "a", "abc:QUJD"}, "argument 3 is not an option; see --help"},
      {{"--port", "65536"}, "--port: needs a number from 0 to 65535"},
      {{"--port", "-1"}, "--port: needs a number from 0 to 65535"},
      {{"--port", "1x"}, "--port: needs a number from 0 to 65535"},
      {{"--port="}, "--port: needs a number from 0 to 65535"},
      {{"--idle-timeout=0"}, "--idle-timeout: needs a number from 1 to 86400"},
      {{"--allow-host", "a:1"}, "--allow-host: needs the name of a host, without a port"},
      {{"--allow-host", "*"}, "--allow-host: needs the name of a host, without a port"},
      {{"--allow-host="}, "--allow-host: needs the name of a host, without a port"},
      {{"--insecure-default-key=1"}, "--insecure-default-key takes no value"},
      {{"--simulate="}, "--simulate: the simulation has no item"},
      {{"--simulate", "latency=1, 503@x"},
       "--simulate: item 2 of the simulation (503) needs after '@' the number of a request (3), "
       "each n-th (*3) or a percentage such as 0.5%, above 0 and up to 100"},
      {{"--delay=5"}, "there is no option --delay; see --help"},
  };
  for (const auto& each : cases) {
    const auto options = Parse(each.arguments);
    ASSERT_FALSE(options.ok()) << each.sentence;
    EXPECT_EQ(options.status().message(), each.sentence);
  }
}

TEST(Options, WrongAccountsAreExplainedAndNeverRepeated) {
  constexpr char kName[] = "an account's name has 3 to 24 lower-case letters and digits";
  constexpr char kKey[] = "an account's key is not base64";
  const struct {
    const char* account;
    std::string sentence;
  } cases[] = {
      {"abc", "an account is written NAME:KEY or NAME:KEY1:KEY2"},
      {"ab:QUJD", kName},
      {"Abc:QUJD", kName},
      {"a-c:QUJD", kName},
      {":QUJD", kName},
      {"abcdefghijklmnopqrstuvwxy:QUJD", kName},
      {"abc:", kKey},
      {"abc:QUJ", kKey},
      {"abc:QUJD:?", kKey},
      {"abc:QUJD::QUJD", kKey},
      {"abc:QUJD:QUJD:QUJD", "an account has one or two keys"},
  };
  for (const auto& each : cases) {
    const auto argument = Parse({"--store=a", "--account", each.account});
    ASSERT_FALSE(argument.ok()) << each.account;
    EXPECT_EQ(argument.status().message(), "--account: " + each.sentence);
    const auto variable = Parse({"--store=a"}, std::string("xyz:QUJD;") + each.account);
    ASSERT_FALSE(variable.ok()) << each.account;
    EXPECT_EQ(variable.status().message(), "AZTABLES_SERVER_ACCOUNTS: account 2: " + each.sentence);
  }
  const auto twice = Parse({"--store=a", "--account=abc:QUJD"}, "abc:WFla");
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.status().message(),
            "AZTABLES_SERVER_ACCOUNTS: account 1: an account's name is given twice");
}

TEST(Options, HelpNamesEveryOption) {
  const std::string_view help = HelpText();
  for (const char* option :
       {"--store", "--host", "--port", "--account", "--accounts-file", "--idle-timeout", "--log",
        "--allow-host", "--help", "--version", "--simulate"}) {
    EXPECT_NE(help.find(std::string("\n  ") + option + " "), std::string_view::npos) << option;
  }
  EXPECT_NE(help.find("\n  --insecure-default-key\n"), std::string_view::npos);
}

TEST(Options, OnlyThePublishedKeyIsShown) {
  ServedAccounts accounts;
  AddEmulatorAccount(accounts);
  ASSERT_TRUE(AddAccount(std::string("abc:") + kKeyA + ":" + kKeyB, accounts).ok());
  const auto shown = Show(accounts);
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(ConnectionString(shown[0], "http://127.0.0.1:1"),
            "DefaultEndpointsProtocol=http;AccountName=abc;AccountKey=<key>;"
            "TableEndpoint=http://127.0.0.1:1/abc");
  EXPECT_NE(HelpText().find("  DefaultEndpointsProtocol=http;AccountName=NAME;"),
            std::string_view::npos);
  const auto settings = ParseConnectionString(ConnectionString(shown[1], "http://127.0.0.1:1"));
  ASSERT_TRUE(settings.ok()) << settings.status().message();
  EXPECT_EQ(settings->key.Reveal(), accounts.find("devstoreaccount1")->second[0].Reveal());
  ServedAccounts own;
  ASSERT_TRUE(AddAccount("devstoreaccount1:QUJD", own).ok());
  EXPECT_EQ(Show(own)[0].key, "<key>");
}

}  // namespace
}  // namespace aztables
