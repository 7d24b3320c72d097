// Checks sending the writes of a COMMIT: all of them once, eight at a time, none after the first
// failure, and the outcome of every EGT, even after interrupts.
#include "write/commit.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "support/log_writes.h"
#include "support/scripted_tables.h"

namespace aztables {
namespace {

using support::BatchFailure;
using support::ErrorResponse;
using support::NoResponse;
using support::ScriptedClient;
using support::ScriptedReply;
using support::ScriptedTables;
using Texts = std::vector<std::string>;

constexpr char kFirstExists[] = "0:The specified entity already exists.";

class CommitTest : public testing::Test {
 protected:
  // `rows` entities in each of the partitions p0, p1, ...
  void Insert(WriteLog& log, int partitions, int rows) {
    for (int row = 0; row < rows; ++row) {
      for (int partition = 0; partition < partitions; ++partition) {
        ASSERT_TRUE(
            support::Insert(log, 1, {"p" + std::to_string(partition), std::to_string(row), {}})
                .ok());
      }
    }
  }
  TableWrites Writes(const WriteLog& log, const std::string& table = "T") const {
    return {.to = {.client = &s_.client, .table = table, .options = s_.options}, .log = &log};
  }
  Status Commit(const Cancel& cancel = {}) { return Commit({Writes(log_)}, cancel); }
  Status Commit(const std::vector<TableWrites>& writes, const Cancel& cancel = {}) {
    auto egts = PlanEgts(writes);
    if (!egts.ok()) return egts.status();
    egts_ = std::move(*egts);
    return CommitWrites(writes, egts_, cancel);
  }
  // The partitions with EGTs of one outcome: "p0 p2".
  std::string Partitions(EgtOutcome outcome) const {
    std::string names;
    for (const Egt& egt : egts_) {
      if (egt.outcome != outcome) continue;
      if (!names.empty()) names += ' ';
      names += (egt.table > 0 ? "U/" : "") + std::string(egt.partition_key);
    }
    return names;
  }

  ScriptedTables tables_;
  ScriptedClient s_{tables_.Handler()};
  WriteLog log_;
  std::vector<Egt> egts_;
};

TEST_F(CommitTest, NothingToSend) {
  EXPECT_TRUE(Commit().ok());
  EXPECT_TRUE(Commit(std::vector<TableWrites>{}).ok());
  EXPECT_TRUE(s_.transport.requests().empty());
}

TEST_F(CommitTest, EverythingIsSentOnceEightAtATime) {
  Insert(log_, 20, 150);
  tables_.delay = 3;
  const Status status = Commit();
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(s_.transport.requests().size(), 40U);
  EXPECT_EQ(s_.transport.most_in_flight(), 8);
  EXPECT_EQ(s_.transport.in_flight(), 0);
  EXPECT_EQ(s_.transport.given_up(), 0);
  EXPECT_EQ(tables_.stored.size(), 3000U);
  for (const auto& item : log_.Items()) {
    const std::string name = "T/" + item.key->partition_key + "/" + item.key->row_key;
    EXPECT_EQ(tables_.stored.count(name), 1U) << name;
  }
  EXPECT_EQ(tables_.creations, 0);
}

// A local store writes together what is sent together.
TEST_F(CommitTest, ALocalStoreReceivesMoreAtATime) {
  ServiceEndpoint local = support::EmulatorEndpoint();
  local.local = true;
  Insert(log_, 100, 1);
  for (const auto& [parallel, most] : {std::pair(1U, 1), std::pair(8U, 32), std::pair(40U, 64)}) {
    ScriptedTables tables;
    tables.delay = 2;
    ScriptedClient s(tables.Handler(), local);
    TableWrites writes{.to = {.client = &s.client, .table = "T", .options = s.options},
                       .log = &log_};
    writes.to.parallel = parallel;
    ASSERT_TRUE(Commit({writes}).ok());
    EXPECT_EQ(s.transport.most_in_flight(), most) << parallel;
    EXPECT_EQ(tables.stored.size(), 100U);
  }
}

TEST_F(CommitTest, ALocalStoreDoesNotReceiveMoreLargeEgtsAtATime) {
  ServiceEndpoint local = support::EmulatorEndpoint();
  local.local = true;
  ScriptedClient s(tables_.Handler(), local);
  tables_.delay = 2;
  const std::string properties = R"({"A":")" + std::string(900'000, 'x') + "\"}";
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(log_.Add(1, {"p" + std::to_string(i), "r"},
                         {.verb = WriteVerb::kInsert, .properties = properties}, SIZE_MAX)
                    .ok());
  }
  ASSERT_TRUE(
      Commit({{.to = {.client = &s.client, .table = "T", .options = s.options}, .log = &log_}})
          .ok());
  EXPECT_EQ(s.transport.most_in_flight(), 8);
}

