// Retries over the wire: which responses are retried, how long the pipeline waits, the signature of
// each attempt, and the log.
#include <gtest/gtest.h>

#include "wire/wire_fixture.h"

namespace aztables {
namespace {

// Signs with the number of the attempt.
class CountingCredential : public Credential {
 public:
  Status Sign(Request& request) override {
    request.headers.Set("Authorization", "attempt " + std::to_string(++count_));
    return {};
  }

 private:
  int count_ = 0;
};

class FailingCredential : public Credential {
 public:
  Status Sign(Request&) override { return {Code::kAuth, "no key"}; }
};

// A clock that advances by one hour at each call.
class LeapingClock : public Clock {
 public:
  int64_t NowMs() const override { return now_ += 3'600'000; }

 private:
  mutable int64_t now_ = 1'700'000'000'000;
};

LoopbackServer::Handler FirstThenFine(int status) {
  return [status](const WireRequest& request) {
    return request.number == 1 ? Reply::Text("later", status) : Reply::Text("fine");
  };
}

TEST(Retry, TransientStatusesOfReads) {
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    LoopbackServer server(FirstThenFine(status));
    Client client;
    const auto outcome = client.Send(Read(server.origin()));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(outcome->body, "fine") << status;
    EXPECT_EQ(client.last_record().attempts, 2);
    EXPECT_EQ(client.last_record().bytes_in, 9);  // of both responses
    EXPECT_EQ(server.connection_count(), 1);
  }
}

TEST(Retry, OtherStatusesAreNotRetried) {
  for (const int status : {301, 400, 403, 404, 409, 412, 413, 501, 505}) {
    LoopbackServer server(FirstThenFine(status));
    Client client;
    const auto outcome = client.Send(Read(server.origin()));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(outcome->status, status);
    EXPECT_EQ(server.request_count(), 1U);
  }
}

TEST(Retry, WritesAreRetriedIfNothingWasApplied) {
  for (const int status : {429, 503}) {
    LoopbackServer server(FirstThenFine(status));
    Client client;
    const auto outcome = client.Send(Write(server.origin(), "POST", "x"));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(outcome->status, 200);
    EXPECT_EQ(server.request_count(), 2U);
  }
}

TEST(Retry, OtherWritesAreNotRetried) {
  for (const int status : {408, 500, 502, 504}) {
    LoopbackServer server(FirstThenFine(status));
    Client client;
    const auto outcome = client.Send(Write(server.origin(), "POST", "x"));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(outcome->status, status);
    EXPECT_EQ(server.request_count(), 1U);
  }
}

TEST(Retry, GivesUpAfterTheLastRetry) {
  LoopbackServer server([](const WireRequest&) { return Reply::Text("busy", 503); });
  RequestLog log;
  const std::unique_ptr<Transport> transport = MakeCurlTransport();
  // 0.1 s per retry.
  Pipeline pipeline(transport.get(), nullptr, &log, &Clock::System(), [] { return 0.0; });
  Request request = Read(server.origin());
  request.max_retries = 5;
  const Stopwatch stopwatch;
  const auto outcome = pipeline.Send(request, Cancel());
  EXPECT_GE(stopwatch.elapsed(), milliseconds(500));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->status, 503);
  EXPECT_EQ(server.request_count(), 6U);
  EXPECT_EQ(log.At(log.size() - 1).attempts, 6);
  EXPECT_EQ(log.At(log.size() - 1).status, 503);
  EXPECT_GE(log.At(log.size() - 1).ms, 500.0);
}

TEST(Retry, EachAttemptHasItsOwnDateAndSignature) {
  LoopbackServer server(FirstThenFine(503));
  CountingCredential credential;
  const LeapingClock clock;
  RequestLog log;
  const std::unique_ptr<Transport> transport = MakeCurlTransport();
  const auto pipeline = MakePipeline(transport.get(), &credential, &log, &clock);
  ASSERT_TRUE(pipeline->Send(Read(server.origin()), Cancel()).ok());
  const auto seen = server.requests();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].headers.Get("Authorization"), "attempt 1");
  EXPECT_EQ(seen[1].headers.Get("Authorization"), "attempt 2");
  EXPECT_NE(seen[0].headers.Get("x-ms-date"), seen[1].headers.Get("x-ms-date"));
  const std::string_view id = seen[0].headers.Get("x-ms-client-request-id");
  EXPECT_EQ(id.size(), 36U);
  EXPECT_EQ(seen[1].headers.Get("x-ms-client-request-id"), id);
}

TEST(Retry, NothingIsSentUnsigned) {
  LoopbackServer server(FirstThenFine(200));
  FailingCredential credential;
  Client client(&credential);
  EXPECT_EQ(Describe(client.Send(Read(server.origin()))), "kAuth: no key");
  EXPECT_EQ(server.connection_count(), 0);
}

TEST(Retry, WaitsAsTheServerAsks) {
  LoopbackServer server([](const WireRequest& request) {
    Reply reply = Reply::Text("", request.number == 1 ? 503 : 200);
    if (request.number == 1) reply.headers = {{"Retry-After", "2"}};
    return reply;
  });
  Client client;
  const Stopwatch stopwatch;
  const auto outcome = client.Send(Read(server.origin()));
  EXPECT_GE(stopwatch.elapsed(), milliseconds(2000));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->status, 200);
  EXPECT_EQ(client.last_record().attempts, 2);
}

// Other requests continue while one request waits for its retry.
TEST(Retry, WaitingDelaysNoOtherRequest) {
  LoopbackServer server([](const WireRequest& request) {
    Reply reply = Reply::Text("", request.target == "/later" ? 503 : 200);
    if (request.target == "/later") reply.headers = {{"Retry-After", "30"}};
    return reply;
  });
  Client client;
  const auto later = client.Start(Read(server.origin(), "/later"));
  const Stopwatch stopwatch;
  for (int i = 0; i < 20; ++i) {
    const auto now = client.Start(Read(server.origin(), "/now"));
    Exchange* const both[] = {later.get(), now.get()};
    ASSERT_TRUE(client.pipeline().WaitAny(both, Cancel()).ok());
    ASSERT_TRUE(now->done());
  }
  EXPECT_FALSE(later->done());
  EXPECT_LT(stopwatch.elapsed(), milliseconds(15'000));
}

}  // namespace
}  // namespace aztables
