// Checks on_error=continue: refused operations are skipped and recorded, the rest is sent. Errors
// that no entity causes stop the COMMIT. Also checks the history.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/log_writes.h"
#include "support/scripted_tables.h"
#include "write/commit_history.h"

namespace aztables {
namespace {

using support::BatchFailure;
using support::ErrorResponse;
using support::ScriptedClient;
using support::ScriptedTables;
using Texts = std::vector<std::string>;

constexpr char kSecondExists[] = "1:The specified entity already exists.";
constexpr char kChanged[] = "0:The update condition specified in the request was not satisfied.";

class RefusedTest : public testing::Test {
 protected:
  void Add(const std::string& partition, const std::string& row, EntityWrite write) {
    ASSERT_TRUE(log_.Add(1, {partition, row}, std::move(write), support::kNoLimit).ok());
  }
  void Insert(const std::string& partition, int rows) {
    for (int row = 0; row < rows; ++row) {
      Add(partition, std::to_string(row), support::WriteOf(WriteVerb::kInsert));
    }
  }
  void Move(const std::string& from, const std::string& to) {
    ASSERT_TRUE(log_.Move(1, {from, "1"}, {WriteVerb::kDelete, "e", ""}, {to, "1"},
                          support::WriteOf(WriteVerb::kInsert), support::kNoLimit)
                    .ok());
  }
  Status Commit() {
    const std::vector<TableWrites> writes = {{.to = {.client = &s_.client,
                                                     .table = "T",
                                                     .options = s_.options,
                                                     .continue_on_error = true},
                                              .log = &log_}};
    egts_ = *PlanEgts(writes);
    Status status = CommitWrites(writes, egts_, {});
    history_.Add(writes, egts_);
    return status;
  }
  // "p/1 Insert failed EntityAlreadyExists" for a row, "p 3 applied" for an EGT.
  Texts Recorded() const {
    Texts recorded;
    for (const CommitRecord* const record : history_.Records()) {
      std::string text = record->partition_key;
      if (record->has_entity) text += "/" + record->row_key + " " + record->operation;
      text += " " + std::to_string(record->operations) + " ";
      text += OutcomeName(record->outcome);
      if (!record->code.empty()) text += " " + record->code;
      recorded.push_back(std::move(text));
    }
    return recorded;
  }

