// Checks the requests that HttpServer's handler gets over sockets: targets, headers and bodies.
#include <gtest/gtest.h>

#include <string>

#include "model/limits.h"
#include "server/incoming_request.h"
#include "unit/server/echo_server.h"
#include "unit/server/raw_client.h"

namespace aztables {
namespace {

constexpr char kEnd[] = "Host: localhost:10002\r\n\r\n";

TEST(HttpRequests, TargetsArriveByteForByte) {
  EchoServer server;
  RawClient client(server->listener().port());
  for (const std::string target :
       {"/a/t(PartitionKey='%20',RowKey='%27%27')?$filter=A%20eq%201&b=?+/%3F",
        "/a/%2F%2f/../b//c?", "/a/\xC3\xA9\xF0\x9F\x98\x80?x=\xC3\xA9", "/?&&=&a&a=1;b#c",
        "/%00%zz%?%00"}) {
    const RawResponse response = client.Ask("GET " + target + " HTTP/1.1\r\n" + kEnd);
    const std::string with_query = target.find('?') == std::string::npos ? target + "?" : target;
    EXPECT_EQ(response.body, "GET " + with_query + " 0");
  }
}

TEST(HttpRequests, TheAbsoluteFormIsThePathOfItsUri) {
  EchoServer server;
  RawClient client(server->listener().port());
  EXPECT_EQ(client.Ask(std::string("GET http://h:1/a?b HTTP/1.1\r\n") + kEnd).body, "GET /a?b 0");
  EXPECT_EQ(client.Ask(std::string("GET http://h?b HTTP/1.1\r\n") + kEnd).body, "GET /?b 0");
  EXPECT_EQ(client.Ask(std::string("GET http://h HTTP/1.1\r\n") + kEnd).body, "GET /? 0");
  EXPECT_EQ(client.Ask(std::string("OPTIONS * HTTP/1.1\r\n") + kEnd).status, 400);
}

TEST(HttpRequests, EveryMethodIsPassedOn) {
  EchoServer server;
  RawClient client(server->listener().port());
  for (const std::string method : {"GET", "PUT", "POST", "DELETE", "MERGE", "PATCH", "OPTIONS"}) {
    const RawResponse response =
        client.Ask(method + " /x HTTP/1.1\r\nContent-Length: 2\r\n" + kEnd + "ab");
    EXPECT_EQ(response.body, method + " /x? 2");
  }
  ASSERT_TRUE(client.Send(std::string("HEAD /x HTTP/1.1\r\n") + kEnd));
  // A client knows that no body follows, regardless of the Content-Length.
  EXPECT_TRUE(client.Send(std::string("GET /y HTTP/1.1\r\nConnection: close\r\n") + kEnd));
  EXPECT_TRUE(client.Ends());
  EXPECT_EQ(server.requests()[7].method, "HEAD");
  EXPECT_EQ(server.requests()[8].path, "/y");
}

TEST(HttpRequests, HeadersComeInOrderWithTheirNames) {
  EchoServer server;
  RawClient client(server->listener().port());
  client.Ask(
      "GET / HTTP/1.1\r\nx-MS-b: 1\r\nHost: h:5\r\nX-ms-A:  two  words \r\nx-ms-b: 3\r\n"
      "Empty:\r\n\r\n");
  const Request request = server.requests().at(0);
  std::string text;
  for (const auto& header : request.headers.all()) text += header.name + "=" + header.value + ";";
  EXPECT_EQ(text, "x-MS-b=1;Host=h:5;X-ms-A=two  words;x-ms-b=3;Empty=;");
  EXPECT_EQ(request.origin, "http://h:5");
  EXPECT_EQ(server.peer(), "127.0.0.1");
}

// If a proxy may read a head differently, the connection ends, so no later byte counts as a
// request.
TEST(HttpRequests, AHeadThatSaysTwoThingsIsRefused) {
  EchoServer server;
  const auto post = [](const std::string& lines) {
    return "POST /x HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n0\r\n\r\n";
  };
  for (const std::string& bytes :
       {post("Content-Length: 5\r\nContent-Length: 6\r\n"),
        post("Content-Length: 5\r\ncontent-length: 05\r\n"),
        post("Content-Length: +5\r\n"),
        post("Content-Length: 0x5\r\n"),
        post("Content-Length: 5, 5\r\n"),
        post("Content-Length: 5 5\r\n"),
        post("Content-Length: -5\r\n"),
        post("Content-Length:\r\n"),
        post("Content-Length : 5\r\n"),
        post("Content-Length:\r\n 5\r\n"),
        post("Content-Length: 1\r\n 5\r\n"),
        post("X: a\r\n Content-Length: 5\r\n"),
        post("X: a\rContent-Length: 5\r\n"),
        post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
        post("transfer-encoding: CHUNKED\r\ncontent-length: 5\r\n"),
        post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"),
        post("Transfer-Encoding: gzip, chunked\r\n"),
        post("Transfer-Encoding: identity\r\n"),
        post("Transfer-Encoding: chunked \r\n"),
        post("Transfer-Encoding: \vchunked\r\n"),
        post("Transfer-Encoding:\r\n chunked\r\n"),
        post("Transfer-Encoding : chunked\r\n"),
        std::string("POST /x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        std::string("GET /x HTTP/1.1\r\nConnection: close\r\n\r\n"),
        std::string("GET /x HTTP/1.1\r\nHost: h\r\nHost: h\r\nConnection: close\r\n\r\n")}) {
    RawClient client(server->listener().port());
    EXPECT_EQ(client.Ask(bytes).status, 400) << bytes;
    EXPECT_TRUE(client.Ends()) << bytes;
  }
  EXPECT_TRUE(server.requests().empty());
  RawClient good(server->listener().port());
  EXPECT_EQ(good.Ask(post("Transfer-Encoding: cHuNkEd\r\n")).body, "POST /x? 0");
  EXPECT_EQ(good.Ask("PUT /y HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n"
                     "Content-Length: 2\r\n\r\nab")
                .body,
            "PUT /y? 2");
}

TEST(HttpRequests, TheListenersAddressStandsInForAMissingHost) {
  EchoServer server;
  RawClient client(server->listener().port());
  client.Ask("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(server.requests().at(0).origin, "http://" + server->listener().local_address());
}

TEST(HttpRequests, ChunkedBodiesAreJoined) {
  EchoServer server;
  RawClient client(server->listener().port());
  const RawResponse response = client.Ask(
      "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\nA;ext=1\r\n0123456789\r\n0\r\nTrailer: no\r\n\r\n");
  EXPECT_EQ(response.body, "POST /x? 13");
  EXPECT_EQ(server.requests().at(0).body, "abc0123456789");
  EXPECT_EQ(server.requests().at(0).headers.Find("Trailer"), nullptr);
  EXPECT_EQ(client.Ask(std::string("GET /y HTTP/1.1\r\n") + kEnd).body, "GET /y? 0");
}

TEST(HttpRequests, ExpectContinueIsAnsweredBeforeTheBody) {
  EchoServer server;
  RawClient client(server->listener().port());
  EXPECT_EQ(client
                .Ask(std::string("PUT /x HTTP/1.1\r\nExpect: 100-continue\r\n"
                                 "Content-Length: 3\r\n") +
                     kEnd)
                .status,
            100);
  EXPECT_EQ(client.Ask("abc").body, "PUT /x? 3");
}

TEST(HttpRequests, PipelinedRequestsAreAnsweredInTurn) {
  EchoServer server;
  RawClient client(server->listener().port());
  std::string all;
  for (int i = 0; i < 50; ++i) {
    all += "POST /" + std::to_string(i) + " HTTP/1.1\r\nContent-Length: 1\r\n" + kEnd + "x";
  }
  ASSERT_TRUE(client.Send(all));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(client.Read().body, "POST /" + std::to_string(i) + "? 1");
  }
}

TEST(HttpRequests, OfABodyThatIsTooLargeOneByteTooManyIsKept) {
  static_assert(IncomingRequest::kMostKept == kMaxEgtBytes, "what the service takes at most");
  EchoServer server;
  RawClient client(server->listener().port());
  std::string body;
  body.resize(10'000'000, 'x');
  const RawResponse response =
      client.Ask("POST /x HTTP/1.1\r\nContent-Length: 10000000\r\n" + std::string(kEnd) + body);
  EXPECT_EQ(response.body, "POST /x? " + std::to_string(IncomingRequest::kMostKept + 1));
  EXPECT_EQ(client.Ask(std::string("GET /y HTTP/1.1\r\n") + kEnd).body, "GET /y? 0");
}

TEST(HttpRequests, AnAbsurdBodyCutsTheConnection) {
  EchoServer server;
  RawClient announced(server->listener().port());
  announced.Send(std::string("POST /x HTTP/1.1\r\nContent-Length: 67108865\r\n") + kEnd);
  EXPECT_EQ(announced.Read().status, 413);
  EXPECT_TRUE(announced.Ends());
  RawClient chunked(server->listener().port());
  chunked.Send("POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "100000\r\n" + std::string(0x100000, 'x') + "\r\n";
  for (int i = 0; i < 70 && chunked.Send(chunk); ++i) {
  }
  EXPECT_TRUE(chunked.Ends());
  EXPECT_TRUE(server.requests().empty());
}

TEST(HttpRequests, LongHeadsAreServedAndAbsurdOnesRefused) {
  EchoServer server;
  RawClient client(server->listener().port());
  const std::string target = "/" + std::string(size_t{40} << 10, 'k') + "?a=b";
  std::string headers;
  for (int i = 0; i < 64; ++i) headers += "x-h: " + std::string(1017, 'v') + "\r\n";
  const RawResponse response = client.Ask("GET " + target + " HTTP/1.1\r\n" + headers + kEnd);
  EXPECT_EQ(response.body, "GET " + target + " 0");
  EXPECT_EQ(server.requests().at(0).headers.all().size(), 65U);

  RawClient giant(server->listener().port());
  giant.Send("GET / HTTP/1.1\r\nx: " + std::string(600'000, 'v') + "\r\n\r\n");
  EXPECT_EQ(giant.Read().status, 431);
  RawClient giant_target(server->listener().port());
  giant_target.Send("GET /" + std::string(600'000, 'v') + " HTTP/1.1\r\n\r\n");
  EXPECT_EQ(giant_target.Read().status, 414);
}

TEST(HttpRequests, GarbageEndsItsOwnConnectionOnly) {
  EchoServer server;
  RawClient good(server->listener().port());
  for (const std::string& garbage :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03\r\n\r\n", 15),
        std::string("\0\0\0\0\r\n\r\n", 8), std::string("GET\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nno colon\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")}) {
    RawClient bad(server->listener().port());
    bad.Send(garbage);
    bad.EndSending();
    EXPECT_TRUE(bad.Ends());
    EXPECT_EQ(good.Ask(std::string("GET / HTTP/1.1\r\n") + kEnd).status, 200);
  }
}

}  // namespace
}  // namespace aztables
