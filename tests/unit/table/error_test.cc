// Checks the errors of all failed responses: the code, and a message with table, connection,
// service message, request id and advice.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scripted_client.h"
#include "table/service_error.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::MakeResponse;
using support::NoResponse;
using support::ScriptedClient;

// An error of the front end, which ignores the requested format; recorded from the live service.
Response XmlError(int status, const std::string& code, const std::string& message) {
  Response response = MakeResponse(
      status,
      R"(<?xml version="1.0" encoding="utf-8"?><m:error xmlns:m="http://schemas.microsoft.com)"
      R"(/ado/2007/08/dataservices/metadata"><m:code>)" +
          code + R"(</m:code><m:message xml:lang="en-US">)" + message +
          "\nRequestId:id-1\nTime:2026-11-02T10:00:00.0000000Z</m:message></m:error>",
      "application/xml");
  response.headers.Add("x-ms-error-code", code);
  return response;
}

Response Html(int status) {
  return MakeResponse(status, "<!DOCTYPE html>\n<html><body>Welcome</body></html>", "text/html");
}

Status Read(Outcome outcome, const ServiceEndpoint& endpoint = support::EmulatorEndpoint()) {
  ScriptedClient s(std::vector<Outcome>{std::move(outcome)}, endpoint);
  EntityQuery query;
  query.table = "Movies";
  EntityPage page({});
  const auto next = s.client.QueryPage(query, 0, {}, s.options, page, s.cancel);
  EXPECT_EQ(page.size(), 0U);
  return next.status();
}

void ExpectSentence(const Status& status, const std::vector<std::string>& words) {
  const std::string message(status.message());
  EXPECT_TRUE(message.starts_with("reading table Movies (connection 'demo') failed: ")) << message;
  EXPECT_EQ(message.find("  "), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << word << "\nis not in: " << message;
  }
}

// Only aztables_tables() accepts an inline connection without a name.
TEST(ResponseErrorTest, HowToCreateATableCanBeRun) {
  const struct {
    const char* connection;
    const char* advice;
  } kAdvices[] = {
      {"demo",
       "aztables_tables('demo') for those that do, or create it: "
       "SELECT aztables_create_table('demo.Movies') ["},
      {"LocalStore=it's.db",
       "aztables_tables('LocalStore=it''s.db') for those that do, or write create=missing in "
       "CREATE "
       "VIRTUAL TABLE, or SELECT aztables_connect('local', 'LocalStore=it''s.db') and then SELECT "
       "aztables_create_table('local.Movies') ["},
      {"env:TABLES",
       "or SELECT aztables_connect('local', 'env:TABLES') and then SELECT "
       "aztables_create_table('local.Movies') ["},
      // Under a name it would be another store.
      {"LocalStore=:memory:",
       "for those that do, or write create=missing in CREATE VIRTUAL TABLE ["},
  };
  for (const auto& [connection, advice] : kAdvices) {
    ServiceEndpoint endpoint = support::EmulatorEndpoint();
    endpoint.connection = connection;
    const Status status = Read(ErrorResponse(404, "TableNotFound", "No."), endpoint);
    EXPECT_NE(status.message().find(advice), std::string_view::npos) << status.message();
  }
}

TEST(ResponseErrorTest, AMissingFileOfALocalStore) {
  const std::string folder = testing::TempDir();
  const struct {
    std::string file;
    std::string words;
  } kCases[] = {
      {folder + "/none.db", "the table does not exist; there is no file " + folder +
                                "/none.db: check the path, or create it: SELECT"},
      {folder, "the table does not exist; see SELECT"},  // something is there
      {"", "the table does not exist; see SELECT"},      // not a file
  };
  for (const auto& [file, words] : kCases) {
    ServiceEndpoint endpoint = support::EmulatorEndpoint();
    endpoint.store_file = file;
    const Status status = Read(ErrorResponse(404, "TableNotFound", "No."), endpoint);
    EXPECT_NE(status.message().find(words), std::string_view::npos) << status.message();
  }
}

