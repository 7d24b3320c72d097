// Checks how an EGT without a clear response is settled: what an entity shows, and COMMITs over a
// service that loses responses.
#include "write/settle.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/log_writes.h"
#include "support/scripted_tables.h"
#include "write/commit_history.h"
#include "write/open_egts.h"

namespace aztables {
namespace {

using Certainty = Evidence::Certainty;
using support::BatchFailure;
using support::BatchSuccess;
using support::ErrorResponse;
using support::MakeResponse;
using support::NoResponse;
using support::ScriptedClient;
using support::ScriptedReply;

constexpr char kOld[] = "2026-11-02T09:59:59.0000000Z";
constexpr char kNew[] = "2026-11-02T10:00:00.5000000Z";
const Ticks kFirstAttempt = *ParseDateTime("2026-11-02T10:00:00Z");

std::string Show(const Evidence& evidence) {
  constexpr const char* kCertainties[] = {"none", "weak", "fair", "good", "proof"};
  const char* const certainty = kCertainties[static_cast<size_t>(evidence.certainty)];
  if (evidence.certainty == Certainty::kNone) return certainty;
  return std::string(certainty) + (evidence.applied ? " applied" : " not applied");
}

struct Case {
  EntityVerb verb;
  const char* if_match;
  const char* properties;  // of the operation
  const char* timestamp;   // null: there is no entity
  const char* etag;
  const char* stored;
  const char* expected;
};

TEST(WeighTest, Table) {
  using enum EntityVerb;
  const Case cases[] = {
      // Absent.
      {kInsert, "", R"({"A":1})", nullptr, "", "", "fair not applied"},
      {kMerge, "e1", R"({"A":1})", nullptr, "", "", "fair not applied"},
      {kInsertOrReplace, "", R"({"A":1})", nullptr, "", "", "fair not applied"},
      {kDelete, "e1", "", nullptr, "", "", "weak applied"},
      {kDelete, "*", "", nullptr, "", "", "weak applied"},
      // Older than the first attempt.
      {kInsert, "", R"({"A":1})", kOld, "e1", R"({"A":1})", "proof not applied"},
      {kMerge, "*", R"({"A":1})", kOld, "e1", R"({"A":1})", "proof not applied"},
      {kInsertOrMerge, "", R"({"A":1})", kOld, "e1", R"({"A":1})", "proof not applied"},
      {kDelete, "*", "", kOld, "e1", "{}", "proof not applied"},
      // At the version that was read.
      {kMerge, "e1", R"({"A":1})", kNew, "e1", R"({"A":1})", "proof not applied"},
      {kReplace, "e1", R"({"A":1})", kNew, "e1", R"({"A":1})", "proof not applied"},
      {kDelete, "e1", "", kNew, "e1", "{}", "proof not applied"},
      // As written.
      {kInsert, "", R"({"A":1})", kNew, "e2", R"({"A":1})", "good applied"},
      {kMerge, "e1", R"({"A":1})", kNew, "e2", R"({"A":1,"B":2})", "fair applied"},
      {kReplace, "e1", R"({"A":1,"B":null})", kNew, "e2", R"({"A":1})", "fair applied"},
      {kMerge, "*", R"({"A":1})", kNew, "e2", R"({"A":1})", "weak applied"},
      {kInsertOrReplace, "", R"({"A":1})", kNew, "e2", R"({"A":1})", "weak applied"},
      {kInsertOrMerge, "", R"({"A":1})", kNew, "e2", R"({"A":1,"B":2})", "weak applied"},
      {kInsert, "", R"({"N@odata.type":"Edm.Double","N":"NaN"})", kNew, "e2",
       R"({"N@odata.type":"Edm.Double","N":"NaN"})", "good applied"},
      {kInsert, "", R"({"D@odata.type":"Edm.DateTime","D":"2026-01-01T00:00:00Z"})", kNew, "e2",
       R"({"D@odata.type":"Edm.DateTime","D":"2026-01-01T00:00:00.0000000Z"})", "good applied"},
      {kInsert, "", R"({"X@odata.type":"Edm.Double","X":1.0})", kNew, "e2", R"({"X":1.0})",
       "good applied"},
      // Written by somebody else since.
      {kInsert, "", R"({"A":1})", kNew, "e2", R"({"A":2})", "none"},
      {kInsert, "", R"({"A":1})", kNew, "e2", R"({"A":1,"B":2})", "none"},
      {kInsert, "", R"({"A":1})", kNew, "e2", R"({"A@odata.type":"Edm.Int64","A":"1"})", "none"},
      {kInsert, "", R"({"A":1,"B":null})", kNew, "e2", R"({"A":1,"B":1})", "none"},
      {kReplace, "e1", R"({"A":1})", kNew, "e2", "{}", "none"},
      {kMerge, "e1", R"({"A":1})", kNew, "e2", R"({"B":1})", "none"},
      {kDelete, "e1", "", kNew, "e2", "{}", "none"},
      // A Timestamp that nobody can read decides nothing.
      {kInsert, "", R"({"A":1})", "soon", "e2", R"({"A":1})", "none"},
  };
  EntityReader reader;
  for (const Case& c : cases) {
    const EntityOperation operation{c.verb, "p", "r", c.if_match, c.properties};
    const FoundEntity found{c.etag, c.timestamp == nullptr ? "" : c.timestamp, c.stored};
    EXPECT_EQ(
        Show(Weigh(operation, c.timestamp == nullptr ? nullptr : &found, kFirstAttempt, reader)),
        c.expected)
        << VerbName(c.verb) << " " << c.if_match << " " << c.properties << " over " << c.stored;
  }
}

// A service for one partition. Responses to EGTs are scripted, entities are given.
class SettleTest : public testing::Test {
 protected:
  static std::string Now() { return FormatDateTime(UnixTime(Clock::System().NowMs())); }
  static std::string Earlier() {
    return FormatDateTime(UnixTime(Clock::System().NowMs() - 60'000));
  }
  void Insert(const std::string& row, int value = 1) {
    ASSERT_TRUE(support::Insert(log_, 1, {"p", row, {{"V", Value::Int32(value)}}}).ok());
  }
  void Delete(const std::string& row, const std::string& etag) {
    ASSERT_TRUE(
        log_.Add(1, {"p", row}, support::WriteOf(WriteVerb::kDelete, {}, etag), support::kNoLimit)
            .ok());
  }
  void Merge(const std::string& row, const std::string& etag) {
    const Property property{"V", Value::Int32(1)};
    ASSERT_TRUE(log_.Add(1, {"p", row}, support::WriteOf(WriteVerb::kMerge, {property}, etag),
                         support::kNoLimit)
                    .ok());
  }
  void Store(const std::string& row, const std::string& timestamp, const std::string& properties) {
    entities_[row] = R"("Timestamp":")" + timestamp + R"(",)" + properties;
  }
  ScriptedReply Reply(const Request& request) {
    if (request.method == "GET") {
      on_query_();
      return {Query()};
    }
    if (egts_replies_.empty()) return {BatchSuccess(support::OperationsIn(request))};
    Outcome outcome = egts_replies_.front();
    egts_replies_.erase(egts_replies_.begin());
    return {std::move(outcome)};
  }
  Response Query() const {
    std::string body;
    for (const auto& [row, rest] : entities_) {
      body += body.empty() ? "" : ",";
      for (const std::string& part :
           {std::string(R"({"odata.etag":"etag of )"), row,
            std::string(R"(","PartitionKey":"p","RowKey":")"), row, R"(",)" + rest + "}"}) {
        body += part;
      }
    }
    return MakeResponse(200, R"({"value":[)" + body + "]}");
  }
  Status Commit(Again again = Again::kNobody) {
    if (egts_.empty()) egts_ = *PlanEgts(Writes());
    const std::vector<TableWrites> writes = Writes();
    return CommitWrites(writes, egts_, {}, {}, 0, 0, again);
  }
  std::vector<TableWrites> Writes() const {
    CallOptions options = s_.options;
    options.retries = retries_;
    options.settle = settle_;
    options.timeout = timeout_;
    return {{.to = {.client = &s_.client, .table = "T", .options = options, .parallel = parallel_},
             .log = &log_}};
  }
  // Methods and client request ids of the EGTs: equal ids have equal letters, "aab".
  std::string Ids() const {
    std::map<std::string, char> seen;
    std::string ids;
    for (const Request& request : s_.transport.requests()) {
      if (request.method != "POST") continue;
      const std::string id(request.headers.Get("x-ms-client-request-id"));
      ids += seen.emplace(id, static_cast<char>('a' + seen.size())).first->second;
    }
    return ids;
  }
  size_t Reads() const {
    size_t reads = 0;
    for (const Request& request : s_.transport.requests()) reads += request.method == "GET" ? 1 : 0;
    return reads;
  }

  int retries_ = 3;
  bool settle_ = true;
  size_t parallel_ = 8;
  std::chrono::milliseconds timeout_{60'000};
  std::function<void()> on_query_ = [] {};
  std::vector<Outcome> egts_replies_;
  std::map<std::string, std::string> entities_;
  ScriptedClient s_{ScriptedTransportHandler()};
  WriteLog log_;
  std::vector<Egt> egts_;

 private:
  support::ScriptedTransport::Handler ScriptedTransportHandler() {
    return [this](const Request& request) { return Reply(request); };
  }
};

const Response kExistsResponse = BatchFailure(409, "EntityAlreadyExists", "0:It exists.");

TEST_F(SettleTest, TheSameEgtIsSentAgain) {
  Insert("r");
  egts_replies_ = {NoResponse(true), MakeResponse(500, ""),
                   MakeResponse(202, "<html>", "text/html")};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(Ids(), "aaaa");
  EXPECT_EQ(s_.request(0).body, s_.request(3).body);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kApplied);
  EXPECT_TRUE(egts_[0].settled);
  EXPECT_EQ(Reads(), 0U);
}

TEST_F(SettleTest, ARefusalThatOurOwnAttemptCausedIsSuccess) {
  Insert("r");
  Store("r", Now(), R"("V":1)");
  egts_replies_ = {NoResponse(true), kExistsResponse};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kApplied);
  EXPECT_TRUE(egts_[0].settled);
  EXPECT_EQ(egts_[0].settle_reads, 1U);
  CommitHistory history;
  history.Add(Writes(), egts_);
  EXPECT_TRUE(history.Records()[0]->settled);
  EXPECT_EQ(history.Records()[0]->http_status, 0);
}

TEST_F(SettleTest, AfterAThrottledAttemptARefusalIsCheckedToo) {
  for (const int status : {429, 503}) {
    SCOPED_TRACE(status);
    entities_.clear();
    log_ = WriteLog();
    egts_.clear();
    Insert("r");
    Store("r", Now(), R"("V":1)");
    egts_replies_ = {MakeResponse(status, ""), kExistsResponse};
    EXPECT_TRUE(Commit().ok());
  }
  Store("r", Now(), R"("V":2)");
  egts_.clear();
  egts_replies_ = {MakeResponse(503, ""), kExistsResponse};
  EXPECT_EQ(Commit().code(), Code::kAlreadyExists) << "without a doubt a refusal stands";
}

TEST_F(SettleTest, ARefusalAtTheFirstAttemptIsNotRead) {
  Insert("r");
  Store("r", Now(), R"("V":1)");
  egts_replies_ = {kExistsResponse};
  EXPECT_EQ(Commit().code(), Code::kAlreadyExists);
  EXPECT_EQ(Reads(), 0U);
}

TEST_F(SettleTest, ARealConflictIsReported) {
  Insert("r");
  Store("r", Earlier(), R"("V":1)");
  egts_replies_ = {NoResponse(true), kExistsResponse};
  const Status status = Commit();
  EXPECT_EQ(status.code(), Code::kAlreadyExists) << status.message();
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kFailed);
  EXPECT_TRUE(egts_[0].settled);
}

TEST_F(SettleTest, OneDecidedEntityDecides) {
  for (int row = 0; row < 40; ++row) Insert(std::to_string(100 + row));
  for (int row = 0; row < 40; ++row) {
    Store(std::to_string(100 + row), Now(), row == 30 ? R"("V":1)" : R"("V":7)");
  }
  egts_replies_ = {NoResponse(true), kExistsResponse};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(egts_[0].settle_reads, 3U);
}

// Both added 1 to the same entity, but our row is missing. Somebody may have deleted it.
TEST_F(SettleTest, ContradictoryEntitiesLeaveItUnknown) {
  Merge("counter", "e");
  Insert("row");
  Store("counter", Now(), R"("V":1)");
  egts_replies_ = {NoResponse(true), BatchFailure(412, "UpdateConditionNotSatisfied", "0:No.")};
  EXPECT_EQ(Commit().code(), Code::kError);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kUnknown);
  Store("row", Now(), R"("V":1)");
  egts_.clear();
  egts_replies_ = {NoResponse(true), BatchFailure(412, "UpdateConditionNotSatisfied", "0:No.")};
  EXPECT_TRUE(Commit().ok());
}