// What was applied before is reported, and what was under way is unknown.
TEST_F(CommitTest, WithoutMemoryTheOutcomesAreStillReported) {
  Insert(log_, 5, 1);
  for (const int refused : {0, 1, 3}) {
    ScriptedTables tables;
    int requests = 0;
    ScriptedClient s([&](const Request& request) {
      if (requests++ == refused) throw std::bad_alloc();
      return tables.Handler()(request);
    });
    TableWrites writes{.to = {.client = &s.client, .table = "T", .options = s.options},
                       .log = &log_};
    writes.to.parallel = 2;
    const Status status = Commit({writes});
    EXPECT_NE(status.message().find("not enough memory"), std::string_view::npos)
        << status.message();
    const std::string applied = Partitions(EgtOutcome::kApplied);
    const std::string unknown = Partitions(EgtOutcome::kUnknown);
    EXPECT_EQ(applied, refused == 3 ? "p0 p1" : "");
    EXPECT_EQ(unknown, refused == 0 ? "" : refused == 1 ? "p0" : "p2");
  }
}

TEST_F(CommitTest, AfterTheFirstFailureNothingMoreIsSent) {
  Insert(log_, 12, 1);
  tables_.delay = 4;
  tables_.replies["p1"] = {{BatchFailure(409, "EntityAlreadyExists", kFirstExists), 0}};
  const Status status = Commit();
  EXPECT_EQ(status.code(), Code::kAlreadyExists);
  EXPECT_EQ(status.failure().operation_index, 0);
  EXPECT_EQ(status.message(),
            "writing to table T (connection 'demo') failed: the entity PartitionKey='p1', "
            "RowKey='0' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it "
            "[409 EntityAlreadyExists, request id id-1]; 7 of 12 EGTs applied: see "
            "aztables_commits");
  EXPECT_EQ(Partitions(EgtOutcome::kApplied), "p0 p2 p3 p4 p5 p6 p7");
  EXPECT_EQ(Partitions(EgtOutcome::kFailed), "p1");
  EXPECT_EQ(Partitions(EgtOutcome::kNotSent), "p8 p9 p10 p11");
  EXPECT_EQ(s_.transport.requests().size(), 8U);
  EXPECT_EQ(s_.transport.given_up(), 0) << "what is under way is waited for";
  EXPECT_EQ(tables_.stored.size(), 7U);
}

TEST_F(CommitTest, SeveralFailuresAtOnce) {
  Insert(log_, 4, 1);
  tables_.replies["p0"] = {{NoResponse(true, "the connection broke"), 1}};
  tables_.replies["p1"] = {{NoResponse(false, "cannot reach it"), 2}};
  tables_.replies["p2"] = {{BatchFailure(409, "EntityAlreadyExists", kFirstExists), 0}};
  const Status status = Commit();
  EXPECT_EQ(status.code(), Code::kAlreadyExists) << "the failure that stays is reported";
  EXPECT_EQ(status.message(),
            "writing to table T (connection 'demo') failed: the entity PartitionKey='p2', "
            "RowKey='0' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it "
            "[409 EntityAlreadyExists, request id id-1]; the outcome of 1 EGT is unknown: read the "
            "entities to find out; 1 of 4 EGTs applied: see "
            "aztables_commits");
  EXPECT_EQ(Partitions(EgtOutcome::kApplied), "p3");
  EXPECT_EQ(Partitions(EgtOutcome::kFailed), "p1 p2");
  EXPECT_EQ(Partitions(EgtOutcome::kUnknown), "p0");
}