TEST(WithAdviceTest, BeforeTheReference) {
  const Status status = Read(ErrorResponse(404, "TableNotFound", "No."));
  const std::string message(status.message());
  const std::string reference = " [404 TableNotFound, request id id-1]";
  ASSERT_TRUE(message.ends_with(reference)) << message;
  const std::string sentence = message.substr(0, message.size() - reference.size());
  EXPECT_EQ(status.WithAdvice("; do").message(), sentence + "; do" + reference);
  const Status later = status.Noting("; 0 of 1 EGTs applied");
  EXPECT_EQ(later.WithAdvice("; do").message(),
            sentence + "; do" + reference + "; 0 of 1 EGTs applied");
  EXPECT_EQ(later.WithAdvice("; do").failure().code, "TableNotFound");
  EXPECT_EQ(Status::Error("no reference").WithAdvice("; do").message(), "no reference; do");
}

TEST(ResponseErrorTest, RefusalsInTheFormOfTheService) {
  struct Case {
    Response response;
    Code code;
    const char* service_code;
    std::vector<std::string> words;
  };
  const std::string check = "check the key or SAS of connection 'demo', and the clock";
  const Case cases[] = {
      {XmlError(401, "InvalidAuthenticationInfo", "Server failed to authenticate the request."),
       Code::kAuth,
       "InvalidAuthenticationInfo",
       {check, "Server failed to authenticate"}},
      {XmlError(403, "AuthenticationFailed", "Server failed to authenticate the request."),
       Code::kAuth,
       "AuthenticationFailed",
       {check, "Server failed to authenticate"}},
      {ErrorResponse(403, "AccountIsDisabled", "The account is disabled."),
       Code::kAuth,
       "AccountIsDisabled",
       {"the account of connection 'demo' is disabled"}},
      {ErrorResponse(403, "KeyBasedAuthenticationNotPermitted", "Key based authentication."),
       Code::kAuth,
       "KeyBasedAuthenticationNotPermitted",
       {"the account of connection 'demo' permits no account keys", "write Credential="}},
      {ErrorResponse(403, "AuthorizationFailure", "This request is not authorized."),
       Code::kAuth,
       "AuthorizationFailure",
       {"the account of connection 'demo' does not serve this machine", "its firewall"}},
      {ErrorResponse(403, "AuthorizationPermissionMismatch", "This request is not authorized."),
       Code::kAuth,
       "AuthorizationPermissionMismatch",
       {"connection 'demo' does not permit this", "use one with the right"}},
      {ErrorResponse(403, "AuthorizationResourceTypeMismatch", "This request is not authorized."),
       Code::kAuth,
       "AuthorizationResourceTypeMismatch",
       {"does not permit this"}},
      {ErrorResponse(404, "TableNotFound", "The table specified does not exist."),
       Code::kNotFound,
       "TableNotFound",
       {"the table does not exist", "aztables_tables('demo')",
        "SELECT aztables_create_table('demo.Movies')"}},
      {ErrorResponse(409, "TableBeingDeleted", "The specified table is being deleted."),
       Code::kBusy,
       "TableBeingDeleted",
       {"still being deleted", "try again later"}},
      {ErrorResponse(409, "EntityAlreadyExists", "The specified entity already exists."),
       Code::kAlreadyExists,
       "EntityAlreadyExists",
       {"an entity of the table already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites "
        "it"}},
      {ErrorResponse(412, "UpdateConditionNotSatisfied", "The update condition."),
       Code::kPrecondition,
       "UpdateConditionNotSatisfied",
       {"read it again"}},
      {ErrorResponse(413, "RequestBodyTooLarge", "The request body is too large."),
       Code::kTooBig,
       "RequestBodyTooLarge",
       {"The request body is too large."}},
      {ErrorResponse(400, "EntityTooLarge", "The entity is larger than allowed."),
       Code::kTooBig,
       "EntityTooLarge",
       {"The entity is larger than allowed."}},
      {ErrorResponse(429, "429", "Request rate is large."),
       Code::kBusy,
       "429",
       {"Request rate is large.", "after 1 attempt; try again later"}},
      {ErrorResponse(500, "OperationTimedOut", "It could not be completed."),
       Code::kBusy,
       "OperationTimedOut",
       {"It could not be completed.", "try again later"}},
      {ErrorResponse(503, "ServerBusy", "The server is busy."),
       Code::kBusy,
       "ServerBusy",
       {"The server is busy.", "try again later"}},
      {ErrorResponse(400, "InvalidInput", "Syntax error at position 7."),
       Code::kError,
       "InvalidInput",
       {"the service refused the request", "Syntax error at position 7."}},
      {ErrorResponse(501, "NotImplemented", "Not implemented."),
       Code::kError,
       "NotImplemented",
       {"Not implemented."}},
  };
  for (const Case& c : cases) {
    const Status status = Read(c.response);
    EXPECT_EQ(status.code(), c.code) << status.message();
    EXPECT_EQ(status.failure().code, c.service_code);
    EXPECT_EQ(status.failure().http_status, c.response.status);
    EXPECT_EQ(status.failure().request_id, "id-1");
    EXPECT_EQ(status.failure().message.find("RequestId"), std::string::npos) << "the first line";
    ExpectSentence(status, c.words);
    ExpectSentence(status, {" [" + std::to_string(c.response.status) + " " + c.service_code +
                            ", request id id-1]"});
  }
}