  ScriptedTables tables_;
  ScriptedClient s_{tables_.Handler()};
  WriteLog log_;
  std::vector<Egt> egts_;
  CommitHistory history_;
};

TEST_F(RefusedTest, TheRestIsSentAgain) {
  Insert("p", 3);
  tables_.replies["p"] = {{BatchFailure(409, "EntityAlreadyExists", kSecondExists)}};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(tables_.stored, (std::multiset<std::string>{"T/p/0", "T/p/2"}));
  EXPECT_EQ(Recorded(), (Texts{"p 2 applied", "p/1 Insert 1 failed EntityAlreadyExists"}));
  const CommitRecord& refused = *history_.Records()[1];
  EXPECT_EQ(refused.http_status, 409);
  EXPECT_EQ(refused.message,
            "writing to table T (connection 'demo') failed: the entity PartitionKey='p', "
            "RowKey='1' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it "
            "[409 EntityAlreadyExists, request id id-1]");
  EXPECT_EQ(history_.refused(), 1U);
}

TEST_F(RefusedTest, AfterTheSecondTheOthersAreAskedFor) {
  Insert("p", 6);
  const auto exists = BatchFailure(409, "EntityAlreadyExists", kSecondExists);
  // The response to the query for the remaining four: 3 exists.
  const auto keys = support::MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":"3"}]})",
                                          "application/json");
  tables_.replies["p"] = {{exists}, {exists}};
  tables_.replies["?"] = {{keys}};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(tables_.stored, (std::multiset<std::string>{"T/p/0", "T/p/4", "T/p/5"}));
  EXPECT_EQ(Recorded(), (Texts{"p 3 applied", "p/1 Insert 1 failed EntityAlreadyExists",
                               "p/2 Insert 1 failed EntityAlreadyExists",
                               "p/3 Insert 1 failed EntityAlreadyExists"}));
  EXPECT_EQ(s_.transport.requests().size(), 4U);
}

TEST_F(RefusedTest, WhereNothingIsLeftNothingIsSent) {
  Add("p", "0", support::WriteOf(WriteVerb::kMerge, {}, "e"));
  Insert("q", 1);
  tables_.replies["p"] = {{BatchFailure(412, "UpdateConditionNotSatisfied", kChanged)}};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(Recorded(), (Texts{"q 1 applied", "p/0 Merge 1 failed UpdateConditionNotSatisfied"}));
}

TEST_F(RefusedTest, WhatIsNoFaultOfAnEntityStops) {
  const auto refuse = [&](const support::ScriptedReply& reply) {
    log_.Clear();
    Insert("p", 2);
    Insert("q", 1);
    tables_.replies["p"] = {reply};
    EXPECT_FALSE(Commit().ok());
    EXPECT_EQ(history_.refused(), 0U);
  };
  // Errors of the whole batch.
  for (const auto& [status, code] :
       std::vector<std::pair<int, std::string>>{{400, "InvalidUri"},
                                                {401, "NoAuthenticationInformation"},
                                                {403, "AuthorizationFailure"},
                                                {404, "ResourceNotFound"},
                                                {409, "AccountBeingCreated"},
                                                {413, "RequestBodyTooLarge"},
                                                {429, "TooManyRequests"},
                                                {500, "InternalError"},
                                                {503, "ServerBusy"}}) {
    SCOPED_TRACE(code);
    refuse({ErrorResponse(status, code, "no")});
  }
  // Errors of its first operation.
  for (const auto& [status, code] :
       std::vector<std::pair<int, std::string>>{{403, "AuthorizationPermissionMismatch"},
                                                {404, "TableNotFound"},
                                                {409, "TableBeingDeleted"},
                                                {500, "InternalError"},
                                                {503, "ServerBusy"}}) {
    SCOPED_TRACE(code);
    refuse({BatchFailure(status, code, "0:no")});
  }
  refuse({BatchFailure(400, "InvalidInput", "no number")});
}

TEST_F(RefusedTest, ChangedAndDeletedEntitiesAreForeseen) {
  for (const char* row : {"0", "1", "2", "3", "4", "5"}) {
    Add("p", row, support::WriteOf(WriteVerb::kMerge, {}, "old"));
  }
  Add("p", "6", {WriteVerb::kDelete, "*", ""});
  const auto changed = BatchFailure(412, "UpdateConditionNotSatisfied", kChanged);
  tables_.replies["p"] = {{changed}, {changed}};
  tables_.replies["?"] = {
      {support::MakeResponse(200,
                             R"({"value":[{"odata.etag":"old","PartitionKey":"p","RowKey":"2"},)"
                             R"({"odata.etag":"new","PartitionKey":"p","RowKey":"3"},)"
                             R"({"odata.etag":"old","PartitionKey":"p","RowKey":"5"}]})",
                             "application/json")}};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(Recorded(), (Texts{"p 2 applied", "p/0 Merge 1 failed UpdateConditionNotSatisfied",
                               "p/1 Merge 1 failed UpdateConditionNotSatisfied",
                               "p/4 Merge 1 failed ResourceNotFound",
                               "p/3 Merge 1 failed UpdateConditionNotSatisfied"}))
      << "and the Delete of any version is left out without a word";
  EXPECT_EQ(s_.transport.requests().size(), 4U);
}

TEST_F(RefusedTest, AReadThatFailsLeavesNothingUnknown) {
  Insert("p", 3);
  const auto exists = BatchFailure(409, "EntityAlreadyExists", kSecondExists);
  tables_.replies["p"] = {{exists}, {exists}};
  tables_.replies["?"] = {{support::NoResponse(true, "the connection broke")}};
  EXPECT_FALSE(Commit().ok());
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kFailed);
}