TEST_F(CommitTest, WhatWasAnsweredUnreadablyIsUnknown) {
  Insert(log_, 1, 1);
  tables_.replies["p0"] = {{support::MakeResponse(202, "<html>", "text/html")}};
  const Status status = Commit();
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_TRUE(
      status.message().ends_with("; the outcome of 1 EGT is unknown: read the entities "
                                 "to find out; 0 of 1 EGTs applied: see aztables_commits"))
      << status.message();
}

TEST_F(CommitTest, APartitionOfSeveralEgts) {
  for (int row = 0; row < 1000; ++row) {
    ASSERT_TRUE(support::Insert(log_, 1, {"O'Brien", std::to_string(row), {}}).ok());
  }
  // The third of ten fails at once; the other seven of the first eight arrive.
  tables_.delay = 2;
  tables_.replies["O'Brien"] = {{support::BatchSuccess(100), 2},
                                {support::BatchSuccess(100), 2},
                                {BatchFailure(409, "EntityAlreadyExists", kFirstExists), 0}};
  const Status status = Commit();
  const std::string message(status.message());
  EXPECT_TRUE(message.ends_with("; 7 of 10 EGTs applied: see aztables_commits")) << message;
  EXPECT_EQ(Partitions(EgtOutcome::kFailed), "O'Brien");
  EXPECT_EQ(Partitions(EgtOutcome::kNotSent), "O'Brien O'Brien");
}

TEST_F(CommitTest, TablesAreSentOneAfterTheOther) {
  tables_.tables.insert("U");
  WriteLog other;
  Insert(log_, 2, 1);
  Insert(other, 2, 1);
  EXPECT_TRUE(Commit({Writes(log_), Writes(other, "U")}).ok());
  EXPECT_EQ(tables_.sent, (Texts{"T/p0", "T/p1", "U/p0", "U/p1"}));
}

TEST_F(CommitTest, AFailureInOneTableLeavesTheNextUnsent) {
  tables_.tables.insert("U");
  WriteLog other;
  Insert(log_, 2, 1);
  Insert(other, 2, 1);
  tables_.replies["p1"] = {{ErrorResponse(503, "ServerBusy", "The server is busy."), 1}};
  const Status first = Commit({Writes(log_), Writes(other, "U")});
  EXPECT_EQ(first.code(), Code::kBusy);
  EXPECT_TRUE(first.message().ends_with("; 1 of 4 EGTs applied: see aztables_commits"))
      << first.message();
  EXPECT_EQ(Partitions(EgtOutcome::kNotSent), "U/p0 U/p1");
  EXPECT_EQ(tables_.sent, (Texts{"T/p0", "T/p1"}));

  tables_.replies["p0"] = {{support::BatchSuccess(1)}, {ErrorResponse(400, "InvalidInput", "bad")}};
  const Status second = Commit({Writes(log_), Writes(other, "U")});
  EXPECT_TRUE(second.message().starts_with("writing to table U (connection 'demo') failed: "))
      << second.message();
  EXPECT_TRUE(second.message().ends_with("; 3 of 4 EGTs applied: see aztables_commits"))
      << second.message();
  EXPECT_EQ(Partitions(EgtOutcome::kFailed), "U/p0");
}

TEST_F(CommitTest, AMoveThatIsHalfDoneNamesTheDuplicate) {
  ASSERT_TRUE(log_.Move(1, {"a", "1"}, {WriteVerb::kDelete, "e", ""}, {"b", "1"},
                        support::WriteOf(WriteVerb::kInsert), support::kNoLimit)
                  .ok());
  tables_.replies["a"] = {{BatchFailure(412, "UpdateConditionNotSatisfied", "0:changed")}};
  const Status status = Commit();
  EXPECT_TRUE(status.message().ends_with(
      "; the entity PartitionKey='a', RowKey='1' is there as PartitionKey='b', RowKey='1', too; 1 "
      "of 2 EGTs applied: see aztables_commits"))
      << status.message();
}

