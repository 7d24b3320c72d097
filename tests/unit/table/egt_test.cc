// Checks entity group transactions: the request byte for byte except for GUIDs, sizes, and for each
// response whether the operations were applied, may have been, or were not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/convert.h"
#include "odata/batch/batch.h"
#include "support/batch_response.h"
#include "support/log_writes.h"
#include "support/scripted_client.h"

namespace aztables {
namespace {

using support::BatchFailure;
using support::BatchResponse;
using support::BatchSuccess;
using support::ErrorResponse;
using support::MakeResponse;
using support::NoResponse;
using support::OwnedInsert;
using support::ScriptedClient;
using support::ViewsOf;

std::vector<OwnedInsert> Inserts(size_t count) {
  std::vector<OwnedInsert> inserts;
  inserts.reserve(count);
  for (size_t i = 0; i < count; ++i) inserts.push_back({"Action", std::to_string(i)});
  return inserts;
}

Status Send(ScriptedClient& s, const std::vector<EntityOperation>& operations) {
  const auto exchange = s.client.StartEgt("Movies", operations, s.options);
  Exchange* const waiting = exchange.get();
  EXPECT_TRUE(s.pipeline->WaitAny({&waiting, 1}, s.cancel).ok());
  return s.client.FinishEgt("Movies", operations, *exchange).status;
}

Status Send(ScriptedClient& s, size_t count) {
  const std::vector<OwnedInsert> inserts = Inserts(count);
  return Send(s, ViewsOf(inserts));
}

Status Send(Outcome outcome, size_t count) {
  ScriptedClient s(std::vector<Outcome>{std::move(outcome)});
  s.options.retries = 0;
  Status status = Send(s, count);
  EXPECT_EQ(s.transport.requests().size(), 1U) << "an EGT is never sent again by itself";
  return status;
}

TEST(EgtTest, TheServiceEndsAWriteWithTheAttempt) {
  const auto query = [](std::chrono::milliseconds timeout, ServiceEndpoint endpoint) {
    ScriptedClient s(std::vector<Outcome>{MakeResponse(503, "")}, std::move(endpoint));
    s.options.timeout = timeout;
    EXPECT_FALSE(Send(s, 1).ok());
    return s.request(0).query;
  };
  using std::chrono::milliseconds;
  ServiceEndpoint endpoint = support::EmulatorEndpoint();
  EXPECT_EQ(query(milliseconds(100), endpoint), "timeout=1");
  EXPECT_EQ(query(milliseconds(1001), endpoint), "timeout=2");
  EXPECT_EQ(query(milliseconds(10'000), endpoint), "timeout=10");
  EXPECT_EQ(query(milliseconds(300'000), endpoint), "timeout=30");
  endpoint.local = true;
  EXPECT_EQ(query(milliseconds(10'000), endpoint), "");
  endpoint.local = false;
  endpoint.cosmos = true;
  EXPECT_EQ(query(milliseconds(10'000), endpoint), "");
}

// The operation in the body.
std::string Golden(const std::string& row_key) {
  return "--changeset_C\r\n"
         "Content-Type: application/http\r\n"
         "Content-Transfer-Encoding: binary\r\n\r\n"
         "POST http://127.0.0.1:10002/devstoreaccount1/Movies HTTP/1.1\r\n"
         "Content-Type: application/json\r\n"
         "Accept: application/json;odata=minimalmetadata\r\n"
         "Prefer: return-no-content\r\n"
         "DataServiceVersion: 3.0;\r\n\r\n"
         R"({"PartitionKey":"Action","RowKey":")" +
         row_key + "\"}\r\n";
}

// The GUID after `mark`.
std::string GuidAfter(const std::string& text, const std::string& mark) {
  const size_t at = text.find(mark);
  std::string guid = at == std::string::npos ? "" : text.substr(at + mark.size(), 36);
  EXPECT_EQ(guid.size(), 36U);
  EXPECT_EQ(NormalizeGuid(guid), guid);
  return guid;
}

void Replace(std::string& text, const std::string& from, const std::string& to) {
  size_t at = 0;
  while ((at = text.find(from, at)) != std::string::npos) text.replace(at, from.size(), to);
}

TEST(EgtRequestTest, Golden) {
  ScriptedClient s(std::vector<Outcome>{BatchSuccess(2)});
  ASSERT_TRUE(Send(s, 2).ok());
  const Request& request = s.request(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/devstoreaccount1/$batch");
  EXPECT_EQ(request.query, "timeout=30");
  EXPECT_TRUE(request.may_repeat);
  EXPECT_EQ(request.label.kind, "EGT");
  EXPECT_EQ(request.label.table, "Movies");

  const std::string type(request.headers.Get("Content-Type"));
  const std::string batch = GuidAfter(type, "multipart/mixed; boundary=batch_");
  const std::string changeset = GuidAfter(request.body, "boundary=changeset_");
  EXPECT_EQ(request.headers.Get("x-ms-client-request-id"), "aztables-" + batch);
  EXPECT_EQ(type, "multipart/mixed; boundary=batch_" + batch);
  std::string body = request.body;
  Replace(body, "batch_" + batch, "batch_B");
  Replace(body, "changeset_" + changeset, "changeset_C");
  EXPECT_EQ(body, "--batch_B\r\nContent-Type: multipart/mixed; boundary=changeset_C\r\n\r\n" +
                      Golden("0") + Golden("1") + "--changeset_C--\r\n--batch_B--\r\n");
}

// The head of one sent operation, and its body.
std::string Sent(const EntityOperation& operation) {
  ScriptedClient s(std::vector<Outcome>{BatchSuccess(1)});
  EXPECT_TRUE(Send(s, {operation}).ok());
  const std::string& body = s.request(0).body;
  const size_t begin = body.find("binary\r\n\r\n") + 10;
  return body.substr(begin, body.find("\r\n--changeset_", begin) - begin);
}

TEST(EgtRequestTest, EveryVerb) {
  const std::string etag = "W/\"datetime'2026-11-21T15%3A45%3A23.706Z'\"";
  const std::string url =
      "http://127.0.0.1:10002/devstoreaccount1/Movies(PartitionKey='O%27%27B%2F',";
  const std::string accept = "Accept: application/json;odata=minimalmetadata\r\n";
  const std::string version = "DataServiceVersion: 3.0;\r\n\r\n";
  const std::string type = "Content-Type: application/json\r\n";
  const struct {
    const char* method;
    EntityVerb verb;
    bool condition;
  } cases[] = {{"PUT ", EntityVerb::kInsertOrReplace, false},
               {"MERGE ", EntityVerb::kInsertOrMerge, false},
               {"PUT ", EntityVerb::kReplace, true},
               {"MERGE ", EntityVerb::kMerge, true}};
  for (const auto& c : cases) {
    std::string wanted = c.method;
    wanted.append(url).append("RowKey='r') HTTP/1.1\r\n").append(type).append(accept);
    if (c.condition) wanted.append("If-Match: ").append(etag).append("\r\n");
    wanted.append(version).append(R"({"PartitionKey":"O'B/","RowKey":"r","A":1})");
    EXPECT_EQ(Sent({c.verb, "O'B/", "r", c.condition ? etag : "", R"({"A":1})"}), wanted);
  }
  EXPECT_EQ(Sent({EntityVerb::kDelete, "O'B/", "r", "*", ""}),
            "DELETE " + url + "RowKey='r') HTTP/1.1\r\n" + accept + "If-Match: *\r\n" + version);
  EXPECT_TRUE(Sent({EntityVerb::kInsert, "p\"", "r", "", R"({"A":1})"})
                  .ends_with(version + R"({"PartitionKey":"p\"","RowKey":"r","A":1})"));
}

TEST(EgtRequestTest, EveryEgtHasItsOwnBoundaries) {
  ScriptedClient s(std::vector<Outcome>{BatchSuccess(1), BatchSuccess(1)});
  ASSERT_TRUE(Send(s, 1).ok());
  ASSERT_TRUE(Send(s, 1).ok());
  EXPECT_NE(s.request(0).headers.Get("Content-Type"), s.request(1).headers.Get("Content-Type"));
}

TEST(EgtRequestTest, TheSizeIsKnownBeforehand) {
  for (const char* table : {"Movies", "t\xC3\xA9t"}) {
    ScriptedClient s(std::vector<Outcome>{BatchSuccess(1)});
    std::vector<OwnedInsert> inserts = Inserts(100);
    for (OwnedInsert& insert : inserts) {
      insert.properties = R"({"A":")" + std::string(insert.row_key.size() * 17, ' ') + "\"}";
    }
    std::vector<EntityOperation> operations = ViewsOf(inserts);
    size_t bytes = kBatchFrameSize;
    for (size_t i = 0; i < operations.size(); ++i) {
      operations[i].verb = static_cast<EntityVerb>(i % 6);
      if (i % 6 >= 3) operations[i].if_match = "W/\"datetime'2026-11-21T15%3A45%3A23.706Z'\"";
      if (operations[i].verb == EntityVerb::kDelete) operations[i].properties = "";
      bytes += s.client.EncodedOperationSize(table, operations[i]);
    }
    const auto exchange = s.client.StartEgt(table, operations, s.options);
    EXPECT_EQ(s.request(0).body.size(), bytes);
  }
}

TEST(EgtRequestTest, MostBytes) {
  ScriptedClient storage(std::vector<Outcome>{});
  EXPECT_EQ(storage.client.MaxEgtBytes(), size_t{4} * 1024 * 1024);
  ScriptedClient cosmos(std::vector<Outcome>{},
                        {.connection = "c", .origin = "https://c", .cosmos = true});
  EXPECT_EQ(cosmos.client.MaxEgtBytes(), size_t{2} * 1024 * 1024);
}

TEST(EgtResponseTest, Success) {
  ScriptedClient s(std::vector<Outcome>{BatchSuccess(100)});
  EXPECT_TRUE(Send(s, 100).ok());
  EXPECT_EQ(s.log.At(0).entities, 100);
  EXPECT_TRUE(Send(BatchSuccess(1), 1).ok());
}

TEST(EgtResponseTest, TheIndexNamesTheEntity) {
  ScriptedClient s(std::vector<Outcome>{
      BatchFailure(409, "EntityAlreadyExists", "3:The specified entity already exists.")});
  const Status status = Send(s, 5);
  EXPECT_EQ(status.code(), Code::kAlreadyExists);
  EXPECT_EQ(status.failure().operation_index, 3);
  EXPECT_EQ(status.failure().code, "EntityAlreadyExists");
  EXPECT_EQ(status.failure().http_status, 409);
  EXPECT_FALSE(status.failure().may_have_reached);
  EXPECT_EQ(status.message(),
            "writing to table Movies (connection 'demo') failed: the entity PartitionKey='Action', "
            "RowKey='3' already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it "
            "[409 EntityAlreadyExists, request id id-1]");
  EXPECT_EQ(s.log.At(0).entities, 0);
  EXPECT_EQ(s.log.At(0).code, "EntityAlreadyExists");
}

TEST(EgtResponseTest, TheOnlyOperationNeedsNoIndex) {
  const Status one =
      Send(BatchFailure(409, "EntityAlreadyExists", "The specified entity already exists."), 1);
  EXPECT_EQ(one.failure().operation_index, 0);
  EXPECT_NE(one.message().find("RowKey='0'"), std::string_view::npos) << one.message();
  const Status of_two =
      Send(BatchFailure(409, "EntityAlreadyExists", "The specified entity already exists."), 2);
  EXPECT_EQ(of_two.failure().operation_index, -1);
  EXPECT_EQ(of_two.message().find("RowKey"), std::string_view::npos) << of_two.message();
  EXPECT_NE(of_two.message().find("already exists"), std::string_view::npos);
}

TEST(EgtResponseTest, AnIndexThatIsNoneOfTheOperations) {
  for (const char* message : {"2:Exists.", "99:Exists.", "999:Exists."}) {
    const Status status = Send(BatchFailure(409, "EntityAlreadyExists", message), 2);
    EXPECT_EQ(status.code(), Code::kAlreadyExists);
    EXPECT_EQ(status.failure().operation_index, -1);
    EXPECT_FALSE(status.failure().may_have_reached);
  }
}

TEST(EgtResponseTest, AVersionThatIsGone) {
  const auto send = [](const char* code, int http_status, const char* if_match) {
    ScriptedClient s(std::vector<Outcome>{BatchFailure(http_status, code, "0:It is gone.")});
    return Send(s, {{EntityVerb::kDelete, "p", "r", if_match, ""}});
  };
  const Status changed = send("UpdateConditionNotSatisfied", 412, "W/\"1\"");
  EXPECT_EQ(changed.code(), Code::kPrecondition);
  EXPECT_NE(changed.message().find("the entity PartitionKey='p', RowKey='r' was changed since it "
                                   "was read; read it again"),
            std::string_view::npos)
      << changed.message();
  const Status deleted = send("ResourceNotFound", 404, "W/\"1\"");
  EXPECT_EQ(deleted.code(), Code::kPrecondition);
  EXPECT_NE(deleted.message().find(
                "the entity PartitionKey='p', RowKey='r' no longer exists; read it again"),
            std::string_view::npos)
      << deleted.message();
  EXPECT_EQ(send("ResourceNotFound", 404, "*").code(), Code::kNotFound);
  EXPECT_EQ(send("TableNotFound", 404, "W/\"1\"").code(), Code::kNotFound);
}

TEST(EgtResponseTest, OtherRefusals) {
  const struct {
    Response response;
    Code code;
    const char* word;
  } cases[] = {
      {BatchFailure(404, "TableNotFound", "0:The table specified does not exist."), Code::kNotFound,
       "aztables_create_table('demo.Movies')"},
      {BatchFailure(400, "InvalidDuplicateRow", "1:The batch request contains multiple changes."),
       Code::kError, "at the entity PartitionKey='Action', RowKey='1'"},
      {BatchFailure(400, "PropertyValueTooLarge", "1:The property value exceeds."), Code::kTooBig,
       "RowKey='1'"},
      {BatchFailure(403, "AuthorizationPermissionMismatch", "0:Not authorized."), Code::kAuth,
       "does not permit"},
      {ErrorResponse(403, "AuthenticationFailed", "Server failed to authenticate."), Code::kAuth,
       "check the key or SAS"},
      {ErrorResponse(413, "RequestBodyTooLarge", "The request body is too large."), Code::kTooBig,
       "too large"},
      {ErrorResponse(400, "InvalidInput", "3:The batch request is bad."), Code::kError, "is bad"},
      {ErrorResponse(404, "ResourceNotFound", "no"), Code::kNotFound, "refused"},
      {ErrorResponse(429, "429", "Request rate is large."), Code::kBusy, "try again later"},
      {ErrorResponse(503, "ServerBusy", "The server is busy."), Code::kBusy, "try again later"},
      {MakeResponse(302, "", "text/html"), Code::kError, "check the endpoint"},
  };
  for (const auto& c : cases) {
    const Status status = Send(c.response, 2);
    EXPECT_EQ(status.code(), c.code) << status.message();
    EXPECT_FALSE(status.failure().may_have_reached) << status.message();
    EXPECT_NE(status.message().find(c.word), std::string_view::npos) << status.message();
    EXPECT_TRUE(
        status.message().starts_with("writing to table Movies (connection 'demo') failed: "));
    EXPECT_EQ(status.message().find("  "), std::string_view::npos) << status.message();
  }
}

TEST(EgtResponseTest, WhatMayHaveBeenApplied) {
  std::string truncated = BatchSuccess(3).body;
  truncated.resize(truncated.size() / 2);
  const Outcome outcomes[] = {
      ErrorResponse(500, "InternalError", "It failed."),
      ErrorResponse(500, "OperationTimedOut", "It took too long."),
      BatchFailure(500, "OperationTimedOut", "0:It took too long."),
      MakeResponse(502, "<html>Bad Gateway</html>", "text/html"),
      MakeResponse(504, ""),
      MakeResponse(408, ""),
      MakeResponse(200, "<html>Welcome</html>", "text/html"),
      MakeResponse(204, ""),
      MakeResponse(202, "", support::kBatchType),
      MakeResponse(202, "<html>Welcome</html>", "text/html"),
      MakeResponse(202, "no boundary at all", support::kBatchType),
      MakeResponse(202, BatchSuccess(3).body, "multipart/mixed"),
      MakeResponse(202, truncated, support::kBatchType),
      BatchSuccess(2),
      BatchSuccess(4),
      BatchResponse("what is this"),
      NoResponse(true),
  };
  for (const Outcome& outcome : outcomes) {
    const Status status = Send(outcome, 3);
    EXPECT_FALSE(status.ok());
    EXPECT_TRUE(status.failure().may_have_reached) << status.message();
    EXPECT_TRUE(
        status.message().starts_with("writing to table Movies (connection 'demo') failed: "))
        << status.message();
  }
}

// COMMIT may be repeated, unless the endpoint is probably wrong.
TEST(EgtResponseTest, AnUnreadableResponseIsLikeABrokenConnection) {
  Response response = MakeResponse(202, "no boundary at all", support::kBatchType);
  response.headers.Set("x-ms-request-id", "");
  EXPECT_EQ(Send(response, 1).code(), Code::kError);
  response.headers.Set("x-ms-request-id", "id");
  EXPECT_EQ(Send(response, 1).code(), Code::kBusy);
}

TEST(EgtResponseTest, WhatNeverReachedTheService) {
  const Status status = Send(NoResponse(false, "cannot reach http://127.0.0.1:10002: refused"), 2);
  EXPECT_EQ(status.code(), Code::kBusy);
  EXPECT_FALSE(status.failure().may_have_reached);
  EXPECT_EQ(status.failure().operation_index, -1);
}

TEST(EgtResponseTest, BareJsonInPlaceOfParts) {
  const Status status = Send(
      MakeResponse(202, ErrorResponse(400, "InvalidInput", "1:One of the inputs is bad.").body), 2);
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_EQ(status.failure().operation_index, 1);
  EXPECT_FALSE(status.failure().may_have_reached);
}

}  // namespace
}  // namespace aztables