TEST_F(SettleTest, SomebodyElseWroteEverything) {
  Insert("r");
  Store("r", Now(), R"("V":7)");
  egts_replies_ = {NoResponse(true), kExistsResponse};
  const Status status = Commit(Again::kRepeatedCommit);
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_EQ(
      status.message(),
      "writing to table T (connection 'demo') failed: the entity PartitionKey='p', RowKey='r' "
      "was written by somebody else at the same time; the outcome of 1 EGT is unknown: read "
      "the entities to find out; 0 of 1 EGTs applied: see aztables_commits");
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kUnknown);
}

// A deleted entity may have been deleted by anybody. An inserted one decides.
TEST_F(SettleTest, AnAbsentEntityIsWeakEvidence) {
  Delete("d", "e");
  Insert("r");
  egts_replies_ = {NoResponse(true), BatchFailure(404, "ResourceNotFound", "0:It does not exist.")};
  EXPECT_EQ(Commit().code(), Code::kPrecondition);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kFailed);
  egts_.clear();
  Store("r", Now(), R"("V":1)");
  egts_replies_ = {NoResponse(true), BatchFailure(404, "ResourceNotFound", "0:It does not exist.")};
  EXPECT_TRUE(Commit().ok());
}

TEST_F(SettleTest, ARepeatedCommitSettles) {
  Insert("r");
  Store("r", Now(), R"("V":1)");
  retries_ = 1;
  egts_replies_ = {NoResponse(true), NoResponse(false), kExistsResponse};
  const Status status = Commit(Again::kRepeatedCommit);
  EXPECT_EQ(status.code(), Code::kBusy);
  EXPECT_TRUE(
      status.message().ends_with("the outcome of 1 EGT is unknown: repeat COMMIT to settle "
                                 "it; 0 of 1 EGTs applied: see aztables_commits"))
      << status.message();
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kUnknown);
  EXPECT_TRUE(Commit(Again::kRepeatedCommit).ok());
  EXPECT_EQ(Ids(), "aaa");
  EXPECT_EQ(s_.request(0).body, s_.request(2).body);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kApplied);
}