// Each of the tests below interrupts after eight EGTs were sent, of which p0's has a response.
class InterruptedCommitTest : public CommitTest {
 protected:
  void Reply(const std::string& partition, ScriptedReply reply) {
    tables_.replies[partition].push_back(std::move(reply));
  }
  Status CommitInterrupted(std::vector<TableWrites> writes) {
    return Commit(writes, Cancel([&] { return tables_.sent.size() >= 8; }));
  }
};

TEST_F(InterruptedCommitTest, EgtsUnderWayMayEnd) {
  Insert(log_, 10, 1);
  tables_.delay = 3;
  const Status status = CommitInterrupted({Writes(log_)});
  EXPECT_EQ(status.code(), Code::kInterrupt);
  EXPECT_EQ(status.message(), "interrupted; 8 of 10 EGTs applied: see aztables_commits");
  EXPECT_EQ(Partitions(EgtOutcome::kNotSent), "p8 p9");
  EXPECT_EQ(s_.transport.given_up(), 0);
}

TEST_F(InterruptedCommitTest, IsCompleteIfAllEnd) {
  Insert(log_, 8, 1);
  tables_.delay = 3;
  const Status status = CommitInterrupted({Writes(log_)});
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(tables_.stored.size(), 8U);
}

TEST_F(InterruptedCommitTest, GivesUpAfterTwoSecondsWhatDoesNotEnd) {
  Insert(log_, 10, 1);
  for (int i = 1; i < 8; ++i) {
    Reply("p" + std::to_string(i), {support::BatchSuccess(1), ScriptedReply::kNever});
  }
  const auto began = std::chrono::steady_clock::now();
  const Status status = CommitInterrupted({Writes(log_)});
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::seconds(2));
  EXPECT_EQ(status.code(), Code::kInterrupt);
  EXPECT_EQ(status.message(),
            "interrupted; the outcome of 7 EGTs is unknown: read the entities to find out; 1 of 10 "
            "EGTs applied: see aztables_commits");
  EXPECT_EQ(Partitions(EgtOutcome::kUnknown), "p1 p2 p3 p4 p5 p6 p7");
  EXPECT_EQ(Partitions(EgtOutcome::kNotSent), "p8 p9");
  EXPECT_EQ(s_.transport.given_up(), 7);
  EXPECT_EQ(s_.transport.in_flight(), 0);
}

TEST_F(InterruptedCommitTest, SendsNothingAgain) {
  s_.options.retries = 5;
  Insert(log_, 9, 1);
  Reply("p1", {ErrorResponse(503, "ServerBusy", "busy"), 0});  // waits for its retry
  Reply("p2", {ErrorResponse(503, "ServerBusy", "busy"), 5});  // ends after the interrupt
  Reply("p3", {ErrorResponse(500, "InternalError", "oops"), 5});
  Reply("p4", {NoResponse(true, "cut"), 5});
  for (const char* partition : {"p5", "p6", "p7"}) {
    Reply(partition, {support::BatchSuccess(1), 5});
  }
  const Status status = CommitInterrupted({Writes(log_)});
  EXPECT_EQ(status.code(), Code::kInterrupt) << status.message();
  EXPECT_EQ(s_.transport.requests().size(), 8U);
  EXPECT_EQ(Partitions(EgtOutcome::kApplied), "p0 p5 p6 p7");
  EXPECT_EQ(Partitions(EgtOutcome::kFailed), "p2");
  EXPECT_EQ(Partitions(EgtOutcome::kUnknown), "p3 p4");
  EXPECT_EQ(Partitions(EgtOutcome::kNotSent), "p1 p8");
}

TEST_F(InterruptedCommitTest, CreatesNoTable) {
  Insert(log_, 9, 1);
  Reply("p3", {BatchFailure(404, "TableNotFound", "0:The table specified does not exist."), 3});
  TableWrites writes = Writes(log_);
  writes.to.create_missing = true;
  EXPECT_FALSE(CommitInterrupted({writes}).ok());
  EXPECT_EQ(Partitions(EgtOutcome::kFailed), "p3");
  EXPECT_EQ(tables_.creations, 0);
}

