// Checks create=missing at COMMIT: a missing table is created once, and the writes that failed
// without it are sent again a limited number of times.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/log_writes.h"
#include "support/scripted_tables.h"
#include "write/commit.h"

namespace aztables {
namespace {

using support::BatchFailure;
using support::ErrorResponse;
using support::ScriptedClient;
using support::ScriptedReply;
using support::ScriptedTables;

class CreateMissingTest : public testing::Test {
 protected:
  CreateMissingTest() { tables_.tables.clear(); }

  void Insert(int partitions) {
    for (int i = 0; i < partitions; ++i) {
      ASSERT_TRUE(support::Insert(log_, 1, {"p" + std::to_string(i), "r", {}}).ok());
    }
  }
  TableWrites Writes(const std::string& table = "T") const {
    return {
        .to = {.client = &s_.client, .table = table, .options = s_.options, .create_missing = true},
        .log = &log_};
  }
  Status Commit(const Cancel& cancel = {}) const { return support::Commit({Writes()}, cancel); }

  ScriptedTables tables_;
  ScriptedClient s_{tables_.Handler()};
  WriteLog log_;
};

TEST_F(CreateMissingTest, CreatesAndSendsAgain) {
  Insert(1);
  const Status status = Commit();
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(tables_.creations, 1);
  EXPECT_EQ(tables_.sent.size(), 2U);
  EXPECT_EQ(tables_.stored.size(), 1U);
}

TEST_F(CreateMissingTest, OnlyWhereItIsAskedFor) {
  Insert(2);
  TableWrites writes = Writes();
  writes.to.create_missing = false;
  const Status status = support::Commit({writes});
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(tables_.creations, 0);
  EXPECT_NE(status.message().find("aztables_create_table('demo.T')"), std::string::npos);
}

TEST_F(CreateMissingTest, AllThatAreUnderWayAreSentAgain) {
  Insert(20);
  tables_.delay = 2;
  const Status status = Commit();
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(tables_.creations, 1);
  EXPECT_EQ(tables_.sent.size(), 28U) << "the eight that came before the table are sent twice";
  EXPECT_EQ(tables_.stored.size(), 20U);
  EXPECT_EQ(s_.transport.most_in_flight(), 8) << "the table is created after they were answered";
}

TEST_F(CreateMissingTest, ResponsesThatArriveLate) {
  // The second one was refused before the table existed and fails later.
  Insert(4);
  tables_.tables.insert("T");
  const auto missing = [](int delay) {
    return ScriptedReply{BatchFailure(404, "TableNotFound", "0:No such table."), delay};
  };
  tables_.replies["p0"] = {missing(0)};
  tables_.replies["p1"] = {missing(9)};
  const Status status = Commit();
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(tables_.creations, 1);
  EXPECT_EQ(tables_.sent.size(), 6U);
  EXPECT_EQ(tables_.stored.size(), 4U);
}

TEST_F(CreateMissingTest, SomebodyElseCreatedItMeanwhile) {
  Insert(1);
  tables_.create_reply = {ErrorResponse(409, "TableAlreadyExists", "It exists.")};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(tables_.stored.size(), 1U);
}

TEST_F(CreateMissingTest, ATableThatStaysMissing) {
  for (const int partitions : {1, 8, 20}) {
    Insert(partitions);
    tables_.create_takes_effect = false;
    tables_.delay = 1;
    const Status status = Commit();
    EXPECT_EQ(status.code(), Code::kNotFound) << status.message();
    EXPECT_EQ(tables_.creations, 1);
    const auto at_once = static_cast<size_t>(std::min(partitions, 8));
    EXPECT_EQ(tables_.sent.size(), 2 * at_once) << "each is sent once more, and no more";
    log_.Clear();
    tables_.creations = 0;
    tables_.sent.clear();
  }
}

TEST_F(CreateMissingTest, ATableThatCannotBeCreated) {
  Insert(10);
  tables_.delay = 1;
  tables_.create_takes_effect = false;
  tables_.create_reply = {ErrorResponse(409, "TableBeingDeleted", "Try operation later.")};
  const Status status = Commit();
  EXPECT_EQ(status.code(), Code::kBusy);
  EXPECT_TRUE(status.message().starts_with("creating table T (connection 'demo') failed: "))
      << status.message();
  EXPECT_TRUE(status.message().ends_with("; 0 of 10 EGTs applied: see aztables_commits"))
      << status.message();
  EXPECT_EQ(tables_.creations, 1);
}

TEST_F(CreateMissingTest, AfterAFailureNoTableIsCreated) {
  Insert(2);
  tables_.tables.insert("T");
  tables_.replies["p0"] = {{ErrorResponse(403, "AuthenticationFailed", "no"), 0}};
  tables_.replies["p1"] = {{BatchFailure(404, "TableNotFound", "0:No such table."), 3}};
  const Status status = Commit();
  EXPECT_EQ(status.code(), Code::kAuth);
  EXPECT_EQ(tables_.creations, 0);
  EXPECT_EQ(tables_.sent.size(), 2U);
}

TEST_F(CreateMissingTest, WhatWaitsToBeSentAgainIsNotSent) {
  // p0 is queued again, then p1, which was running, fails: its error is reported.
  Insert(2);
  const std::pair<Outcome, const char*> cases[] = {
      {ErrorResponse(403, "AuthenticationFailed", "no"),
       "id-1]; 0 of 2 EGTs applied: see "
       "aztables_commits"},
      {support::NoResponse(true, "it broke"),
       "it broke; the outcome of 1 EGT is unknown: read the entities to find out; 0 of 2 EGTs "
       "applied: see aztables_commits"}};
  for (const auto& [outcome, end] : cases) {
    tables_.tables = {"T"};
    tables_.replies["p0"] = {{BatchFailure(404, "TableNotFound", "0:No such table."), 0}};
    tables_.replies["p1"] = {{outcome, 0}};
    const Status status = Commit();
    EXPECT_TRUE(status.message().ends_with(end)) << status.message();
  }
}

TEST_F(CreateMissingTest, EveryTableIsCreatedOnce) {
  Insert(9);
  const Status status = support::Commit({Writes("T"), Writes("U")});
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(tables_.creations, 2);
  EXPECT_EQ(tables_.stored.size(), 18U);
}

TEST_F(CreateMissingTest, CosmosSaysResourceNotFound) {
  Insert(1);
  tables_.tables.insert("T");
  tables_.replies["p0"] = {
      {BatchFailure(404, "ResourceNotFound", "The specified resource does not exist.")}};
  const Status status = Commit();
  EXPECT_TRUE(status.ok()) << "what an insert can miss is its table: " << status.message();
  EXPECT_EQ(tables_.creations, 1);
}

TEST_F(CreateMissingTest, AnInterruptWhileTheTableIsCreated) {
  Insert(3);
  tables_.create_reply = {support::MakeResponse(204), ScriptedReply::kNever};
  const Status status = Commit(Cancel([&] { return tables_.creations > 0; }));
  EXPECT_EQ(status.code(), Code::kInterrupt);
  EXPECT_EQ(tables_.stored.size(), 0U);
  EXPECT_NE(status.message().find("0 of 3 EGTs applied"), std::string::npos) << status.message();
  EXPECT_EQ(s_.transport.in_flight(), 0);
}

}  // namespace
}  // namespace aztables
