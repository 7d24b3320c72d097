// The curl transport under the pipeline without faults. Requests and responses arrive byte for
// byte, and connections are kept and shared.
#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "wire/wire_fixture.h"

namespace aztables {
namespace {

Reply Echo(const WireRequest& request) { return Reply::Text(request.body); }
Reply Empty(const WireRequest&) { return Reply::Text(""); }

TEST(CurlTransport, BodiesArriveExact) {
  LoopbackServer server(Echo);
  Client client;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{65536}, size_t{4} << 20}) {
    const std::string body = Bytes(size);
    const auto outcome = client.Send(Write(server.origin(), "POST", body));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(outcome->status, 200);
    EXPECT_TRUE(outcome->body == body) << size;
    const WireRequest seen = server.requests().back();
    EXPECT_EQ(seen.method, "POST");
    EXPECT_TRUE(seen.body == body) << size;
    EXPECT_EQ(seen.headers.Get("Content-Length"), std::to_string(size));
    EXPECT_EQ(client.last_record().bytes_out, static_cast<int64_t>(size));
    EXPECT_EQ(client.last_record().bytes_in, static_cast<int64_t>(size));
  }
}

TEST(CurlTransport, ResponsesToReadsArriveExact) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{4097}, size_t{8} << 20}) {
    const std::string body = Bytes(size);
    LoopbackServer server([&](const WireRequest&) { return Reply::Text(body); });
    Client client;
    const auto outcome = client.Send(Read(server.origin()));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_TRUE(outcome->body == body) << size;
    EXPECT_EQ(server.requests()[0].method, "GET");
    EXPECT_EQ(server.requests()[0].body, "");
  }
}

TEST(CurlTransport, MethodsAndHeadersAsGiven) {
  LoopbackServer server(Empty);
  Client client;
  for (const char* method : {"MERGE", "PUT", "PATCH", "POST", "DELETE"}) {
    const bool has_body = std::string(method) != "DELETE";
    Request request = Write(server.origin(), method, has_body ? "{}" : "");
    request.headers.Set("If-Match", "W/\"datetime'2026-01-01T00%3A00%3A00Z'\"");
    request.headers.Set("Content-Type", "application/json");
    request.headers.Set("x-empty", "");
    const auto outcome = client.Send(request);
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    const WireRequest seen = server.requests().back();
    EXPECT_EQ(seen.method, method);
    EXPECT_EQ(seen.body, has_body ? "{}" : "");
    EXPECT_EQ(seen.headers.Get("If-Match"), "W/\"datetime'2026-01-01T00%3A00%3A00Z'\"");
    EXPECT_EQ(seen.headers.Get("Content-Type"), "application/json");
    ASSERT_NE(seen.headers.Find("x-empty"), nullptr);
    EXPECT_EQ(seen.headers.Get("x-empty"), "");
    EXPECT_EQ(seen.headers.Find("Expect"), nullptr);
    EXPECT_EQ(seen.headers.Find("Transfer-Encoding"), nullptr);
    EXPECT_NE(seen.headers.Find("x-ms-date"), nullptr);
    EXPECT_NE(seen.headers.Find("x-ms-client-request-id"), nullptr);
  }
}

// The signature covers these bytes, so libcurl must not normalize them.
TEST(CurlTransport, TargetsAreSentByteForByte) {
  LoopbackServer server(Empty);
  Client client;
  const std::pair<const char*, const char*> cases[] = {
      {"/t(PartitionKey=%27a%27,RowKey=%27b%27)", ""},
      {"/t(PartitionKey='a',RowKey='b')", ""},
      {"/a/../b/./c", ""},
      {"/..", "x=.."},
      {"/../..//a", ""},
      {"//double//slashes//", ""},
      {"/%2F%2f%5C%00%7e~", ""},
      {"/%C3%A4%F0%9F%98%80", ""},
      {"/t()", "$filter=PartitionKey%20eq%20%27a%27%27b%27&$top=10"},
      {"/t()", "%24filter=a%20%2B%20b&NextPartitionKey=1!8!YWJj"},
      {"/t", "a=1?b=/../c//d&empty=&%26=%3D"},
      {"/[x]{y}|z^`", ""},
  };
  for (const auto& [path, query] : cases) {
    Request request = Read(server.origin(), path);
    request.query = query;
    const auto outcome = client.Send(request);
    ASSERT_TRUE(outcome.ok()) << path << ": " << Describe(outcome);
    EXPECT_EQ(server.requests().back().target,
              *query == '\0' ? std::string(path) : std::string(path) + "?" + query);
  }
}