TEST(ResponseErrorTest, ResponsesThatAreNotATableServices) {
  const std::string endpoint = "http://127.0.0.1:10002";
  const struct {
    Response response;
    Code code;
    std::vector<std::string> words;
  } cases[] = {
      {MakeResponse(400, "Bad Request - Invalid URL", "text/plain"),
       Code::kError,
       {endpoint + " did not answer like a table service"}},
      {MakeResponse(400, ""), Code::kError, {"did not answer like a table service"}},
      {Html(404), Code::kNotFound, {"did not answer like a table service"}},
      {Html(302), Code::kError, {"did not answer like a table service"}},
      {MakeResponse(204, ""), Code::kError, {"did not answer like a table service"}},
      {Html(200), Code::kError, {endpoint + "/devstoreaccount1"}},
      {MakeResponse(200, ""), Code::kError, {}},
      {MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":"r"},{"Part)"),
       Code::kError,
       {}},
      {MakeResponse(200, R"({"value":[]} {"value":[]})"), Code::kError, {}},
      {MakeResponse(200, R"({"values":[]})"), Code::kError, {"value"}},
      {MakeResponse(200, R"({"value":{}})"), Code::kError, {}},
      {MakeResponse(200, R"([])"), Code::kError, {}},
      {MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":"r","A":{"B":1}}]})"),
       Code::kError,
       {}},
      {MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":"r"},{"PartitionKey":"p"}]})"),
       Code::kError,
       {"without PartitionKey and RowKey"}},
      {MakeResponse(200, R"({"value":[{"PartitionKey":1,"RowKey":"r"}]})"),
       Code::kError,
       {"without PartitionKey and RowKey"}},
      {MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":null}]})"),
       Code::kError,
       {"without PartitionKey and RowKey"}},
  };
  for (const auto& c : cases) {
    const Status status = Read(c.response);
    EXPECT_EQ(status.code(), c.code) << c.response.body << ": " << status.message();
    EXPECT_EQ(status.failure().http_status, c.response.status);
    ExpectSentence(status, c.words);
    ExpectSentence(status, {"check the endpoint",
                            "[" + std::to_string(c.response.status) + ", request id id-1]"});
  }
}

TEST(ResponseErrorTest, AnAddressThatIsTooLong) {
  for (const Response& response : {Html(414), MakeResponse(431, "")}) {
    const Status status = Read(response);
    EXPECT_EQ(status.code(), Code::kError) << status.message();
    ExpectSentence(status, {"failed: the address of the request is too long for the service ["});
  }
}

TEST(ResponseErrorTest, ServersThatFailWithoutABody) {
  for (const int http_status : {408, 429, 500, 502, 503, 504}) {
    const Status status = Read(MakeResponse(http_status));
    EXPECT_EQ(status.code(), Code::kBusy) << http_status;
    ExpectSentence(status, {"busy or failed", "try again later", std::to_string(http_status)});
  }
}

TEST(ResponseErrorTest, WithoutARequestId) {
  Response response;
  response.status = 503;
  ExpectSentence(Read(response), {"[503]"});
}

TEST(ResponseErrorTest, TheCodeMayStandInTheHeaderAlone) {
  Response response = MakeResponse(404, "");
  response.headers.Add("x-ms-error-code", "TableNotFound");
  const Status status = Read(response);
  EXPECT_EQ(status.failure().code, "TableNotFound");
  ExpectSentence(status, {"aztables_create_table"});
}

TEST(TransportErrorTest, KeepsWhatTheTransportSaid) {
  const Status status = Read(NoResponse(true, "cannot reach http://127.0.0.1:10002: refused"));
  EXPECT_EQ(status.code(), Code::kBusy);
  EXPECT_EQ(status.failure().http_status, 0);
  EXPECT_TRUE(status.failure().may_have_reached);
  EXPECT_EQ(status.message(),
            "reading table Movies (connection 'demo') failed: cannot reach http://127.0.0.1:10002: "
            "refused");
}

