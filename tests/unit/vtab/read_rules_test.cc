// Checks the requests that a read without a usable key constraint may send.
#include "vtab/scan/read_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

std::vector<std::string> warnings;
void Warn(const std::string& message) { warnings.push_back(message); }

class ScanGuardTest : public testing::Test {
 protected:
  void SetUp() override { warnings.clear(); }
  Code Ask(ScanGuard& guard, ScanRule rule) { return Refusal(guard, rule).code(); }
  Status Refusal(ScanGuard& guard, ScanRule rule) {
    ReadRules rules;
    rules.who = "table t";
    rules.scan = rule;
    rules.scan_of = "t";
    return guard.MayAsk(rules, spending_, Warn);
  }
  Spending spending_;
};

TEST_F(ScanGuardTest, DenyAllowsTheFirstRequest) {
  ScanGuard guard;
  EXPECT_EQ(Ask(guard, ScanRule::kDeny), Code::kOk);
  const Status refused = Refusal(guard, ScanRule::kDeny);
  EXPECT_EQ(refused.code(), Code::kAuth);
  EXPECT_EQ(refused.message(),
            "table t: no condition on PartitionKey limits this read, and scan=deny allows it one "
            "request, which is not enough; add PartitionKey = '...' or a range of it, or a LIMIT; "
            "to allow it on this database connection: INSERT INTO t(_command) "
            "VALUES('scan=allow');");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ScanGuardTest, EveryReadOfAStatementHasItsFirstRequest) {
  ScanGuard one;
  ScanGuard two;
  EXPECT_EQ(Ask(one, ScanRule::kDeny), Code::kOk);
  EXPECT_EQ(Ask(two, ScanRule::kDeny), Code::kOk);
  EXPECT_EQ(Ask(one, ScanRule::kDeny), Code::kAuth);
}

TEST_F(ScanGuardTest, ButNotWithoutEnd) {
  for (int64_t i = 0; i < ScanGuard::kFirstRequests; ++i) {
    ScanGuard guard;
    EXPECT_EQ(Ask(guard, ScanRule::kDeny), Code::kOk);
  }
  ScanGuard guard;
  const Status refused = Refusal(guard, ScanRule::kDeny);
  EXPECT_EQ(refused.code(), Code::kAuth);
  EXPECT_NE(
      refused.message().find("scan=deny allows a statement 10 such reads, of one request each"),
      std::string::npos)
      << refused.message();
}

TEST_F(ScanGuardTest, ReadsUnderOtherRulesDoNotCount) {
  for (int i = 0; i < 50; ++i) {
    ScanGuard guard;
    EXPECT_EQ(Ask(guard, i % 2 == 0 ? ScanRule::kWarn : ScanRule::kAllow), Code::kOk);
  }
  ScanGuard guard;
  EXPECT_EQ(Ask(guard, ScanRule::kDeny), Code::kOk);
}

TEST_F(ScanGuardTest, WarnSaysItOnceForEachRead) {
  ScanGuard guard;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Ask(guard, ScanRule::kWarn), Code::kOk);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "table t: no condition on PartitionKey limits this read, so the whole table is read "
            "(scan=warn)");
}

TEST_F(ScanGuardTest, AllowSaysNothing) {
  ScanGuard guard;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Ask(guard, ScanRule::kAllow), Code::kOk);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace aztables
