// A write reaches the server at most once, even if its connection breaks. By default, libcurl
// resends a request if a kept connection ends without a response, even DELETE and POST. These tests
// fail with a transport that permits this.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <thread>

#include "wire/wire_fixture.h"

namespace aztables {
namespace {

using End = Reply::End;

// Opens `count` connections and leaves them idle.
void Warm(Client& client, const std::string& origin, int count) {
  std::deque<std::unique_ptr<Exchange>> exchanges;
  for (int i = 0; i < count; ++i) exchanges.push_back(client.Start(Read(origin, "/warm")));
  for (const auto& exchange : exchanges) {
    ASSERT_TRUE(client.Wait(*exchange).ok());
    const auto outcome = exchange->Take();
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  }
}

size_t WritesSeen(const LoopbackServer& server) {
  const auto requests = server.requests();
  return static_cast<size_t>(
      std::count_if(requests.begin(), requests.end(), [](auto& r) { return r.target != "/warm"; }));
}

// Delays responses to reads, so that concurrent reads need separate connections. Closes the
// connection of any other request.
LoopbackServer::Handler EndWrites(End end) {
  return [end](const WireRequest& request) {
    if (request.target != "/warm") return Reply::Nothing(end);
    Reply reply = Reply::Text("");
    reply.delay = milliseconds(50);
    return reply;
  };
}

struct Case {
  const char* method;
  size_t size;
};
constexpr Case kCases[] = {{"DELETE", 0}, {"POST", 0},     {"POST", 1},       {"POST", 1000},
                           {"MERGE", 10}, {"PUT", 70'000}, {"POST", 200'000}, {"POST", 4 << 20}};

TEST(ExactlyOnce, KeptConnectionEndsWithoutResponse) {
  for (const End end : {End::kClose, End::kReset}) {
    for (const int idle : {0, 1, 3}) {
      for (const auto& [method, size] : kCases) {
        SCOPED_TRACE(std::string(method) + " of " + std::to_string(size) + ", " +
                     std::to_string(idle) + " idle, " + (end == End::kClose ? "close" : "reset"));
        LoopbackServer server(EndWrites(end));
        Client client;
        Warm(client, server.origin(), idle);
        const auto outcome = client.Send(Write(server.origin(), method, Bytes(size)));
        ASSERT_FALSE(outcome.ok());
        EXPECT_EQ(NameOf(outcome.status().code()), "kBusy");
        EXPECT_TRUE(outcome.status().failure().may_have_reached);
        EXPECT_NE(outcome.status().message().find(" broke: "), std::string_view::npos)
            << outcome.status().message();
        EXPECT_EQ(WritesSeen(server), 1U);
        EXPECT_EQ(client.last_record().attempts, 1);
        EXPECT_EQ(client.last_record().bytes_out, static_cast<int64_t>(size));
        // The next write succeeds.
        ASSERT_TRUE(client.Send(Read(server.origin(), "/warm")).ok());
      }
    }
  }
}

// The server reads the head and closes the connection while the client sends the body.
TEST(ExactlyOnce, KeptConnectionEndsInTheMiddleOfTheBody) {
  for (const End end : {End::kClose, End::kReset}) {
    for (const size_t size : {size_t{1}, size_t{1000}, size_t{300'000}, size_t{8} << 20}) {
      SCOPED_TRACE(size);
      LoopbackServer server(EndWrites(end), {.respond_before_body = true});
      Client client;
      Warm(client, server.origin(), 2);
      const auto outcome = client.Send(Write(server.origin(), "POST", Bytes(size)));
      ASSERT_FALSE(outcome.ok());
      EXPECT_TRUE(outcome.status().failure().may_have_reached);
      EXPECT_EQ(WritesSeen(server), 1U);
    }
  }
}

// The outcome of the write is known even if no new connection is possible afterwards.
TEST(ExactlyOnce, ServerGoesAwayForGood) {
  for (const Case& how : {Case{"DELETE", 0}, Case{"POST", 1000}}) {
    std::function<void()> stop_listening;
    LoopbackServer server([&](const WireRequest& request) {
      if (request.target == "/warm") return Reply::Text("");
      stop_listening();
      return Reply::Nothing(End::kClose);
    });
    stop_listening = [&] { server.StopListening(); };
    Client client;
    Warm(client, server.origin(), 1);
    const auto outcome = client.Send(Write(server.origin(), how.method, Bytes(how.size)));
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(NameOf(outcome.status().code()), "kBusy");
    EXPECT_TRUE(outcome.status().failure().may_have_reached);
    EXPECT_EQ(WritesSeen(server), 1U);
  }
}

// The client notices that the server closed an idle connection before it sends anything.
TEST(ExactlyOnce, ConnectionClosedWhileIdle) {
  for (const auto& [method, size] : kCases) {
    SCOPED_TRACE(std::string(method) + " of " + std::to_string(size));
    LoopbackServer server([](const WireRequest&) { return Reply::Text(""); });
    Client client;
    Warm(client, server.origin(), 1);
    server.CloseConnections();
    ASSERT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
    const auto outcome = client.Send(Write(server.origin(), method, Bytes(size)));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(WritesSeen(server), 1U);
    EXPECT_EQ(server.connection_count(), 2);
  }
}

// Servers close connections that are idle for some seconds. A write does not use such a connection,
// because the server may close it at the moment of the write.
TEST(ExactlyOnce, WritesTakeNoOldConnection) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text(""); });
  Client client;
  Warm(client, server.origin(), 1);
  std::this_thread::sleep_for(milliseconds(1000));
  ASSERT_TRUE(client.Send(Write(server.origin(), "POST", "1")).ok());
  EXPECT_EQ(server.connection_count(), 1);
  std::this_thread::sleep_for(milliseconds(4100));
  ASSERT_TRUE(client.Send(Write(server.origin(), "POST", "2")).ok());
  EXPECT_EQ(server.connection_count(), 2);
}

// Concurrent writes on connections that may break: no write is lost or applied twice.
TEST(ExactlyOnce, ManyAtOnce) {
  LoopbackServer server([](const WireRequest& request) {
    if (request.number % 5 == 0) {
      return Reply::Nothing(request.number % 2 == 0 ? End::kClose : End::kReset);
    }
    return Reply::Text("", 204);
  });
  Client client;
  for (int round = 0; round < 10; ++round) {
    std::deque<std::unique_ptr<Exchange>> exchanges;
    for (int i = 0; i < 8; ++i) {
      Request request =
          Write(server.origin(), i % 2 == 0 ? "DELETE" : "POST", i % 2 == 0 ? "" : "b");
      request.path = "/" + std::to_string(round) + "-" + std::to_string(i);
      exchanges.push_back(client.Start(std::move(request)));
    }
    for (const auto& exchange : exchanges) {
      ASSERT_TRUE(client.Wait(*exchange).ok());
      const auto outcome = exchange->Take();
      EXPECT_TRUE(outcome.ok() || outcome.status().failure().may_have_reached) << Describe(outcome);
    }
  }
  std::vector<std::string> targets;
  for (const WireRequest& request : server.requests()) targets.push_back(request.target);
  std::sort(targets.begin(), targets.end());
  EXPECT_EQ(targets.size(), 80U);
  EXPECT_EQ(std::adjacent_find(targets.begin(), targets.end()), targets.end());
}

}  // namespace
}  // namespace aztables