// The repeated COMMIT ends before it sends that EGT again.
TEST_F(SettleTest, WhatIsNotSettledStaysUnknown) {
  Insert("r");
  retries_ = 0;
  egts_replies_ = {NoResponse(true)};
  EXPECT_EQ(Commit(Again::kRepeatedCommit).code(), Code::kBusy);
  const Status status =
      CommitWrites(Writes(), egts_, Cancel([] { return true; }), {}, 0, 0, Again::kRepeatedCommit);
  EXPECT_EQ(status.code(), Code::kInterrupt);
  EXPECT_NE(status.message().find("the outcome of 1 EGT is unknown: read the entities"),
            std::string_view::npos)
      << status.message();
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kUnknown);
}

TEST_F(SettleTest, ABusyEgtBeforeItKeepsTheCommitRepeatable) {
  retries_ = 0;
  ASSERT_TRUE(support::Insert(log_, 1, {"a", "a", {{"V", Value::Int32(1)}}}).ok());
  Insert("r");
  egts_replies_ = {MakeResponse(503, ""), NoResponse(true)};
  EXPECT_EQ(Commit(Again::kRepeatedCommit).code(), Code::kBusy);
  parallel_ = 1;
  egts_replies_ = {MakeResponse(503, "")};
  EXPECT_EQ(Commit(Again::kRepeatedCommit).code(), Code::kBusy) << "the second one is not sent";
  EXPECT_EQ(egts_[1].outcome, EgtOutcome::kUnknown);
  EXPECT_TRUE(Commit(Again::kRepeatedCommit).ok());
}