TEST_F(RefusedTest, ADuplicateIsNamed) {
  Move("a", "b");
  tables_.replies["a"] = {{BatchFailure(412, "UpdateConditionNotSatisfied", kChanged)}};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(Recorded(), (Texts{"b 1 applied", "a/1 Delete 1 failed UpdateConditionNotSatisfied"}));
  EXPECT_TRUE(history_.Records()[1]->message.ends_with(
      "; the entity is there as PartitionKey='b', RowKey='1', too"))
      << history_.Records()[1]->message;
}

TEST_F(RefusedTest, AMoveGoesAsAWholeOrNotAtAll) {
  Move("a", "b");
  Move("c", "d");
  tables_.replies["b"] = {
      {BatchFailure(409, "EntityAlreadyExists", "0:The specified entity already exists.")}};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(tables_.sent, (Texts{"T/b", "T/d", "T/c"})) << "a keeps its entity";
  EXPECT_EQ(Recorded(), (Texts{"d 1 applied", "c 1 applied",
                               "b/1 Insert 1 failed EntityAlreadyExists", "a/1 Delete 1 failed"}));
  EXPECT_EQ(history_.Records()[3]->message,
            "not sent: an entity whose key was changed with this one was refused");
}

TEST_F(RefusedTest, AHistoryKeepsRefusalsBesideEgts) {
  const size_t many = CommitHistory::kCapacity + 10;
  CommitRecord refused;
  refused.outcome = EgtOutcome::kFailed;
  history_.AddRefused(refused);
  for (size_t i = 0; i < many; ++i)
    Add(std::to_string(i), "r", support::WriteOf(WriteVerb::kInsert));
  EXPECT_TRUE(Commit().ok());
  auto records = history_.Records();
  ASSERT_EQ(records.size(), CommitHistory::kCapacity + 2);
  EXPECT_EQ(records[0]->outcome, EgtOutcome::kFailed);
  EXPECT_EQ(records[0]->egts, 0);
  EXPECT_EQ(records[1]->egts, 10) << "the sum of those that are not listed";
  EXPECT_EQ(records[1]->operations, 10);
  EXPECT_EQ(records[1]->outcome, EgtOutcome::kApplied);
  EXPECT_EQ(records[2]->egts, 1);
  EXPECT_EQ(records[0]->commit_id, records[1]->commit_id);
  history_.TransactionEnded();
  EXPECT_EQ(history_.refused(), 0U);
  for (size_t i = 0; i < CommitHistory::kMostRefused + 5; ++i) history_.AddRefused(refused);
  records = history_.Records();
  EXPECT_EQ(records.size(), 2 + CommitHistory::kCapacity + CommitHistory::kMostRefused + 5)
      << "those of the transaction under way are all kept, the first COMMIT's is summed";
  EXPECT_EQ(records.back()->commit_id, 2);
}

// Every COMMIT has one EGT. The first ones are summed, then the first sums are.
TEST_F(RefusedTest, SumsOfManyCommitsAreSummedThemselves) {
  const size_t commits = 2 * CommitHistory::kCapacity + 7;
  const std::vector<TableWrites> writes = {{.to = {.client = &s_.client, .table = "Many"}}};
  for (size_t i = 0; i < commits; ++i) {
    std::vector<Egt> egts(1);
    egts[0].outcome = EgtOutcome::kApplied;
    egts[0].operations.resize(2);
    history_.Add(writes, egts);
    history_.TransactionEnded();
  }
  int64_t egts = 0;
  int64_t operations = 0;
  int64_t of_several = 0;
  size_t rows = 0;
  for (const CommitRecord* const record : history_.Records()) {
    ++rows;
    egts += record->egts;
    operations += record->operations;
    if (record->commit_id == 0) of_several += record->egts;
  }
  EXPECT_EQ(egts, static_cast<int64_t>(commits));
  EXPECT_EQ(operations, 2 * static_cast<int64_t>(commits));
  EXPECT_EQ(rows, 2 * CommitHistory::kCapacity);
  EXPECT_EQ(of_several, 8);
}

}  // namespace
}  // namespace aztables
