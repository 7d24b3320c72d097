// Checks the rules of entity group transactions that the client never violates: all verbs, each
// error with its operation, that a failure changes nothing, and the single read.
#include <string>
#include <vector>

#include "raw_batch_base.h"

namespace aztables {
namespace {

using EgtRulesTest = RawBatchTest;

TEST_F(EgtRulesTest, EveryVerb) {
  for (const char* row : {"replaced", "merged", "deleted"}) Insert(row, R"("A":1,"B":1)");
  const BatchOutcome done = SendBatch(
      {InsertOf("inserted"), ChangeOf("PUT", "replaced", "*", R"({"A":2})"),
       ChangeOf("MERGE", "merged", "*", R"({"A":2})"), ChangeOf("DELETE", "deleted", "*", ""),
       ChangeOf("PUT", "put", "", R"({"A":2})"), ChangeOf("MERGE", "upserted", "", R"({"A":2})"),
       ChangeOf("PATCH", "patched", "", R"({"A":2})")});
  EXPECT_EQ(done.text(), "204 204 204 204 204 204 204");
  ASSERT_EQ(done.parts.size(), 7U);
  EXPECT_EQ(done.parts[1].etag, Get("replaced").etag());
  EXPECT_EQ(done.parts[3].etag, "");
  EXPECT_EQ(Rows(""), "inserted merged patched put replaced upserted");
  EXPECT_EQ(Get("replaced").At("/B"), kAbsent);
  EXPECT_EQ(Get("merged").At("/B"), "1");
}

TEST_F(EgtRulesTest, TheFailingOperationIsNamedAndNothingIsDone) {
  Insert("old", R"("A":1)");
  struct Case {
    BatchOperation operation;
    std::string text;
  };
  const Case cases[] = {
      {InsertOf("old"), "409 EntityAlreadyExists 2:The specified entity already exists."},
      {ChangeOf("MERGE", "none", "*", R"({"A":2})"),
       "404 ResourceNotFound 2:The specified resource does not exist."},
      {ChangeOf("PUT", "none", "*", R"({"A":2})"),
       "404 ResourceNotFound 2:The specified resource does not exist."},
      {ChangeOf("DELETE", "none", "*", ""),
       "404 ResourceNotFound 2:The specified resource does not exist."},
      {ChangeOf("MERGE", "old", kStaleEtag, R"({"A":2})"),
       "412 UpdateConditionNotSatisfied 2:The update condition specified in the request was not "
       "satisfied."},
      {ChangeOf("DELETE", "old", "W/\"wrong\"", ""),
       "412 UpdateConditionNotSatisfied 2:The update condition specified in the request was not "
       "satisfied."}};
  for (const Case& one : cases) {
    EXPECT_EQ(SendBatch({InsertOf("new"), ChangeOf("PUT", "other", "", R"({"A":1})"), one.operation,
                         InsertOf("last")})
                  .text(),
              one.text);
    EXPECT_EQ(Rows(""), "old") << "nothing is left of it";
    EXPECT_EQ(Get("old").At("/A"), "1");
  }
}

// The legacy JavaScript client sends this Accept header with every batch.
TEST_F(EgtRulesTest, TheAcceptOfABatchSaysNothing) {
  const std::vector<const char*> accepts = {"application/atom+xml,application/xml",
                                            "application/json;odata=verbose", "text/plain"};
  for (size_t i = 0; i < accepts.size(); ++i) {
    const EncodedBatch batch = EncodeBatch({InsertOf(std::to_string(i))}, "batch_b", "changeset_c");
    EXPECT_EQ(SendBody(batch.content_type, batch.body, accepts[i]).text(), "204") << accepts[i];
  }
  EXPECT_EQ(Rows(""), "0 1 2");
}

TEST_F(EgtRulesTest, OneOperationAloneIsNotNumbered) {
  Insert("old");
  const std::string index = Differs(Difference::kIndexOfOnlyOperation) ? "0:" : "";
  EXPECT_EQ(SendBatch({InsertOf("old")}).text(),
            "409 EntityAlreadyExists " + index + "The specified entity already exists.");
  EXPECT_EQ(SendBatch({ChangeOf("DELETE", "none", "*", "")}).text(),
            "404 ResourceNotFound " + index + "The specified resource does not exist.");
  EXPECT_EQ(SendBatch({ChangeOf("MERGE", "old", kStaleEtag, R"({"A":2})")}).text(),
            "412 UpdateConditionNotSatisfied " + index +
                "The update condition specified in the request was not satisfied.");
}

TEST_F(EgtRulesTest, AMissingTableIsNumberedAlways) {
  table_ = FreshName();
  EXPECT_EQ(SendBatch({InsertOf("1")}).text(),
            "404 TableNotFound 0:The table specified does not exist.");
  EXPECT_EQ(SendBatch({InsertOf("1"), InsertOf("2"), InsertOf("3")}).text(),
            "404 TableNotFound 0:The table specified does not exist.");
}

TEST_F(EgtRulesTest, TwoPartitions) {
  const BatchOutcome outcome = SendBatch({InsertOf("1", "p"), InsertOf("2", "q")});
  if (Differs(Difference::kTwoPartitionsInOneEgt)) {
    EXPECT_EQ(outcome.text(), "204 204");
    return;
  }
  EXPECT_EQ(outcome.text(),
            "400 CommandsInBatchActOnDifferentPartitions 1:All commands in a batch must operate on "
            "same entity group.");
  EXPECT_EQ(Rows(""), "");
}

TEST_F(EgtRulesTest, TheSameRowTwice) {
  const std::string text =
      Differs(Difference::kWordsOfErrors)
          ? "400 InvalidDuplicateRow 1:A command with RowKey '1' is already present in the batch. "
            "An entity can appear only once in a batch. "
          : "400 InvalidDuplicateRow 1:The batch request contains multiple changes with same row "
            "key. An entity can appear only once in a batch request.";
  EXPECT_EQ(SendBatch({InsertOf("1"), InsertOf("1")}).text(), text);
  EXPECT_EQ(SendBatch({InsertOf("1"), ChangeOf("DELETE", "1", "*", "")}).text(), text);
  EXPECT_EQ(SendBatch({ChangeOf("MERGE", "1", "", "{}"), ChangeOf("MERGE", "1", "", "{}")}).text(),
            text);
  EXPECT_EQ(Rows(""), "");
}

TEST_F(EgtRulesTest, AHundredOperationsAndOneMore) {
  std::vector<BatchOperation> operations;
  operations.reserve(101);
  for (int i = 0; i < 100; ++i) operations.push_back(InsertOf(std::to_string(i)));
  const BatchOutcome done = SendBatch(operations);
  EXPECT_EQ(done.parts.size(), 100U);
  operations.clear();
  for (int i = 100; i < 201; ++i) operations.push_back(InsertOf(std::to_string(i)));
  const BatchOutcome refused = SendBatch(operations);
  if (Differs(Difference::kTooManyOperations)) {
    // A boundary precedes the status line, so the response is not a batch response.
    EXPECT_FALSE(refused.readable);
    EXPECT_NE(refused.response.body.find("0:The batch request operation exceeds the maximum 100 "
                                         "changes per change set."),
              std::string::npos);
  } else {
    EXPECT_EQ(refused.text(),
              "400 InvalidInput 99:The batch request operation exceeds the maximum 100 changes per "
              "change set.");
  }
  EXPECT_EQ(Rows("RowKey eq '100' or RowKey eq '150' or RowKey eq '200'"), "");
}

TEST_F(EgtRulesTest, TheSizeOfABody) {
  const auto body_of = [this](size_t size) {
    std::vector<BatchOperation> operations;
    operations.reserve(70);
    for (int i = 0; i < 70; ++i) {
      operations.push_back(
          InsertOf(std::to_string(i), "p", R"("A":")" + std::string(size / 70, 'x') + "\""));
    }
    return SendBatch(operations);
  };
  constexpr size_t kSmall = 1024 * 1024;
  constexpr size_t kLarge = 4 * 1024 * 1024;
  EXPECT_EQ(body_of(kLarge).response.outcome(), "413 RequestBodyTooLarge");
  EXPECT_EQ(body_of(kSmall).parts.size(), 70U);
}

TEST_F(EgtRulesTest, AnEmptyChangeset) {
  const BatchOutcome outcome =
      SendBody("multipart/mixed; boundary=batch_a",
               "--batch_a\r\nContent-Type: multipart/mixed; boundary=changeset_b\r\n\r\n"
               "--changeset_b--\r\n--batch_a--\r\n");
  EXPECT_EQ(outcome.response.status, Differs(Difference::kEmptyChangeset) ? 500 : 202);
  EXPECT_TRUE(outcome.parts.empty());
}

TEST_F(EgtRulesTest, ASingleRead) {
  Insert("1", R"("A":1)");
  const auto get = [this](const std::string& row_key) {
    return SendBody("multipart/mixed; boundary=batch_a",
                    "--batch_a\r\nContent-Type: application/http\r\n"
                    "Content-Transfer-Encoding: binary\r\n\r\nGET " +
                        Url(Address("p", row_key)) +
                        " HTTP/1.1\r\nAccept: application/json;odata=minimalmetadata\r\n\r\n"
                        "\r\n--batch_a--\r\n");
  };
  const BatchOutcome found = get("1");
  ASSERT_EQ(found.text(), "200");
  if (Differs(Difference::kEntityInABatch)) {
    EXPECT_EQ(found.parts[0].body, "") << "the entity stands among the headers";
    EXPECT_NE(found.response.body.find("\"A\":1"), std::string::npos);
  } else {
    EXPECT_EQ(JsonAt(found.parts[0].body, "/A"), "1");
  }
  EXPECT_EQ(found.response.body.find("changeset"), std::string::npos);
  EXPECT_EQ(get("none").text(), "404 ResourceNotFound 0:The specified resource does not exist.");
}

TEST_F(EgtRulesTest, NoBatchAtAll) {
  for (const char* body : {"", "x", "--batch_a--\r\n"}) {
    EXPECT_EQ(SendBody("multipart/mixed; boundary=batch_a", body).response.outcome(),
              Differs(Difference::kBadBodies) ? "500" : "400 InvalidInput")
        << body;
  }
}

}  // namespace
}  // namespace aztables
