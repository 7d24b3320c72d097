// Timeouts, interrupts, and cancellation of running requests. The time limits are generous. They
// show that no call waits for a server or name server that does not respond.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <optional>
#include <thread>

#include "wire/wire_fixture.h"

namespace aztables {
namespace {

using End = Reply::End;

constexpr milliseconds kSlack{2500};  // for a loaded machine; less than kSlowLookup

Reply Never(const WireRequest&) { return Reply::Nothing(End::kHold); }

// Sends a write with `timeout`. Expects it to end in time with this message.
void ExpectTimeout(Request request, bool may_have_reached) {
  constexpr milliseconds kTimeout{500};
  Client client;
  request.timeout = kTimeout;
  const Stopwatch stopwatch;
  const auto outcome = client.Send(request);
  EXPECT_GE(stopwatch.elapsed(), kTimeout - milliseconds(50));
  EXPECT_LT(stopwatch.elapsed(), kTimeout + kSlack);
  ASSERT_FALSE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(NameOf(outcome.status().code()), "kBusy");
  EXPECT_TRUE(outcome.status().message().starts_with(request.origin + " did not answer in time: "))
      << outcome.status().message();
  EXPECT_EQ(outcome.status().failure().may_have_reached, may_have_reached);
}

TEST(Timeout, ServerThatNeverAnswers) {
  LoopbackServer server(Never);
  ExpectTimeout(Write(server.origin(), "POST", "x"), true);
  EXPECT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
  EXPECT_EQ(server.request_count(), 1U);
}

TEST(Timeout, ServerThatStopsInTheMiddle) {
  LoopbackServer server([](const WireRequest&) {
    Reply reply = Reply::Text(Bytes(100'000));
    reply.pause = milliseconds(60'000);
    return reply;
  });
  ExpectTimeout(Write(server.origin(), "POST", "x"), true);
}

TEST(Head, IsKnownBeforeTheBody) {
  LoopbackServer server([](const WireRequest&) {
    Reply reply = Reply::Text(Bytes(100'000));
    reply.headers = {{"x-ms-continuation-NextPartitionKey", "next"}, {"Echo", "AccountSecret1"}};
    reply.pause = milliseconds(60'000);
    return reply;
  });
  Client client;
  for (const bool wants : {true, false}) {
    Request request = Read(server.origin());
    request.wants_head = wants;
    request.credential_query = "sig=AccountSecret1";
    request.timeout = milliseconds(wants ? 60'000 : 300);
    request.max_retries = 0;
    const auto exchange = client.Start(std::move(request));
    Exchange* const waiting = exchange.get();
    ASSERT_TRUE(client.pipeline().WaitAny({&waiting, 1}, {}, waiting).ok());
    EXPECT_EQ(exchange->done(), !wants);
    ASSERT_EQ(exchange->head() != nullptr, wants);
    if (!wants) continue;
    EXPECT_EQ(exchange->head()->status, 200);
    EXPECT_EQ(exchange->head()->headers.Get("x-ms-continuation-NextPartitionKey"), "next");
    EXPECT_EQ(exchange->head()->headers.Get("Echo"), "...") << "signatures are never shown";
  }
}

TEST(Driver, IsTheThreadThatWaits) {
  LoopbackServer server([](const WireRequest& request) { return Reply::Text(request.target); });
  Client client;
  const auto start = [&](const char* path, bool waits) {
    Request request = Read(server.origin(), path);
    request.waits = waits;
    return client.Start(std::move(request));
  };
  const auto first = start("/first", true);
  EXPECT_FALSE(server.WaitForRequests(1, milliseconds(100))) << "nobody waits yet";
  ASSERT_TRUE(client.Wait(*first).ok());
  EXPECT_EQ(first->Take()->body, "/first");
  const auto alone = start("/alone", false);
  EXPECT_TRUE(server.WaitForRequests(2, milliseconds(10'000))) << "it is sent at once";
  const auto second = start("/second", true);
  ASSERT_TRUE(client.Wait(*second).ok());
  EXPECT_EQ(second->Take()->body, "/second");
  ASSERT_TRUE(client.Wait(*alone).ok());
  EXPECT_EQ(alone->Take()->body, "/alone");
}

// Deadlines count the time in which somebody drives.
TEST(Driver, ALongPauseIsNoTimeout) {
  LoopbackServer server([](const WireRequest& request) {
    Reply reply = Reply::Text(Bytes(1'000'000));
    if (request.number > 1) reply.delay = milliseconds(50);
    return reply;
  });
  Client client;
  for (int i = 0; i < 3; ++i) {
    Request request = Read(server.origin());
    request.timeout = milliseconds(400);
    request.max_retries = 0;
    const auto exchange = client.Start(std::move(request));
    std::this_thread::sleep_for(milliseconds(600));
    ASSERT_TRUE(client.Wait(*exchange).ok());
    const auto outcome = exchange->Take();
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_TRUE(outcome->body == Bytes(1'000'000));
  }
}

// A server that closes a connection that nobody has read from: the read is sent again at once.
TEST(Driver, AReadThatWasLeftAloneIsSentAgain) {
  for (const bool left_alone : {true, false}) {
    LoopbackServer server([](const WireRequest& request) {
      Reply reply = Reply::Text(request.target);
      if (request.number == 2) reply = Reply::Nothing(End::kReset);
      reply.delay = milliseconds(request.number == 2 ? 200 : 0);  // when nobody drives
      return reply;
    });
    Client client;
    ASSERT_TRUE(client.Send(Read(server.origin(), "/first")).ok());
    Request request = Read(server.origin());
    request.max_retries = 0;
    const auto exchange = client.Start(std::move(request));
    if (left_alone) std::this_thread::sleep_for(milliseconds(1100));
    ASSERT_TRUE(client.Wait(*exchange).ok());
    EXPECT_EQ(exchange->Take().ok(), left_alone);
    EXPECT_EQ(exchange->attempts(), left_alone ? 2 : 1);
    EXPECT_EQ(exchange->retries(), 0);
  }
}

TEST(Driver, AWriteThatWasLeftAloneIsNotSentAgain) {
  LoopbackServer server([](const WireRequest& request) {
    return request.number == 2 ? Reply::Nothing(End::kReset) : Reply::Text("");
  });
  Client client;
  ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  const auto exchange = client.Start(Write(server.origin(), "POST", "x"));
  std::this_thread::sleep_for(milliseconds(1100));
  ASSERT_TRUE(client.Wait(*exchange).ok());
  EXPECT_FALSE(exchange->Take().ok());
  EXPECT_EQ(server.request_count(), 2U);
}

TEST(Driver, ManyThatNobodyWaitsForAndOneThatIsGivenUp) {
  LoopbackServer server([](const WireRequest& request) { return Reply::Text(request.target); });
  Client client;
  for (int round = 0; round < 50; ++round) {
    std::vector<std::unique_ptr<Exchange>> exchanges;
    for (int i = 0; i < 8; ++i) {
      Request request = Read(server.origin(), "/" + std::to_string(i));
      request.waits = i % 3 == 0;
      exchanges.push_back(client.Start(std::move(request)));
    }
    exchanges.erase(exchanges.begin() + round % 8);
    for (const auto& exchange : exchanges) {
      ASSERT_TRUE(client.Wait(*exchange).ok());
      const std::string path = exchange->request().path;
      EXPECT_EQ(exchange->Take()->body, path);
    }
  }
}

TEST(Timeout, ServerThatDoesNotReadTheBody) {
  LoopbackServer server(Never, {.respond_before_body = true});
  ExpectTimeout(Write(server.origin(), "POST", Bytes(size_t{32} << 20)), true);
}

TEST(Timeout, ServerThatAcceptsNoConnection) {
  const FullBacklog server;
  ExpectTimeout(Write(server.origin(), "POST", "x"), false);
}

TEST(Timeout, TheSecondAddressIsTriedInTime) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text("second"); });
  const std::string origin = server.origin();
  const std::string port = origin.substr(origin.rfind(':') + 1);
  const FullBacklog dead("127.0.0.2", std::stoi(port));
  Client client;
  Request request = Read("http://two.addresses:" + port);
  request.max_retries = 0;
  const auto outcome = client.Send(std::move(request));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->body, "second");
}

// An attempt to connect that nobody drives outlives libcurl's limit, and is made again.
TEST(Timeout, AConnectionThatIsLeftAloneIsMadeAgain) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text("in the end"); });
  Client client;
  Request request = Write(server.origin(), "POST", "x");
  request.max_retries = 0;
  const auto exchange = client.Start(std::move(request));
  std::this_thread::sleep_for(milliseconds(10'500));
  ASSERT_TRUE(client.Wait(*exchange).ok());
  const auto outcome = exchange->Take();
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(server.request_count(), 1U);
}

TEST(Timeout, NameServerThatIsSlow) {
  ExpectTimeout(Write("http://account.slow", "POST", "x"), false);
}

TEST(Timeout, SlowIsNotTooSlow) {
  LoopbackServer server([](const WireRequest&) {
    Reply reply = Reply::Text("in time");
    reply.delay = milliseconds(300);
    reply.pause = milliseconds(300);
    return reply;
  });
  Client client;
  const auto outcome = client.Send(Write(server.origin(), "POST", "x"));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->body, "in time");
}

// Interrupts after 200 ms. Returns how long the wait continued after that.
milliseconds TimeToCancel(Client& client, Request request) {
  std::atomic<bool> interrupted{false};
  const Cancel cancel([&] { return interrupted.load(); });
  std::optional<Stopwatch> since;
  std::thread interrupter([&] {
    std::this_thread::sleep_for(milliseconds(200));
    since.emplace();
    interrupted = true;
  });
  const auto outcome = client.Send(std::move(request), cancel);
  interrupter.join();
  EXPECT_EQ(Describe(outcome), "kInterrupt: interrupted");
  return since->elapsed();
}

TEST(Cancelling, EndsTheWaitAndTheConnection) {
  LoopbackServer server(Never);
  Client client;
  EXPECT_LT(TimeToCancel(client, Read(server.origin())), milliseconds(1000));
  EXPECT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
  EXPECT_EQ(client.last_record().error, "abandoned before a response arrived");
  EXPECT_EQ(client.last_record().status, 0);
}

// One slice of the wait is 50 ms. On a loaded machine the test makes several attempts.
TEST(Cancelling, IsQuick) {
  LoopbackServer server(Never);
  Client client;
  milliseconds best = TimeToCancel(client, Read(server.origin()));
  for (int i = 0; i < 10 && best > milliseconds(150); ++i) {
    best = std::min(best, TimeToCancel(client, Read(server.origin())));
  }
  EXPECT_LE(best, milliseconds(150));
}

TEST(Cancelling, EndsTheWaitForTheRetry) {
  LoopbackServer server([](const WireRequest&) {
    Reply reply = Reply::Text("", 503);
    reply.headers = {{"Retry-After", "60"}};
    return reply;
  });
  Client client;
  EXPECT_LT(TimeToCancel(client, Read(server.origin())), milliseconds(1000));
}

TEST(Cancelling, EndsConnectingAndLookingUp) {
  const FullBacklog full;
  Client client;
  EXPECT_LT(TimeToCancel(client, Read(full.origin())), milliseconds(1000));
  EXPECT_LT(TimeToCancel(client, Read("http://account.slow")), milliseconds(1000));
}

// A request that is canceled during its name lookup must not delay other requests.
TEST(Cancelling, DelaysNoOtherRequest) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text(""); });
  Client client;
  auto lost = client.Start(Read("http://account.slow"));
  ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  lost.reset();
  const Stopwatch stopwatch;
  const auto outcome = client.Send(Read(server.origin()));
  EXPECT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_LT(stopwatch.elapsed(), kSlack);
}

TEST(GivingUp, ExchangesInFlight) {
  LoopbackServer server(Never);
  Client client;
  std::deque<std::unique_ptr<Exchange>> exchanges;
  for (int i = 0; i < 8; ++i) {
    exchanges.push_back(client.Start(Write(server.origin(), "POST", Bytes(1000))));
  }
  const auto all_arrived = [&] { return server.request_count() == 8; };
  ASSERT_TRUE(client.DriveUntil(*exchanges.front(), all_arrived));
  exchanges.clear();
  EXPECT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
}

TEST(GivingUp, BeforeAnythingHappened) {
  LoopbackServer server(Never);
  Client client;
  for (int i = 0; i < 200; ++i) client.Start(Read(server.origin()));
  EXPECT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
}

TEST(GivingUp, TransportInFlight) {
  LoopbackServer server(Never);
  const FullBacklog full;
  Client client;
  std::deque<std::unique_ptr<Exchange>> exchanges;
  exchanges.push_back(client.Start(Write(server.origin(), "POST", Bytes(size_t{1} << 20))));
  exchanges.push_back(client.Start(Read(server.origin())));
  exchanges.push_back(client.Start(Read(full.origin())));
  exchanges.push_back(client.Start(Read("http://account.slow")));
  const auto both_arrived = [&] { return server.request_count() == 2; };
  ASSERT_TRUE(client.DriveUntil(*exchanges.front(), both_arrived));
  const Stopwatch stopwatch;
  client.DestroyTransport();
  EXPECT_LT(stopwatch.elapsed(), kSlack);
  EXPECT_TRUE(server.WaitForOpenConnections(0, milliseconds(10'000)));
  // The exchanges outlive the transport, and fail.
  for (size_t i = 0; i < exchanges.size(); ++i) {
    ASSERT_TRUE(client.Wait(*exchanges[i]).ok());
    const auto outcome = exchanges[i]->Take();
    EXPECT_EQ(Describe(outcome),
              "kError: the database connection was closed, or the process is exiting");
    EXPECT_EQ(outcome.status().failure().may_have_reached, i < 2);
  }
}

TEST(GivingUp, TransportAtOnce) {
  LoopbackServer server(Never);
  for (int i = 0; i < 50; ++i) {
    Client client;
    const auto exchange = client.Start(Read(server.origin()));
    if (i % 2 == 0) client.DestroyTransport();
  }
}

}  // namespace
}  // namespace aztables
