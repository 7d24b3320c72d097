// Checks creating, deleting and listing tables: the requests, the meaning of each response, and
// lists in pages.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/datetime.h"
#include "support/scripted_client.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::MakeResponse;
using support::NoResponse;
using support::ScriptedClient;

using Names = std::vector<std::string>;

ScriptedClient On(Outcome outcome) {
  return ScriptedClient(std::vector<Outcome>{std::move(outcome)});
}

TEST(CreateTableTest, TheRequest) {
  ScriptedClient s = On(MakeResponse(204));
  const auto created = s.client.CreateTable("Movies", s.options, s.cancel);
  ASSERT_TRUE(created.ok());
  EXPECT_TRUE(*created);
  const Request& request = s.request(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/devstoreaccount1/Tables");
  EXPECT_EQ(request.query, "timeout=30");
  EXPECT_EQ(request.body, R"({"TableName":"Movies"})");
  EXPECT_EQ(request.headers.Get("Content-Type"), "application/json");
  EXPECT_EQ(request.headers.Get("Prefer"), "return-no-content");
  EXPECT_TRUE(request.may_repeat);
  EXPECT_EQ(request.label.table, "Movies");
}

TEST(CreateTableTest, Responses) {
  ScriptedClient with_body = On(MakeResponse(201, R"({"TableName":"Movies"})"));
  const auto created = with_body.client.CreateTable("Movies", with_body.options, with_body.cancel);
  EXPECT_TRUE(created.ok() && *created) << "Cosmos DB does not heed Prefer";

  ScriptedClient exists =
      On(ErrorResponse(409, "TableAlreadyExists", "The table specified already exists."));
  const auto existed = exists.client.CreateTable("Movies", exists.options, exists.cancel);
  EXPECT_TRUE(existed.ok() && !*existed);

  ScriptedClient deleting = On(ErrorResponse(409, "TableBeingDeleted", "Try operation later."));
  const Status later =
      deleting.client.CreateTable("Movies", deleting.options, deleting.cancel).status();
  EXPECT_EQ(later.code(), Code::kBusy);
  EXPECT_TRUE(later.message().starts_with("creating table Movies (connection 'demo') failed: "))
      << later.message();

  ScriptedClient bad = On(ErrorResponse(400, "InvalidResourceName",
                                        "The specifed resource name contains invalid characters."));
  const Status refused = bad.client.CreateTable("my_table", bad.options, bad.cancel).status();
  EXPECT_EQ(refused.code(), Code::kError);
  EXPECT_NE(refused.message().find("invalid characters"), std::string_view::npos);
}

// The first attempt has no response, and the second one finds a table.
Result<bool> CreateAfterALostResponse(const std::string& entities) {
  const Response exists = ErrorResponse(409, "TableAlreadyExists", "It exists.");
  ScriptedClient s(std::vector<Outcome>{NoResponse(true), exists,
                                        MakeResponse(200, R"({"value":[)" + entities + "]}")});
  s.options.retries = 1;
  return s.client.CreateTable("Movies", s.options, s.cancel);
}

TEST(CreateTableTest, ATableThatALostAttemptMade) {
  const auto written = [](int64_t ms_ago) {
    return R"({"PartitionKey":"p","RowKey":"r","Timestamp":")" +
           FormatDateTime(UnixTime(Clock::System().NowMs() - ms_ago)) + R"("})";
  };
  const auto empty = CreateAfterALostResponse("");
  EXPECT_TRUE(empty.ok() && *empty);
  const auto fresh = CreateAfterALostResponse(written(0));
  EXPECT_TRUE(fresh.ok() && *fresh);
  const auto old = CreateAfterALostResponse(written(60'000));
  EXPECT_TRUE(old.ok() && !*old) << "it existed before";
}

TEST(CreateTableTest, WaitsForATableThatIsBeingDeleted) {
  ScriptedClient s(std::vector<Outcome>{
      ErrorResponse(409, "TableBeingDeleted", "Try operation later."), MakeResponse(204)});
  s.options.retries = 1;
  const auto created = s.client.CreateTable("Movies", s.options, s.cancel);
  EXPECT_TRUE(created.ok() && *created);
  ScriptedClient interrupted(
      std::vector<Outcome>{ErrorResponse(409, "TableBeingDeleted", "Try operation later.")});
  interrupted.options.retries = 1;
  int checks = 0;
  const Cancel cancel([&] { return ++checks > 3; });
  EXPECT_EQ(interrupted.client.CreateTable("Movies", interrupted.options, cancel).status().code(),
            Code::kInterrupt);
}

TEST(DeleteTableTest, ATableThatALostAttemptDeleted) {
  ScriptedClient s(std::vector<Outcome>{
      NoResponse(true), ErrorResponse(404, "ResourceNotFound", "It does not exist.")});
  s.options.retries = 1;
  const auto deleted = s.client.DeleteTable("Movies", s.options, s.cancel);
  EXPECT_TRUE(deleted.ok() && *deleted);
}

TEST(DeleteTableTest, TheRequest) {
  ScriptedClient s = On(MakeResponse(204));
  const auto deleted = s.client.DeleteTable("Movies", s.options, s.cancel);
  EXPECT_TRUE(deleted.ok() && *deleted);
  EXPECT_EQ(s.request(0).method, "DELETE");
  EXPECT_EQ(s.request(0).path, "/devstoreaccount1/Tables('Movies')");
  EXPECT_EQ(s.request(0).body, "");
  EXPECT_TRUE(s.request(0).may_repeat);
}

TEST(DeleteTableTest, Responses) {
  for (const char* code : {"ResourceNotFound", "TableNotFound"}) {
    ScriptedClient s = On(ErrorResponse(404, code, "The specified resource does not exist."));
    const auto deleted = s.client.DeleteTable("Movies", s.options, s.cancel);
    EXPECT_TRUE(deleted.ok() && !*deleted) << code;
  }
  ScriptedClient html = On(MakeResponse(404, "<html></html>", "text/html"));
  EXPECT_FALSE(html.client.DeleteTable("Movies", html.options, html.cancel).ok());
  ScriptedClient broken = On(NoResponse(true));
  const Status unknown =
      broken.client.DeleteTable("Movies", broken.options, broken.cancel).status();
  EXPECT_EQ(unknown.code(), Code::kBusy);
  EXPECT_TRUE(unknown.failure().may_have_reached);
}

Response Tables(const Names& names, const std::string& next) {
  std::string body = R"({"odata.metadata":"x","value":[)";
  for (size_t i = 0; i < names.size(); ++i) {
    body += (i == 0 ? "" : ",") + std::string(R"({"TableName":")") + names[i] + R"("})";
  }
  Response response = MakeResponse(200, body + "]}");
  if (!next.empty()) response.headers.Add("x-ms-continuation-NextTableName", next);
  return response;
}

TEST(ListTablesTest, FollowsTheToken) {
  ScriptedClient s(
      std::vector<Outcome>{Tables({"a", "b"}, "1!40!x="), Tables({}, "next"), Tables({"c"}, "")});
  const auto names = s.client.ListTables(s.options, s.cancel);
  ASSERT_TRUE(names.ok()) << names.status().message();
  EXPECT_EQ(*names, (Names{"a", "b", "c"}));
  ASSERT_EQ(s.transport.requests().size(), 3U);
  EXPECT_EQ(s.request(0).path, "/devstoreaccount1/Tables");
  EXPECT_EQ(s.request(0).query, "");
  EXPECT_EQ(s.request(1).query, "NextTableName=1%2140%21x%3D");
  EXPECT_EQ(s.request(2).query, "NextTableName=next");
  EXPECT_TRUE(s.request(2).may_repeat);
}

// An interrupt ends a long list, even if no response is awaited.
TEST(ListTablesTest, CanBeInterrupted) {
  int sent = 0;
  ScriptedClient s{support::ScriptedTransport::Handler([&](const Request&) {
    const std::string number = std::to_string(++sent);
    return support::ScriptedReply{Tables({"Abc" + number}, sent < 10 ? "t" + number : "")};
  })};
  s.cancel = Cancel([&] { return sent >= 3; });
  const auto names = s.client.ListTables(s.options, s.cancel);
  EXPECT_EQ(names.status().code(), Code::kInterrupt);
  EXPECT_EQ(sent, 3);
}

TEST(ListTablesTest, None) {
  ScriptedClient s = On(Tables({}, ""));
  const auto names = s.client.ListTables(s.options, s.cancel);
  ASSERT_TRUE(names.ok());
  EXPECT_EQ(*names, Names{});
}

// The order is not checked, since Cosmos DB has none.
TEST(ListTablesTest, ATableThatIsListedTwiceIsRefused) {
  const std::vector<std::vector<Outcome>> lists = {
      {Tables({"a", "b", "a"}, "")},
      {Tables({"b", "a"}, "t"), Tables({"c", "b"}, "")},
      {Tables({"b", "a"}, "t"), Tables({}, "u"), Tables({"a"}, "v"), Tables({"c"}, "")}};
  for (const std::vector<Outcome>& pages : lists) {
    ScriptedClient s(pages);
    const auto names = s.client.ListTables(s.options, s.cancel);
    ASSERT_FALSE(names.ok());
    const std::string message(names.status().message());
    EXPECT_TRUE(message.starts_with("listing the tables (connection 'demo') failed: ")) << message;
    EXPECT_NE(message.find("twice"), std::string::npos) << message;
  }
}

TEST(ListTablesTest, ACaseIsANameOfItsOwnToCosmosAlone) {
  for (const bool cosmos : {false, true}) {
    ServiceEndpoint endpoint = support::EmulatorEndpoint();
    endpoint.cosmos = cosmos;
    ScriptedClient s(std::vector<Outcome>{Tables({"b", "Abc"}, "t"), Tables({"abc"}, "")},
                     endpoint);
    EXPECT_EQ(s.client.ListTables(s.options, s.cancel).ok(), cosmos);
  }
}

TEST(ListTablesTest, ATokenThatLeadsToItselfIsRefused) {
  ScriptedClient s(
      std::vector<Outcome>{Tables({"a"}, "t"), Tables({"b"}, "t"), Tables({"c"}, "t")});
  const Status status = s.client.ListTables(s.options, s.cancel).status();
  EXPECT_NE(status.message().find("continuation token"), std::string_view::npos)
      << status.message();
  EXPECT_EQ(s.transport.requests().size(), 2U);
}

TEST(ListTablesTest, Failures) {
  ScriptedClient refused =
      On(ErrorResponse(403, "AuthorizationPermissionMismatch", "not authorized"));
  const Status status = refused.client.ListTables(refused.options, refused.cancel).status();
  EXPECT_EQ(status.code(), Code::kAuth);
  EXPECT_TRUE(status.message().starts_with("listing the tables (connection 'demo') failed: "))
      << status.message();
  for (const char* body : {"<html>", R"({"value":[{"Name":"a"}]})", R"({"value":[1]})", "{}"}) {
    ScriptedClient s = On(MakeResponse(200, body));
    const Status shape = s.client.ListTables(s.options, s.cancel).status();
    EXPECT_EQ(shape.code(), Code::kError) << body;
    EXPECT_NE(shape.message().find("check the endpoint"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace aztables