// What bulk=on has sent leaves the log. COMMIT sends a copy of it.
TEST_F(SettleTest, CommitSettlesWhatWasSentBefore) {
  Insert("r");
  Store("r", Now(), R"("V":1)");
  retries_ = 1;
  egts_replies_ = {NoResponse(true), NoResponse(true), kExistsResponse};
  const Status status = Commit(Again::kCommit);
  EXPECT_EQ(status.code(), Code::kBusy);
  EXPECT_TRUE(
      status.message().ends_with("the outcome of 1 EGT is unknown: COMMIT settles it; 0 of "
                                 "1 EGTs applied: see aztables_commits"))
      << status.message();
  const std::vector<TableWrites> sent = Writes();
  ASSERT_TRUE(MayAllBeSettled(sent, egts_));
  OpenEgts open;
  open.Add(sent[0], egts_[0]);
  log_ = WriteLog();
  EXPECT_TRUE(CommitWrites(open.writes(), open.egts(), {}, {}, 0, 0, Again::kRepeatedCommit).ok());
  EXPECT_EQ(Ids(), "aaa");
  EXPECT_EQ(s_.request(0).body, s_.request(2).body);
  EXPECT_EQ(open.egts()[0].outcome, EgtOutcome::kApplied);
  EXPECT_TRUE(open.egts()[0].settled);
}

