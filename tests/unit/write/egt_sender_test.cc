// Checks SendEgts with EGTs that no write log has planned, such as those of a copy.
#include "write/egt_sender.h"

#include <gtest/gtest.h>

#include <list>
#include <set>
#include <string>
#include <vector>

#include "support/log_writes.h"
#include "support/scripted_tables.h"

namespace aztables {
namespace {

using support::BatchFailure;
using support::ScriptedClient;
using support::ScriptedTables;

class EgtSenderTest : public testing::Test {
 protected:
  // An EGT that inserts the rows into the partition.
  Egt Inserts(const std::string& partition, const std::vector<std::string>& rows) {
    std::vector<support::OwnedInsert> inserts;
    for (const std::string& row : rows) inserts.push_back({partition, row});
    const auto& kept = texts_.emplace_back(std::move(inserts));
    Egt egt;
    egt.operations = support::ViewsOf(kept);
    egt.skips.resize(rows.size());
    egt.partition_key = kept.front().partition_key;
    return egt;
  }
  bool Send(std::vector<Egt>& egts, Again again = Again::kNobody) {
    std::vector<Egt*> all;
    for (Egt& egt : egts) all.push_back(&egt);
    return SendEgts({.client = &s_.client, .table = "T", .options = s_.options}, all, {}, again);
  }

  ScriptedTables tables_;
  ScriptedClient s_{tables_.Handler()};
  std::list<std::vector<support::OwnedInsert>> texts_;
};

TEST_F(EgtSenderTest, SendsOperationsOfAnyOrigin) {
  std::vector<Egt> egts = {Inserts("p", {"1", "2"}), Inserts("q", {"1"})};
  EXPECT_TRUE(Send(egts));
  EXPECT_EQ(egts[0].outcome, EgtOutcome::kApplied);
  EXPECT_EQ(egts[1].outcome, EgtOutcome::kApplied);
  EXPECT_EQ(tables_.stored, (std::multiset<std::string>{"T/p/1", "T/p/2", "T/q/1"}));
}

TEST_F(EgtSenderTest, EachEgtHasItsOutcome) {
  tables_.replies["q"] = {{BatchFailure(409, "EntityAlreadyExists", "0:exists")}};
  std::vector<Egt> egts = {Inserts("p", {"1"}), Inserts("q", {"1"})};
  EXPECT_FALSE(Send(egts));
  EXPECT_EQ(egts[0].outcome, EgtOutcome::kApplied);
  EXPECT_EQ(egts[1].outcome, EgtOutcome::kFailed);
  EXPECT_EQ(egts[1].status.code(), Code::kAlreadyExists);
}

TEST_F(EgtSenderTest, APhaseWaitsForTheOneBefore) {
  tables_.replies["p"] = {{BatchFailure(409, "EntityAlreadyExists", "0:exists")}};
  std::vector<Egt> egts = {Inserts("late", {"1"}), Inserts("p", {"1"})};
  egts[0].phase = 1;
  EXPECT_FALSE(Send(egts));
  EXPECT_EQ(egts[0].outcome, EgtOutcome::kNotSent);
  EXPECT_EQ(tables_.sent, (std::vector<std::string>{"T/p"}));
}

// A call after a transient failure sends what is not applied, with the ids of before.
TEST_F(EgtSenderTest, KnowsWhatIsInDoubt) {
  s_.options.retries = 0;
  tables_.replies["p"] = {{support::NoResponse(true)}};
  std::vector<Egt> egts = {Inserts("p", {"1"}), Inserts("q", {"1"})};
  EXPECT_FALSE(Send(egts, Again::kRepeatedCommit));
  EXPECT_EQ(egts[0].outcome, EgtOutcome::kUnknown);
  EXPECT_EQ(egts[0].doubt, Doubt::kOpen);
  const std::string id = egts[0].client_request_id;
  std::vector<Egt> rest = {egts[0]};
  EXPECT_TRUE(Send(rest, Again::kRepeatedCommit));
  EXPECT_EQ(rest[0].client_request_id, id);
  EXPECT_TRUE(rest[0].settled);
}

TEST_F(EgtSenderTest, NothingToSend) {
  std::vector<Egt> none;
  EXPECT_TRUE(Send(none));
}

}  // namespace
}  // namespace aztables
