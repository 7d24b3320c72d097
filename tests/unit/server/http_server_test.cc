// Checks HttpServer over sockets: responses, many connections, time-outs, and its end.
#include "server/http_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "unit/server/echo_server.h"
#include "unit/server/raw_client.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr char kGet[] = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

template <typename Condition>
bool Eventually(Condition condition) {
  const auto end = steady_clock::now() + seconds(10);
  while (!condition()) {
    if (steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return true;
}

TEST(HttpServer, ResponsesCarryStatusHeadersAndBody) {
  const auto server = StartServer([](const Request&, const Peer&, const Cancel&) {
    Response response{.status = 409};
    response.headers.Add("x-ms-request-id", "1-2");
    response.headers.Add("Content-Length", "999");
    response.headers.Add("Transfer-Encoding", "chunked");
    response.headers.Add("Server", "other");
    response.headers.Add("ETag", "W/\"datetime'2026-11-02T10%3A00%3A00Z'\"");
    response.headers.Add("Content-Type", "application/json");
    response.body = std::string("a\0b", 3);
    return HandlerReply{.response = std::move(response)};
  });
  const RawResponse response = RawClient(server->listener().port()).Ask(kGet);
  EXPECT_EQ(response.status, 409);
  EXPECT_EQ(response.body, std::string("a\0b", 3));
  EXPECT_TRUE(response.Has("Content-Length: 3")) << response.head;
  EXPECT_TRUE(response.Has("x-ms-request-id: 1-2"));
  EXPECT_TRUE(response.Has("ETag: W/\"datetime'2026-11-02T10%3A00%3A00Z'\""));
  EXPECT_TRUE(response.Has("Server: aztables-server/0.1.0"));
  EXPECT_NE(response.head.find("\r\nDate: "), std::string::npos);
  EXPECT_EQ(response.head.find("999"), std::string::npos);
  EXPECT_EQ(response.head.find("chunked"), std::string::npos);
  EXPECT_EQ(response.head.find("other"), std::string::npos);
}

TEST(HttpServer, EmptyResponsesHaveALengthToo) {
  std::atomic<int> status = 204;
  const auto server = StartServer([&status](const Request&, const Peer&, const Cancel&) {
    return HandlerReply{.response = {.status = status}};
  });
  RawClient client(server->listener().port());
  for (const int each : {204, 200, 202, 404}) {
    status = each;
    const RawResponse response = client.Ask(kGet);
    EXPECT_EQ(response.status, each);
    EXPECT_TRUE(response.Has("Content-Length: 0")) << response.head;
  }
}

TEST(HttpServer, LargeResponsesArriveWhole) {
  const auto server = StartServer([](const Request&, const Peer&, const Cancel&) {
    return HandlerReply{.response = {.status = 200, .body = std::string(5'000'000, 'x')}};
  });
  RawClient client(server->listener().port());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.Ask(kGet).body.size(), 5'000'000U);
}

TEST(HttpServer, ManyConnectionsAreServedAtOnce) {
  constexpr int kMany = 300;
  std::mutex mutex;
  std::condition_variable all_arrived;
  int inside = 0;
  const auto server = StartServer([&](const Request&, const Peer&, const Cancel&) {
    std::unique_lock lock(mutex);
    if (++inside == kMany) all_arrived.notify_all();
    const bool all = all_arrived.wait_for(lock, seconds(60), [&] { return inside >= kMany; });
    return HandlerReply{.response = {.status = all ? 200 : 500}};
  });
  std::vector<std::unique_ptr<RawClient>> clients;
  clients.reserve(kMany);
  for (int i = 0; i < kMany; ++i)
    clients.push_back(std::make_unique<RawClient>(server->listener().port()));
  for (int round = 0; round < 3; ++round) {
    inside = 0;  // all handlers have returned
    for (const auto& client : clients) ASSERT_TRUE(client->Send(kGet));
    for (const auto& client : clients) ASSERT_EQ(client->Read().status, 200);
  }
}

TEST(HttpServer, AHalfClosedClientGetsItsResponse) {
  EchoServer server;
  RawClient client(server->listener().port());
  ASSERT_TRUE(client.Send(kGet));
  client.EndSending();
  EXPECT_EQ(client.Read().status, 200);
  EXPECT_TRUE(client.Ends());
}

TEST(HttpServer, IdleConnectionsEndAndSlowResponsesDoNot) {
  const HttpServerOptions options{.idle_timeout = seconds(1)};
  EchoServer server("latency=2500", options);
  RawClient slow(server->listener().port());
  RawClient idle(server->listener().port());
  RawClient unfinished(server->listener().port());
  unfinished.Send("GET /x HT");
  EXPECT_EQ(slow.Ask(kGet).status, 200);
  EXPECT_TRUE(idle.Ends());
  EXPECT_TRUE(unfinished.Ends());
  EXPECT_EQ(slow.Ask(kGet).status, 200);
}

constexpr char kUpload[] = "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n";

// A server that refuses every head.
std::unique_ptr<HttpServer> RefusingServer(std::atomic<int>& handled) {
  auto started = HttpServer::Start(
      {},
      [&handled](const Request&, const Peer&, const Cancel&) {
        ++handled;
        return HandlerReply{.response = {.status = 200}};
      },
      [](const Request& head, const Peer& peer, const Cancel&) {
        EXPECT_EQ(peer.address, "127.0.0.1");
        EXPECT_EQ(head.body, "");
        return std::optional(Response{.status = 403, .body = head.path});
      });
  EXPECT_TRUE(started.ok());
  return std::move(*started);
}

TEST(HttpServer, AHeadIsRefusedBeforeItsBodyArrives) {
  std::atomic<int> handled = 0;
  const auto server = RefusingServer(handled);
  for (const std::string method : {"POST", "PUT", "MERGE", "PATCH", "DELETE", "GET"}) {
    for (const char* body : {"Content-Length: 4000000\r\n", "Transfer-Encoding: chunked\r\n",
                             "Expect: 100-continue\r\nContent-Length: 5\r\n"}) {
      RawClient stalled(server->listener().port());
      const RawResponse response =
          stalled.Ask(method + " /x HTTP/1.1\r\nHost: h\r\n" + body + "\r\n");
      EXPECT_EQ(response.status, 403) << method << " " << body;
      EXPECT_EQ(response.body, "/x");
      EXPECT_TRUE(response.Has("Connection: close"));
      EXPECT_TRUE(stalled.Ends());
    }
  }
  // Without a body the connection continues.
  RawClient kept(server->listener().port());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(kept.Ask(kGet).status, 403);
  EXPECT_EQ(handled, 0);
}

// A connection that is closed with unread bytes is reset, and the response lost.
TEST(HttpServer, AClientThatSendsOnGetsTheResponseToItsHead) {
  std::atomic<int> handled = 0;
  const auto server = RefusingServer(handled);
  const std::string body(4'000'000, 'x');
  for (int i = 0; i < 20; ++i) {
    RawClient client(server->listener().port());
    EXPECT_TRUE(client.Send(kUpload));
    EXPECT_TRUE(client.Send(body));
    EXPECT_EQ(client.Read().status, 403);
    client.EndSending();
    EXPECT_TRUE(client.Ends());
  }
}

// The project does not throw; the allocator may.
TEST(HttpServer, WantOfMemoryIsAnsweredAndEndsNothing) {
  std::atomic<bool> memory = false;
  const auto server = StartServer([&memory](const Request&, const Peer&, const Cancel&) {
    if (!memory) throw std::bad_alloc();
    return HandlerReply{.response = {.status = 200}};
  });
  for (int i = 0; i < 3; ++i) {
    RawClient client(server->listener().port());
    const RawResponse response = client.Ask(kGet);
    EXPECT_EQ(response.status, 503);
    EXPECT_TRUE(response.Has("Connection: close")) << response.head;
    EXPECT_TRUE(client.Ends());
  }
  memory = true;
  EXPECT_EQ(RawClient(server->listener().port()).Ask(kGet).status, 200);
}

TEST(HttpServer, StopLetsRequestsUnderWayEnd) {
  EchoServer server;
  std::atomic<bool> entered = false;
  std::atomic<bool> go_on = false;
  const auto slow = StartServer([&](const Request&, const Peer&, const Cancel& cancel) {
    entered = true;
    Eventually([&] { return go_on.load(); });
    return HandlerReply{
        .response = {.status = cancel.Check().code() == Code::kInterrupt ? 503 : 200}};
  });
  RawClient client(slow->listener().port());
  RawClient idle(slow->listener().port());
  ASSERT_TRUE(client.Send(kGet));
  ASSERT_TRUE(Eventually([&] { return entered.load(); }));
  std::thread stopper([&] { slow->Stop(); });
  std::thread other([&] { slow->Stop(); });
  EXPECT_TRUE(Eventually([&] { return !RawClient(slow->listener().port()).connected(); }));
  go_on = true;
  const RawResponse response = client.Read();
  EXPECT_EQ(response.status, 503);
  EXPECT_TRUE(response.Has("Connection: close"));
  stopper.join();
  other.join();
  EXPECT_TRUE(client.Ends());
  EXPECT_TRUE(idle.Ends());
}

TEST(HttpServer, ClientsThatNeverFinishDoNotHoldUpItsEnd) {
  EchoServer server;
  std::vector<std::unique_ptr<RawClient>> clients;
  for (const char* bytes :
       {"", "GET /x", "GET /x HTTP/1.1\r\nHost", "GET /x HTTP/1.1\r\nHost: h\r\n",
        "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
        "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n"}) {
    for (const bool half_closed : {false, true}) {
      clients.push_back(std::make_unique<RawClient>(server->listener().port()));
      clients.back()->Send(bytes);
      if (half_closed) clients.back()->EndSending();
    }
  }
  std::this_thread::sleep_for(milliseconds(100));
  const auto begin = steady_clock::now();
  server->Stop();
  EXPECT_LT(steady_clock::now() - begin, seconds(3));
  for (const auto& client : clients) EXPECT_TRUE(client->Ends());
}

TEST(HttpServer, AClientThatDoesNotReadDoesNotHoldUpItsEnd) {
  const auto server = StartServer([](const Request&, const Peer&, const Cancel&) {
    Response response{.status = 200};
    response.body.resize(50'000'000, 'x');
    return HandlerReply{.response = std::move(response)};
  });
  RawClient client(server->listener().port());
  ASSERT_TRUE(client.Send(kGet));
  std::this_thread::sleep_for(milliseconds(200));
  const auto begin = steady_clock::now();
  server->Stop();
  EXPECT_LT(steady_clock::now() - begin, seconds(8));
}

TEST(HttpServer, StopUnderFire) {
  for (int round = 0; round < 5; ++round) {
    EchoServer server;
    std::atomic<bool> over = false;
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        while (!over) {
          RawClient client(server->listener().port());
          while (!over && client.connected() && client.Ask(kGet).status == 200) ++answered;
        }
      });
    }
    EXPECT_TRUE(Eventually([&] { return answered > 200; }));
    server->Stop();
    over = true;
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(HttpServer, SaysWhichPortIsTaken) {
  EchoServer first;
  const auto second = HttpServer::Start({.port = first->listener().port()}, Handler());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().message(),
            first->listener().address() + " is in use by another program");
  const auto nowhere = HttpServer::Start({.host = "no.such.host.invalid"}, Handler());
  ASSERT_FALSE(nowhere.ok());
  EXPECT_TRUE(nowhere.status().message().starts_with("cannot listen on no.such.host.invalid:0: "))
      << nowhere.status().message();
}

TEST(HttpServer, KnowsWhereItListens) {
  for (const auto& [host, address, origin, loopback] :
       {std::tuple("127.0.0.1", "127.0.0.1:", "http://127.0.0.1:", true),
        std::tuple("localhost", "127.0.0.1:", "http://127.0.0.1:", true),
        std::tuple("0.0.0.0", "0.0.0.0:", "http://127.0.0.1:", false)}) {
    EchoServer server("", HttpServerOptions{.host = host});
    const std::string port = std::to_string(server->listener().port());
    EXPECT_EQ(server->listener().address(), address + port);
    EXPECT_EQ("http://" + server->listener().local_address(), origin + port);
    EXPECT_EQ(server->listener().is_loopback(), loopback);
  }
  const auto ipv6 = HttpServer::Start({.host = "[::1]"}, Handler());
  if (!ipv6.ok()) {  // without IPv6 the error is clear
    EXPECT_NE(ipv6.status().message().find("::1"), std::string_view::npos);
    return;
  }
  EXPECT_EQ((*ipv6)->listener().address(), "[::1]:" + std::to_string((*ipv6)->listener().port()));
  EXPECT_TRUE((*ipv6)->listener().is_loopback());
}

}  // namespace
}  // namespace aztables