// Nothing repeats a COMMIT that fails for good, so the entities decide at once.
TEST_F(SettleTest, AnUnknownOutcomeBesideARefusal) {
  retries_ = 1;
  ASSERT_TRUE(support::Insert(log_, 1, {"a", "a", {{"V", Value::Int32(1)}}}).ok());
  Insert("r");
  Store("r", Now(), R"("V":1)");
  egts_replies_ = {ErrorResponse(403, "AuthenticationFailed", "No."), NoResponse(true),
                   NoResponse(true)};
  const Status status = Commit(Again::kRepeatedCommit);
  EXPECT_EQ(status.code(), Code::kAuth);
  EXPECT_TRUE(status.message().ends_with("; 1 of 2 EGTs applied: see aztables_commits"))
      << status.message();
  EXPECT_EQ(egts_[1].outcome, EgtOutcome::kApplied);
  EXPECT_TRUE(egts_[1].settled);
}

// Nothing distinguishes it from ours.
TEST_F(SettleTest, AnEqualWriteOfSomebodyElse) {
  Insert("r");
  Store("r", Now(), R"("V":1)");
  egts_replies_ = {NoResponse(true), kExistsResponse};
  EXPECT_TRUE(Commit().ok());
}

TEST_F(SettleTest, WithoutARepetitionItIsNotBusy) {
  Insert("r");
  retries_ = 0;
  egts_replies_ = {NoResponse(true)};
  EXPECT_EQ(Commit().code(), Code::kError);
}

// Nothing sends the EGT again.
TEST_F(SettleTest, TheEntitiesDecideWhenAllRetriesAreUsedUp) {
  retries_ = 1;
  Insert("r");
  Store("r", Now(), R"("V":1)");
  egts_replies_ = {NoResponse(true), NoResponse(true)};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(Ids(), "aa");
  EXPECT_EQ(Reads(), 1U);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kApplied);
  EXPECT_TRUE(egts_[0].settled);
}

TEST_F(SettleTest, AfterThatTheNextEgtIsSent) {
  retries_ = 1;
  Insert("a");
  ASSERT_TRUE(support::Insert(log_, 1, {"q", "b", {{"V", Value::Int32(1)}}}).ok());
  parallel_ = 1;
  Store("a", Now(), R"("V":1)");
  egts_replies_ = {NoResponse(true), NoResponse(true)};
  EXPECT_TRUE(Commit().ok());
  EXPECT_EQ(Ids(), "aab");
  EXPECT_EQ(egts_[1].outcome, EgtOutcome::kApplied);
}

