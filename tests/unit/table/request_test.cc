// Checks the requests of reads: addresses and encoding of keys, reads by address and by filter,
// query options and their limit, headers, and the request log.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"
#include "support/one_entity.h"
#include "support/scripted_client.h"

namespace aztables {
namespace {

using support::MakeResponse;
using support::OneEntityReply;
using support::PointOf;
using support::ScriptedClient;
using support::ScriptedReply;

TEST(EntityAddressTest, EncodesKeysOnceAndDoublesQuotes) {
  struct Case {
    const char* partition_key;
    const char* row_key;
    const char* address;
  };
  constexpr Case kCases[] = {
      {"p", "r", "T(PartitionKey='p',RowKey='r')"},
      {"", "", "T(PartitionKey='',RowKey='')"},
      {"O'Brien", "''", "T(PartitionKey='O%27%27Brien',RowKey='%27%27%27%27')"},
      {"100%", "%2F", "T(PartitionKey='100%25',RowKey='%252F')"},
      {"a b", "a+b", "T(PartitionKey='a%20b',RowKey='a%2Bb')"},
      {"a&b=c", "x,y;z", "T(PartitionKey='a%26b%3Dc',RowKey='x%2Cy%3Bz')"},
      {"(1)", "a:b@c", "T(PartitionKey='%281%29',RowKey='a%3Ab%40c')"},
      {"\xC3\xA9", "\xF0\x9F\x98\x80", "T(PartitionKey='%C3%A9',RowKey='%F0%9F%98%80')"},
      {"-._~", "..", "T(PartitionKey='-._~',RowKey='..')"},
  };
  for (const Case& c : kCases) EXPECT_EQ(EntityAddress("T", c.partition_key, c.row_key), c.address);
  EXPECT_EQ(EntityAddress("t \xC3\xA9", "p", "r"), "t%20%C3%A9(PartitionKey='p',RowKey='r')");
}

TEST(RequestTest, PointReadByAddress) {
  ScriptedClient s([](const Request&) -> ScriptedReply {
    return {MakeResponse(200, R"({"PartitionKey":"Action","RowKey":"O'Brien","Title":"T"})")};
  });
  EntityQuery query = PointOf("Action", "O'Brien");
  query.select = {"PartitionKey", "RowKey", "Title"};
  EntityPage page({});
  ASSERT_TRUE(s.client.QueryPage(query, 0, {}, s.options, page, s.cancel).ok());
  ASSERT_EQ(s.transport.requests().size(), 1U);
  const Request& request = s.request(0);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.origin, "http://127.0.0.1:10002");
  EXPECT_EQ(request.path, "/devstoreaccount1/Movies(PartitionKey='Action',RowKey='O%27%27Brien')");
  EXPECT_EQ(request.query, "$select=PartitionKey%2CRowKey%2CTitle");
  EXPECT_TRUE(request.may_repeat);
  EXPECT_TRUE(request.body.empty());
}

TEST(RequestTest, ServiceWithoutAPath) {
  ScriptedClient s(OneEntityReply,
                   {.connection = "prod", .origin = "https://a.table.core.windows.net"});
  EntityPage page({});
  ASSERT_TRUE(s.client.QueryPage(PointOf("p", "r"), 0, {}, s.options, page, s.cancel).ok());
  EXPECT_EQ(s.request(0).origin, "https://a.table.core.windows.net");
  EXPECT_EQ(s.request(0).path, "/Movies(PartitionKey='p',RowKey='r')");
  EXPECT_EQ(s.request(0).query, "");
}

TEST(RequestTest, HeadersOfEveryRequest) {
  ScriptedClient s(OneEntityReply);
  EntityPage page({});
  ASSERT_TRUE(s.client.QueryPage(PointOf("p", "r"), 0, {}, s.options, page, s.cancel).ok());
  const Headers& headers = s.request(0).headers;
  EXPECT_EQ(headers.Get("x-ms-version"), "2019-02-02");
  EXPECT_EQ(headers.Get("DataServiceVersion"), "3.0");
  EXPECT_EQ(headers.Get("MaxDataServiceVersion"), "3.0;NetFx");
  EXPECT_EQ(headers.Get("Accept"), "application/json;odata=minimalmetadata");
  EXPECT_FALSE(headers.Get("User-Agent").empty());
  EXPECT_EQ(headers.Get("x-ms-date").size(), 29U);
  EXPECT_EQ(headers.Get("x-ms-client-request-id").size(), 36U);
}

TEST(RequestTest, CallOptionsAndLabel) {
  ScriptedClient s(OneEntityReply);
  s.options.timeout = std::chrono::milliseconds(1234);
  s.options.retries = 2;
  s.options.statement_id = 7;
  s.options.scan = 8;
  EntityQuery query;
  query.table = "Movies";
  query.kind = "row range";
  query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("it's \xC3\xA9")}};
  EntityPage page({});
  ASSERT_TRUE(s.client.QueryPage(query, 0, {}, s.options, page, s.cancel).ok());
  const Request& request = s.request(0);
  EXPECT_EQ(request.path, "/devstoreaccount1/Movies()");
  EXPECT_EQ(request.query, "$filter=PartitionKey%20eq%20%27it%27%27s%20%C3%A9%27");
  EXPECT_EQ(request.timeout.count(), 1234);
  EXPECT_EQ(request.max_retries, 2);
  EXPECT_EQ(request.label.statement_id, 7);
  EXPECT_EQ(request.label.scan, 8);
  EXPECT_EQ(request.label.connection, "demo");
  EXPECT_EQ(request.label.table, "Movies");
  EXPECT_EQ(request.label.kind, "row range");
  EXPECT_EQ(request.label.filter, "PartitionKey eq 'it''s \xC3\xA9'");
}

TEST(RequestTest, AllQueryOptions) {
  ScriptedClient s(OneEntityReply);
  EntityQuery query;
  query.table = "T";
  query.filter = {{"RowKey", CompareOp::kGe, Value::String("a+b")}};
  query.select = {"PartitionKey", "RowKey"};
  EntityPage page({});
  const ContinuationToken from{"1!8!a+/=", "1!4!b&"};
  ASSERT_TRUE(s.client.QueryPage(query, 50, from, s.options, page, s.cancel).ok());
  EXPECT_EQ(s.request(0).query,
            "$filter=RowKey%20ge%20%27a%2Bb%27&$select=PartitionKey%2CRowKey&$top=50"
            "&NextPartitionKey=1%218%21a%2B%2F%3D&NextRowKey=1%214%21b%26");
}

TEST(RequestTest, LongAddressesAreReadByFilter) {
  // T(PartitionKey='p',RowKey='...') has 29 characters besides the row key.
  const std::string fits(250 - 29, 'r');
  ScriptedClient s(OneEntityReply);
  EXPECT_EQ(EntityAddress("T", "p", fits).size(), 250U);
  EntityQuery query = PointOf("p", fits);
  query.table = "T";
  EXPECT_TRUE(s.client.HasPointAddress(query));
  query.point->second += 'r';
  EXPECT_FALSE(s.client.HasPointAddress(query));
  query.point->second = fits.substr(3) + "\xC3\xA9";  // six characters when encoded
  EXPECT_FALSE(s.client.HasPointAddress(query));
  query.point.reset();
  EXPECT_FALSE(s.client.HasPointAddress(query));

  query = PointOf("p'", std::string(300, 'r'));
  EntityPage page({});
  ASSERT_TRUE(s.client.QueryPage(query, 0, {}, s.options, page, s.cancel).ok());
  EXPECT_EQ(s.request(0).path, "/devstoreaccount1/Movies()");
  EXPECT_EQ(s.request(0).label.filter,
            "PartitionKey eq 'p''' and RowKey eq '" + std::string(300, 'r') + "'");
  EXPECT_EQ(s.request(0).query, "$filter=" + PercentEncode(s.request(0).label.filter));
}

TEST(RequestTest, SelectIsLeftOutAboveEightKilobytes) {
  constexpr size_t kBudget = 8 * 1024;
  const auto sent = [](size_t name_size) {
    ScriptedClient s(OneEntityReply);
    EntityQuery query;
    query.table = "T";
    query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p")}};
    query.select = {"PartitionKey", "RowKey", std::string(name_size, 'n')};
    EntityPage page({});
    EXPECT_TRUE(s.client.QueryPage(query, 5, {}, s.options, page, s.cancel).ok());
    return s.request(0).query;
  };
  const std::string filter = "$filter=PartitionKey%20eq%20%27p%27";
  const std::string select = "&$select=PartitionKey%2CRowKey%2C";
  const size_t most = kBudget - filter.size() - select.size();
  EXPECT_EQ(sent(most), filter + select + std::string(most, 'n') + "&$top=5");
  EXPECT_EQ(sent(most + 1), filter + "&$top=5");
}

TEST(RequestTest, TheLogKnowsHowManyEntitiesCame) {
  ScriptedClient s([](const Request&) {
    return ScriptedReply{MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":"1"},)"
                                           R"({"PartitionKey":"p","RowKey":"2"}]})")};
  });
  EntityQuery query;
  query.table = "T";
  EntityPage page({});
  ASSERT_TRUE(s.client.QueryPage(query, 0, {}, s.options, page, s.cancel).ok());
  ASSERT_EQ(s.log.size(), 1U);
  const RequestRecord& record = s.log.At(0);
  EXPECT_EQ(record.entities, 2);
  EXPECT_EQ(record.url, "http://127.0.0.1:10002/devstoreaccount1/T()");
  EXPECT_EQ(record.status, 200);
  EXPECT_EQ(record.request_id, "id-1");
  EXPECT_EQ(record.code, "");
}

TEST(RequestTest, TheLogKnowsTheServicesCode) {
  ScriptedClient s([](const Request&) {
    return ScriptedReply{support::ErrorResponse(404, "TableNotFound", "no such table")};
  });
  EntityPage page({});
  EXPECT_FALSE(s.client.QueryPage(PointOf("p", "r"), 0, {}, s.options, page, s.cancel).ok());
  ASSERT_EQ(s.log.size(), 1U);
  EXPECT_EQ(s.log.At(0).status, 404);
  EXPECT_EQ(s.log.At(0).code, "TableNotFound");
}

}  // namespace
}  // namespace aztables