TEST(TransportErrorTest, CountsAttempts) {
  ScriptedClient s(std::vector<Outcome>{NoResponse(false), NoResponse(false)});
  s.options.retries = 1;
  EntityQuery query;
  query.table = "Movies";
  EntityPage page({});
  const auto next = s.client.QueryPage(query, 0, {}, s.options, page, s.cancel);
  ExpectSentence(next.status(), {"the connection broke, after 2 attempts"});
}

TEST(TransportErrorTest, AnInterruptStaysWhatItIs) {
  ScriptedClient s([](const Request&) {
    return support::ScriptedReply{MakeResponse(200), support::ScriptedReply::kNever};
  });
  EntityQuery query;
  query.table = "Movies";
  EntityPage page({});
  const Cancel cancel([] { return true; });
  const auto next = s.client.QueryPage(query, 0, {}, s.options, page, cancel);
  EXPECT_EQ(next.status().code(), Code::kInterrupt);
  EXPECT_EQ(next.status().message(), "interrupted");
  EXPECT_EQ(s.transport.given_up(), 1);
  EXPECT_EQ(s.transport.in_flight(), 0);
}

TEST(TransportErrorTest, WritesAreSentAgainUnlessTheOptionSaysOtherwise) {
  const auto busy = [](const Request&) {
    return support::ScriptedReply{ErrorResponse(500, "OperationTimedOut", "busy")};
  };
  ScriptedClient reading(busy);
  reading.options.retries = 1;
  EXPECT_FALSE(reading.client.ListTables(reading.options, reading.cancel).ok());
  EXPECT_EQ(reading.transport.requests().size(), 2U);
  ScriptedClient writing(busy);
  writing.options.retries = 1;
  writing.options.settle = false;
  EXPECT_FALSE(writing.client.CreateTable("Movies", writing.options, writing.cancel).ok());
  EXPECT_FALSE(writing.client.DeleteTable("Movies", writing.options, writing.cancel).ok());
  EXPECT_EQ(writing.transport.requests().size(), 2U);
  writing.options.settle = true;
  EXPECT_FALSE(writing.client.CreateTable("Movies", writing.options, writing.cancel).ok());
  EXPECT_EQ(writing.transport.requests().size(), 4U);
}

// HTML, other JSON and a body that is cut off are as good as no response. The first response of a
// connection gets one retry.
TEST(ShapeErrorTest, AnUnreadableResponseIsRequestedAgain) {
  const Response good = MakeResponse(200, R"({"value":[{"TableName":"Abc"}]})");
  for (const Response& bad :
       {MakeResponse(200, "<html>log in</html>", "text/html"),
        MakeResponse(403, "<html>log in</html>", "text/html"), MakeResponse(200, R"({"a":1})"),
        MakeResponse(404, R"({"odata.error":{"code":"ResourceNotFound","message":{"lang)"),
        MakeResponse(200, R"({"value":[{"TableName":"Abc"})"),
        MakeResponse(200, R"({"value":[],"value":[]})")}) {
    ScriptedClient s(std::vector<Outcome>{good, bad, bad, good});
    s.options.retries = 2;
    for (int i = 0; i < 2; ++i) {
      const auto names = s.client.ListTables(s.options, s.cancel);
      EXPECT_TRUE(names.ok()) << names.status().message();
    }
  }
  for (const int status : {400, 413, 414, 431}) {
    const Response page = MakeResponse(status, "<html>too long</html>", "text/html");
    ScriptedClient front_end(std::vector<Outcome>{page, page});
    front_end.options.retries = 1;
    EXPECT_FALSE(front_end.client.ListTables(front_end.options, front_end.cancel).ok());
    EXPECT_EQ(front_end.transport.requests().size(), 1U) << status;
  }
  Response html{.status = 200, .headers = {}, .body = "<html>log in</html>"};
  html.headers.Add("Content-Type", "text/html");
  ScriptedClient never(std::vector<Outcome>{html, html, html});
  never.options.retries = 5;
  EXPECT_FALSE(never.client.ListTables(never.options, never.cancel).ok());
  EXPECT_EQ(never.transport.requests().size(), 2U);
}

}  // namespace
}  // namespace aztables