TEST(CurlTransport, SasIsSentAndShownNowhere) {
  const std::string sas = "sv=2019-02-02&sig=c2VjcmV0%3D";
  LoopbackServer server([](const WireRequest& request) {
    return request.number < 3 ? Reply::Text("") : Reply::Nothing(Reply::End::kClose);
  });
  Client client;
  const auto send = [&](Request request) {
    request.credential_query = sas;
    request.max_retries = 0;
    request.timeout = milliseconds(1000);
    const auto outcome = client.Send(std::move(request));
    EXPECT_EQ(Describe(outcome).find("c2Vj"), std::string::npos) << Describe(outcome);
  };
  Request with_query = Read(server.origin());
  with_query.query = "$top=1";
  send(with_query);
  send(Read(server.origin()));
  send(Read(server.origin()));
  send(Read(RefusingOrigin()));
  send(Read("http://unknown.example"));
  send(Read("http://not an address"));
  EXPECT_EQ(server.requests()[0].target, "/entities?$top=1&" + sas);
  EXPECT_EQ(server.requests()[1].target, "/entities?" + sas);
  ASSERT_EQ(client.log().size(), 6U);
  for (size_t i = 0; i < client.log().size(); ++i) {
    const RequestRecord& record = client.log().At(i);
    EXPECT_EQ(record.url.find("sig"), std::string::npos);
    EXPECT_EQ(record.error.find("sig"), std::string::npos);
  }
  EXPECT_EQ(client.log().At(0).url, server.origin() + "/entities?$top=1");
}

TEST(CurlTransport, KeepsOneConnection) {
  LoopbackServer server(Echo);
  Client client;
  for (int i = 0; i < 100; ++i) {
    const auto outcome = i % 2 == 0 ? client.Send(Read(server.origin()))
                                    : client.Send(Write(server.origin(), "POST", Bytes(100)));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  }
  EXPECT_EQ(server.connection_count(), 1);
  EXPECT_EQ(server.request_count(), 100U);
}

TEST(CurlTransport, SixteenAtOnce) {
  constexpr int kCount = 16;
  LoopbackServer server([](const WireRequest& request) {
    Reply reply = Reply::Text(request.target);
    reply.delay = milliseconds(300);
    return reply;
  });
  Client client;
  const Stopwatch stopwatch;
  std::deque<std::unique_ptr<Exchange>> exchanges;
  for (int i = 0; i < kCount; ++i) {
    exchanges.push_back(client.Start(Read(server.origin(), "/" + std::to_string(i))));
  }
  for (int i = 0; i < kCount; ++i) {
    ASSERT_TRUE(client.Wait(*exchanges[static_cast<size_t>(i)]).ok());
    const auto outcome = exchanges[static_cast<size_t>(i)]->Take();
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(outcome->body, "/" + std::to_string(i));
  }
  EXPECT_LT(stopwatch.elapsed(), milliseconds(300 * kCount / 2));
  EXPECT_LE(server.connection_count(), kCount);
  ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  EXPECT_LE(server.connection_count(), kCount);
}

TEST(CurlTransport, WaitAnyReturnsWithTheFirst) {
  LoopbackServer server([](const WireRequest& request) {
    Reply reply = Reply::Text("");
    if (request.target == "/slow") reply.delay = milliseconds(10'000);
    return reply;
  });
  Client client;
  const auto slow = client.Start(Read(server.origin(), "/slow"));
  const auto fast = client.Start(Read(server.origin(), "/fast"));
  Exchange* const both[] = {slow.get(), fast.get()};
  const Stopwatch stopwatch;
  ASSERT_TRUE(client.pipeline().WaitAny(both, Cancel()).ok());
  EXPECT_LT(stopwatch.elapsed(), milliseconds(5000));
  EXPECT_TRUE(fast->done());
  EXPECT_FALSE(slow->done());
}

}  // namespace
}  // namespace aztables
