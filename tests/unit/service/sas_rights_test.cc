// Checks well-signed SAS that are not valid for time, address, protocol, service or key range. For
// stored policies see sas_policy_test.cc.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sas_request.h"
#include "service/auth/access.h"

namespace aztables {
namespace {

// The outcome of both kinds (once if they agree) with these options, well signed.
std::string With(const std::vector<std::pair<std::string, std::string>>& options,
                 const char* client_address = "", bool https = false) {
  std::string outcomes[2];
  for (const bool account : {false, true}) {
    AccessRequest sent = account ? AccountSas() : TableSas();
    for (const auto& [name, value] : options) sent.Option(name, value);
    sent.input.client_address = client_address;
    sent.input.https = https;
    account ? SignAccount(sent) : SignTable(sent);
    outcomes[account ? 1 : 0] = sent.Outcome();
  }
  return outcomes[0] == outcomes[1] ? outcomes[0] : outcomes[0] + " and " + outcomes[1];
}

TEST(SasRightsTest, Times) {
  struct {
    const char* start;
    const char* expiry;
    const char* outcome;
  } constexpr kCases[] = {
      {"", "2026-11-30", "OK"},
      {"2026-11-01", "2026-11-30T00:00Z", "OK"},
      {"2026-11-02T10:00:00Z", "2026-11-02T10:00:00.0000001Z", "OK"},
      {"2026-11-02T12:00:00+02:00", "2026-11-02T11:00:01+01:00", "OK"},
      {"2026-11-02T10:00:00.0000001Z", "2026-11-30", "AuthenticationFailed"},
      {"2026-11-03", "2026-11-30", "AuthenticationFailed"},
      {"", "2026-11-02T10:00:00Z", "AuthenticationFailed"},
      {"", "2026-11-01", "AuthenticationFailed"},
      {"", "", "AuthenticationFailed"},
      {"2026-11-01", "", "AuthenticationFailed"},
      {"", "never", "AuthenticationFailed"},
      {"long ago", "2026-11-30", "AuthenticationFailed"},
      {"", "2026-11-31", "AuthenticationFailed"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(With({{"st", c.start}, {"se", c.expiry}}), c.outcome) << c.start << " " << c.expiry;
  }
}

TEST(SasRightsTest, Addresses) {
  struct {
    const char* range;
    const char* client;
    const char* outcome;
  } constexpr kCases[] = {
      {"", "10.0.0.1", "OK"},
      {"10.0.0.1", "10.0.0.1", "OK"},
      {"10.0.0.1", "", "OK"},  // unknown
      {"10.0.0.1", "10.0.0.2", "AuthorizationSourceIPMismatch"},
      {"10.0.0.1-10.0.1.0", "10.0.0.1", "OK"},
      {"10.0.0.1-10.0.1.0", "10.0.0.255", "OK"},
      {"10.0.0.1-10.0.1.0", "10.0.1.0", "OK"},
      {"10.0.0.1-10.0.1.0", "10.0.1.1", "AuthorizationSourceIPMismatch"},
      {"10.0.0.1-10.0.1.0", "10.0.0.0", "AuthorizationSourceIPMismatch"},
      {"200.0.0.0-255.255.255.255", "201.0.0.0", "OK"},
      {"10.0.1.0-10.0.0.1", "10.0.0.5", "AuthorizationSourceIPMismatch"},
      {"10.0.0.1", "::ffff:10.0.0.1", "OK"},
      {"10.0.0.1", "::1", "AuthorizationSourceIPMismatch"},
      {"10.0.0.1", "localhost", "AuthorizationSourceIPMismatch"},
      {"10.0.0", "10.0.0.1", "AuthenticationFailed"},
      {"10.0.0.1-", "10.0.0.1", "AuthenticationFailed"},
      {"-10.0.0.1", "10.0.0.1", "AuthenticationFailed"},
      {"10.0.0.1-10.0.0.2-10.0.0.3", "10.0.0.1", "AuthenticationFailed"},
      {"10.0.0.0/8", "10.0.0.1", "AuthenticationFailed"},
      {"256.0.0.1", "", "AuthenticationFailed"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(With({{"sip", c.range}}, c.client), c.outcome) << c.range << " " << c.client;
  }
}

TEST(SasRightsTest, Protocols) {
  for (const bool https : {false, true}) {
    EXPECT_EQ(With({{"spr", ""}}, "", https), "OK");
    EXPECT_EQ(With({{"spr", "https,http"}}, "", https), "OK");
    EXPECT_EQ(With({{"spr", "https"}}, "", https), https ? "OK" : "AuthorizationProtocolMismatch");
    EXPECT_EQ(With({{"spr", "http"}}, "", https), "AuthenticationFailed");
    EXPECT_EQ(With({{"spr", "ftp"}}, "", https), "AuthenticationFailed");
  }
}

TEST(SasRightsTest, FieldsOfAnAccountSas) {
  const auto outcome = [](const char* name, const char* value) {
    AccessRequest sent = AccountSas();
    sent.Option(name, value);
    SignAccount(sent);
    return sent.Outcome();
  };
  EXPECT_EQ(outcome("ss", "bqtf"), "OK");
  EXPECT_EQ(outcome("ss", "bqf"), "AuthorizationServiceMismatch");
  EXPECT_EQ(outcome("ss", ""), "AuthenticationFailed");
  EXPECT_EQ(outcome("srt", ""), "AuthenticationFailed");
  EXPECT_EQ(outcome("sp", ""), "AuthenticationFailed");
}

TEST(SasRightsTest, KeyRanges) {
  const auto send = [](const std::vector<std::pair<std::string, std::string>>& options) {
    AccessRequest sent = TableSas();
    for (const auto& [name, value] : options) sent.Option(name, value);
    SignTable(sent);
    return sent.Send();
  };
  const auto all = send({{"spk", "a"}, {"srk", "1"}, {"epk", "b"}, {"erk", "2"}});
  ASSERT_TRUE(all.ok() && all->from && all->to);
  EXPECT_EQ(all->from->partition_key, "a");
  EXPECT_EQ(all->from->row_key, "1");
  EXPECT_EQ(all->to->partition_key, "b");
  EXPECT_EQ(all->to->row_key, "2");
  const auto one = send({{"epk", "b"}, {"spk", ""}, {"erk", ""}});
  ASSERT_TRUE(one.ok() && !one->from && one->to);
  EXPECT_EQ(one->to->row_key, std::nullopt) << "an empty field is none: both are signed alike";
  EXPECT_FALSE(send({{"srk", "1"}}).ok());
  EXPECT_FALSE(send({{"erk", "1"}}).ok());
  EXPECT_FALSE(send({{"srk", "1"}, {"epk", "b"}}).ok());
  EXPECT_FALSE(send({{"spk", ""}, {"srk", "1"}}).ok());
}

}  // namespace
}  // namespace aztables