class LateArrivalTest : public SettleTest, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(Arrives, LateArrivalTest, testing::Bool());

TEST_P(LateArrivalTest, AnEgtMayArriveUntilItsTimeout) {
  retries_ = 1;
  timeout_ = std::chrono::milliseconds(1000);
  Insert("r");
  egts_replies_ = {NoResponse(true), ErrorResponse(403, "AuthenticationFailed", "No.")};
  on_query_ = [this, reads = 0]() mutable {
    if (GetParam() && reads++ > 0) Store("r", Now(), R"("V":1)");
  };
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(Commit().ok(), GetParam());
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::seconds(1));
  EXPECT_EQ(Reads(), 2U);
  EXPECT_EQ(egts_[0].outcome, GetParam() ? EgtOutcome::kApplied : EgtOutcome::kFailed);
  EXPECT_TRUE(egts_[0].settled);
}

TEST_F(SettleTest, AfterNothingButThrottlingNothingIsUnknown) {
  Insert("r");
  retries_ = 1;
  egts_replies_ = {MakeResponse(503, ""), MakeResponse(429, "")};
  EXPECT_EQ(Commit(Again::kRepeatedCommit).code(), Code::kBusy);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kFailed);
}

TEST_F(SettleTest, ReadsThatFailLeaveItUnknown) {
  Insert("r");
  egts_replies_ = {NoResponse(true), kExistsResponse};
  s_.cancel = Cancel();
  retries_ = 1;
  entities_["r"] = R"("V":"unclosed)";  // no JSON
  const Status status = Commit();
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kUnknown);
  EXPECT_EQ(Reads(), 2U) << "an unreadable response is requested again";
}

TEST_F(SettleTest, ARepeatedCommitReadsAgainWhatWasUnreadable) {
  Insert("r");
  retries_ = 0;
  egts_replies_ = {NoResponse(true), kExistsResponse, kExistsResponse};
  EXPECT_EQ(Commit(Again::kRepeatedCommit).code(), Code::kBusy);
  entities_["r"] = R"("V":"unclosed)";
  const Status unreadable = Commit(Again::kRepeatedCommit);
  EXPECT_EQ(unreadable.code(), Code::kBusy);
  EXPECT_NE(unreadable.message().find("is unknown: repeat COMMIT to settle it"), std::string::npos)
      << unreadable.message();
  Store("r", Now(), R"("V":1)");
  EXPECT_TRUE(Commit(Again::kRepeatedCommit).ok());
  EXPECT_TRUE(egts_[0].settled);
}

TEST_F(SettleTest, WithoutTheTableNothingIsUnknown) {
  Insert("r");
  egts_replies_ = {NoResponse(true), BatchFailure(404, "TableNotFound", "0:There is no table.")};
  EXPECT_EQ(Commit().code(), Code::kNotFound);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kFailed);
  EXPECT_EQ(Reads(), 0U);
}

TEST_F(SettleTest, Off) {
  Insert("r");
  settle_ = false;
  Store("r", Now(), R"("V":1)");
  egts_replies_ = {NoResponse(true)};
  EXPECT_EQ(Commit(Again::kRepeatedCommit).code(), Code::kError);
  EXPECT_EQ(Ids(), "a") << "it is not sent again";
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kUnknown);
  EXPECT_EQ(Reads(), 0U);
}

TEST_F(SettleTest, AnInterruptInTheBackOffAfterThrottlingIsNotSent) {
  Insert("r");
  egts_replies_ = {MakeResponse(503, "")};
  egts_ = *PlanEgts(Writes());
  int checks = 0;
  const Cancel cancel([&] { return ++checks > 1; });
  EXPECT_EQ(CommitWrites(Writes(), egts_, cancel).code(), Code::kInterrupt);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kNotSent);
  egts_replies_ = {MakeResponse(500, "")};
  checks = 0;
  EXPECT_EQ(CommitWrites(Writes(), egts_, cancel).code(), Code::kInterrupt);
  EXPECT_EQ(egts_[0].outcome, EgtOutcome::kUnknown);
}

}  // namespace
}  // namespace aztables