TEST_F(InterruptedCommitTest, ReportsAPermanentFailure) {
  Insert(log_, 9, 1);
  Reply("p3", {BatchFailure(409, "EntityAlreadyExists", kFirstExists), 3});
  const Status status = CommitInterrupted({Writes(log_)});
  EXPECT_EQ(status.code(), Code::kAlreadyExists) << status.message();
  EXPECT_EQ(Partitions(EgtOutcome::kFailed), "p3");
}

// A statement that deletes or replaces can be run again, whatever was applied.
TEST_F(InterruptedCommitTest, NamesTheStatementToRepeat) {
  const struct {
    std::vector<WriteVerb> verbs;  // of the partitions, by turns
    const char* message;
  } kCases[] = {
      {{WriteVerb::kDelete}, "interrupted; run the same DELETE again; 8 of 9 EGTs applied"},
      {{WriteVerb::kInsertOrReplace}, "interrupted; run the same statement again; 8 of 9 EGTs"},
      {{WriteVerb::kInsertOrMerge, WriteVerb::kInsertOrReplace}, "run the same statement again"},
      {{WriteVerb::kDelete, WriteVerb::kInsertOrReplace}, "run the same statements again"},
      {{WriteVerb::kDelete, WriteVerb::kInsert}, "interrupted; 8 of 9 EGTs applied"},
      {{WriteVerb::kMerge}, "interrupted; 8 of 9 EGTs applied"},
  };
  for (const auto& [verbs, message] : kCases) {
    WriteLog log;
    tables_.sent.clear();
    for (size_t i = 0; i < 9; ++i) {
      const WriteVerb verb = verbs[i % verbs.size()];
      const bool has_etag = verb == WriteVerb::kDelete || verb == WriteVerb::kMerge;
      ASSERT_TRUE(log.Add(1, {"p" + std::to_string(i), "r"},
                          support::WriteOf(verb, {}, has_etag ? "*" : ""), support::kNoLimit)
                      .ok());
    }
    const Status status = CommitInterrupted({Writes(log)});
    EXPECT_EQ(status.code(), Code::kInterrupt);
    EXPECT_NE(status.message().find(message), std::string::npos) << status.message();
  }
}

TEST_F(InterruptedCommitTest, TheRepeatedStatementSettlesWhatIsUnknown) {
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(log_.Add(1, {"p" + std::to_string(i), "r"},
                         support::WriteOf(WriteVerb::kDelete, {}, "*"), support::kNoLimit)
                    .ok());
  }
  Reply("p1", {NoResponse(true, "cut"), 3});
  EXPECT_EQ(CommitInterrupted({Writes(log_)}).message(),
            "interrupted; run the same DELETE again; the outcome of 1 EGT is unknown: the repeated "
            "statement settles it; 7 of 9 EGTs applied: see aztables_commits");
}

TEST_F(CommitTest, AnInterruptIsSeenHoweverFastTheResponses) {
  Insert(log_, 200, 1);
  const Cancel cancel([&] { return s_.transport.requests().size() >= 50; });
  const Status status = Commit(cancel);
  EXPECT_EQ(status.code(), Code::kInterrupt);
  EXPECT_LT(s_.transport.requests().size(), 60U);
  EXPECT_EQ(s_.transport.given_up(), 0);
  const std::string applied =
      "; " + std::to_string(s_.transport.requests().size()) + " of 200 EGTs";
  EXPECT_NE(status.message().find(applied), std::string::npos) << status.message();
  EXPECT_EQ(Partitions(EgtOutcome::kUnknown), "");
}

TEST_F(CommitTest, AnInterruptBeforeAnythingWasSent) {
  Insert(log_, 2, 1);
  const Status status = Commit(Cancel([] { return true; }));
  EXPECT_EQ(status.code(), Code::kInterrupt);
  EXPECT_EQ(status.message(), "interrupted; 0 of 2 EGTs applied: see aztables_commits");
  EXPECT_TRUE(s_.transport.requests().empty());
}

}  // namespace
}  // namespace aztables
