// Checks the signatures of table and account SAS: independently computed ones, the strings to sign
// of every version, and that any change is detected. For other rules see sas_rights_test.cc.
#include <gtest/gtest.h>

#include "sas_request.h"
#include "service/auth/credentials.h"

namespace aztables {
namespace {

TEST(SasTest, VectorOfATable) {
  const auto access = TableSas().Send();
  ASSERT_TRUE(access.ok());
  EXPECT_EQ(access->kind, Access::Kind::kTableSas);
  EXPECT_EQ(access->table, "mytable");
  EXPECT_EQ(access->permissions, "raud");
  EXPECT_FALSE(access->from || access->to);
}

TEST(SasTest, VectorOfAnAccount) {
  const auto access = AccountSas().Send();
  ASSERT_TRUE(access.ok());
  EXPECT_EQ(access->kind, Access::Kind::kAccountSas);
  EXPECT_EQ(access->permissions, "raudl");
  EXPECT_EQ(access->resource_types, "sco");
}

TEST(SasTest, EveryFieldIsSigned) {
  for (const char* name :
       {"sp", "st", "se", "tn", "si", "sip", "spr", "sv", "spk", "srk", "epk", "erk", "sig"}) {
    for (const char* value : {"", "2026-11-29", "x"}) {
      AccessRequest sent = TableSas();
      const auto found = sent.query.find(name);
      if (*value == '\0' && found == sent.query.end()) continue;  // empty equals absent
      sent.Option(name, value);
      EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << name << "=" << value;
    }
  }
  for (const char* name : {"sp", "ss", "srt", "st", "se", "sip", "spr", "sv", "sig"}) {
    AccessRequest sent = AccountSas();
    sent.Option(name, "2026-11-29");
    EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << name;
  }
}

TEST(SasTest, EveryCharacterOfASignatureCounts) {
  for (const bool account : {false, true}) {
    const AccessRequest good = account ? AccountSas() : TableSas();
    const std::string signature = good.query.find("sig")->second;
    for (size_t at = 0; at < signature.size(); ++at) {
      AccessRequest sent = account ? AccountSas() : TableSas();
      std::string bad = signature;
      bad[at] = bad[at] == 'A' ? 'B' : 'A';
      sent.Option("sig", bad);
      EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << bad;
    }
  }
}

TEST(SasTest, OtherOptionsChangeNothing) {
  AccessRequest sent = TableSas();
  sent.Option("$filter", "A eq 1");
  sent.Option("comp", "acl");
  sent.Option("ss", "t");
  sent.Option("srt", "sco");
  const auto access = sent.Send();
  ASSERT_TRUE(access.ok());
  EXPECT_EQ(access->kind, Access::Kind::kTableSas) << "tn decides";
  sent = AccountSas();
  sent.Option("si", "no such policy");
  sent.Option("spk", "x");
  EXPECT_EQ(sent.Outcome(), "OK") << "no fields of an account SAS";
}

TEST(SasTest, TwoReadingsAreNone) {
  for (const char* name : {"sig", "sv", "sp", "se", "tn", "spk"}) {
    AccessRequest sent = TableSas();
    sent.query.emplace(name, "x");
    sent.query.emplace(name, "");
    EXPECT_EQ(sent.Outcome(), "AuthenticationFailed") << name;
  }
  // A line end inside a field could move text into another field.
  AccessRequest sent = TableSas();
  sent.Option("spk", "a\nb");
  SignTable(sent);
  EXPECT_EQ(sent.Outcome(), "AuthenticationFailed");
}

TEST(SasTest, OlderVersionsOfATableSas) {
  const std::string times = "r\n\n2026-11-30\n";
  struct {
    const char* version;
    std::string text;
    const char* outcome;
  } const cases[] = {
      {"2012-02-12", times + "/devstoreaccount1/mytable\n\n2012-02-12\na\n\nb\n", "OK"},
      {"2014-02-14", times + "/devstoreaccount1/mytable\n\n2014-02-14\na\n\nb\n", "OK"},
      {"2014-02-14", times + "/table/devstoreaccount1/mytable\n\n2014-02-14\na\n\nb\n",
       "AuthenticationFailed"},
      {"2015-02-21", times + "/table/devstoreaccount1/mytable\n\n2015-02-21\na\n\nb\n", "OK"},
      {"2015-04-05", times + "/table/devstoreaccount1/mytable\n\n\n\n2015-04-05\na\n\nb\n", "OK"},
      {"2015-04-05", times + "/table/devstoreaccount1/mytable\n\n2015-04-05\na\n\nb\n",
       "AuthenticationFailed"},
      {"2026-06-06", times + "/table/devstoreaccount1/mytable\n\n\n\n2026-06-06\na\n\nb\n", "OK"},
      {"2011-08-18", times + "/devstoreaccount1/mytable\n\n2011-08-18\na\n\nb\n",
       "AuthenticationFailed"},
      {"2011-08-18", "", "AuthenticationFailed"},
      {"2019-2-2", times + "/table/devstoreaccount1/mytable\n\n\n\n2019-2-2\na\n\nb\n",
       "AuthenticationFailed"},
      {"", times + "/table/devstoreaccount1/mytable\n\n\n\n\na\n\nb\n", "AuthenticationFailed"},
  };
  for (const auto& c : cases) {
    AccessRequest sent;
    for (const auto& [name, value] : std::map<std::string, std::string>{{"sv", c.version},
                                                                        {"tn", "mytable"},
                                                                        {"sp", "r"},
                                                                        {"se", "2026-11-30"},
                                                                        {"spk", "a"},
                                                                        {"epk", "b"}}) {
      sent.Option(name, value);
    }
    sent.Sign(c.text);
    EXPECT_EQ(sent.Outcome(), c.outcome) << c.text;
  }
}

TEST(SasTest, VersionsOfAnAccountSas) {
  const auto outcome = [](const std::string& version, const std::string& end) {
    AccessRequest sent = AccountSas();
    sent.Option("sv", version);
    sent.Sign("devstoreaccount1\nraudl\nt\nsco\n\n2026-11-30T00:00:00Z\n\n\n" + version + end);
    return sent.Outcome();
  };
  EXPECT_EQ(outcome("2015-04-05", "\n"), "OK");
  EXPECT_EQ(outcome("2020-12-05", "\n"), "OK");
  EXPECT_EQ(outcome("2020-12-06", "\n\n"), "OK") << "a line for the encryption scope";
  EXPECT_EQ(outcome("2026-06-06", "\n\n"), "OK");
  EXPECT_EQ(outcome("2020-12-06", "\n"), "AuthenticationFailed");
  EXPECT_EQ(outcome("2015-04-05", "\n\n"), "AuthenticationFailed");
  EXPECT_EQ(outcome("2015-04-05", ""), "AuthenticationFailed") << "it ends with a line end";
  EXPECT_EQ(outcome("2015-02-21", "\n"), "AuthenticationFailed") << "before there were any";
}

}  // namespace
}  // namespace aztables
