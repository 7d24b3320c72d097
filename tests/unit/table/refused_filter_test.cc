// Checks when comparisons of properties may be sent, and the error if the service refuses them.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/scripted_client.h"
#include "table/page_stream.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::MakeResponse;
using support::ScriptedClient;

constexpr char kOneRow[] = R"({"value":[{"PartitionKey":"p","RowKey":"1"}]})";
constexpr char kRemedy[] = "; if it does not take comparisons of properties, set pushdown=keys";

EntityQuery WithProperties() {
  EntityQuery query;
  query.table = "T";
  query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")}};
  query.clauses = {
      {{{"N", CompareOp::kEq, Value::Int32(5)}}, {{"N", CompareOp::kEq, Value::Int64(5)}}}};
  return query;
}

EntityQuery WithKeys() {
  EntityQuery query = WithProperties();
  query.clauses = {{{{"RowKey", CompareOp::kEq, Value::String("1")}},
                    {{"RowKey", CompareOp::kEq, Value::String("2")}}}};
  return query;
}

ServiceEndpoint Endpoint(bool emulator) {
  ServiceEndpoint endpoint = support::EmulatorEndpoint();
  endpoint.emulator = emulator;
  return endpoint;
}

Response ResponseOf(const std::string& server) {
  Response response = MakeResponse(200, kOneRow);
  if (!server.empty()) response.headers.Add("Server", server);
  return response;
}

Status Read(ScriptedClient& s, EntityQuery query) {
  return PageStream(&s.client, std::move(query), Projection(), 0, s.options)
      .NextPage(s.cancel)
      .status();
}

TEST(RefusedFilterTest, ServersThatTakeComparisons) {
  struct Case {
    bool emulator;
    std::string server;
    bool before;
    bool after;
  };
  for (const auto& [emulator, server, before, after] :
       std::vector<Case>{{false, "", true, true},
                         {false, "Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0", true, true},
                         {false, "Azurite-Table/3.35.0", true, false},
                         {true, "", false, false},
                         {true, "aztables-server/0.1.0", false, true},
                         {true, "Not-Azurite-Table/1", false, true},
                         {true, "Azurite-Table/3.35.0", false, false}}) {
    ScriptedClient s(std::vector<Outcome>{ResponseOf(server)}, Endpoint(emulator));
    EXPECT_EQ(s.client.FiltersProperties(), before) << server;
    EXPECT_TRUE(Read(s, WithKeys()).ok());
    EXPECT_EQ(s.client.FiltersProperties(), after) << server;
  }
}

TEST(RefusedFilterTest, AnErrorNamesItsServerToo) {
  Response failure = MakeResponse(500, "", "");
  failure.headers.Add("Server", "Azurite-Table/3.35.0");
  ScriptedClient s(std::vector<Outcome>{failure, ResponseOf("")});
  EXPECT_FALSE(Read(s, WithProperties()).ok());
  EXPECT_FALSE(s.client.FiltersProperties());
  EXPECT_TRUE(Read(s, WithKeys()).ok());
  EXPECT_FALSE(s.client.FiltersProperties()) << "it stays known";
}

TEST(RefusedFilterTest, TheErrorNamesTheOption) {
  for (const Response& refusal :
       {ErrorResponse(400, "InvalidInput", "types"), ErrorResponse(501, "NotImplemented", "this"),
        MakeResponse(400), MakeResponse(501), MakeResponse(500, "", ""),
        ErrorResponse(500, "InternalError", "later")}) {
    ScriptedClient s(std::vector<Outcome>{refusal});
    const std::string message(Read(s, WithProperties()).message());
    EXPECT_TRUE(message.ends_with(kRemedy)) << message;
  }
}

TEST(RefusedFilterTest, OtherFailuresDoNotNameIt) {
  for (const Response& failure :
       {ErrorResponse(403, "AuthorizationFailure", "not you"),
        ErrorResponse(404, "TableNotFound", "?"), ErrorResponse(409, "TableBeingDeleted", "?"),
        ErrorResponse(412, "X", "?"), ErrorResponse(503, "ServerBusy", "later"),
        MakeResponse(200, "no JSON")}) {
    ScriptedClient s(std::vector<Outcome>{failure});
    const Status status = Read(s, WithProperties());
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.message().find(kRemedy), std::string_view::npos) << status.message();
  }
}

TEST(RefusedFilterTest, AFilterOfKeysDoesNotNameIt) {
  EntityQuery point = WithProperties();
  point.point.emplace("p", "1");
  EntityQuery raw = WithKeys();
  raw.raw_filter = "N eq 5";
  for (const EntityQuery& query : {WithKeys(), point, raw}) {
    ScriptedClient s(std::vector<Outcome>{ErrorResponse(400, "InvalidInput", "keys")});
    const Status status = Read(s, query);
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.message().find(kRemedy), std::string_view::npos) << status.message();
  }
}

TEST(RefusedFilterTest, A500IsRetried) {
  ScriptedClient s(std::vector<Outcome>{MakeResponse(500, "", ""), MakeResponse(200, kOneRow)});
  s.options.retries = 1;
  EXPECT_TRUE(Read(s, WithProperties()).ok());
  EXPECT_EQ(s.request(0).label.filter, s.request(1).label.filter);
}

}  // namespace
}  // namespace aztables
