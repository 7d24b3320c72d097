// Attempts without a complete response: the code, the message, and whether the request may have
// been applied. Reads are retried, and writes are not.
#include <gtest/gtest.h>

#include "wire/wire_fixture.h"

namespace aztables {
namespace {

using End = Reply::End;

Reply Cut(size_t missing, std::vector<size_t> chunks, End end) {
  Reply reply = Reply::Text(Bytes(20'000));
  reply.missing = missing;
  reply.chunks = std::move(chunks);
  reply.end = end;
  return reply;
}

struct Misbehaviour {
  const char* name;
  Reply reply;
  const char* sentence;  // a part of it
};

std::vector<Misbehaviour> Misbehaviours() {
  return {
      {"closed unanswered", Reply::Nothing(End::kClose), "broke: Empty reply from server"},
      {"reset unanswered", Reply::Nothing(End::kReset), "broke: Recv failure: Connection reset"},
      {"never answered", Reply::Nothing(End::kHold), "did not answer in time"},
      {"half a status line", Reply::Raw("HTTP/1.1 2", End::kClose), "broke: "},
      {"half a status line, held", Reply::Raw("HTTP/1.1 2", End::kHold), "did not answer in time"},
      {"half the headers", Reply::Raw("HTTP/1.1 200 OK\r\nContent-Le", End::kClose),
       "broke: it ended in the middle of the response's headers"},
      {"all headers but the blank line", Reply::Raw("HTTP/1.1 204 OK\r\nA: b\r\n", End::kClose),
       "broke: it ended in the middle of the response's headers"},
      {"only an interim response", Reply::Raw("HTTP/1.1 100 Continue\r\n\r\n", End::kClose),
       "broke: "},
      {"interim and half a response",
       Reply::Raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 OK\r\n", End::kClose),
       "broke: it ended in the middle of the response's headers"},
      {"garbage", Reply::Raw("SSH-2.0-OpenSSH_9.2\r\n", End::kClose), "did not answer in HTTP"},
      {"binary garbage", Reply::Raw(Bytes(5000), End::kClose), "did not answer in HTTP"},
      {"header without colon", Reply::Raw("HTTP/1.1 200 OK\r\nwhat\r\n\r\n", End::kClose),
       "did not answer in HTTP"},
      {"length that is not a number",
       Reply::Raw("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n", End::kClose),
       "did not answer in HTTP"},
      {"truncated", Cut(1, {}, End::kClose), "broke: transfer closed with 1 bytes remaining"},
      {"nothing of the body",
       Reply::Raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", End::kClose),
       "broke: transfer closed with 5 bytes remaining"},
      {"reset in the body", Cut(5000, {}, End::kReset), "broke: Recv failure: Connection reset"},
      {"held in the body", Cut(5000, {}, End::kHold), "did not answer in time"},
      {"chunks truncated", Cut(1, {1000, 1000}, End::kClose), "broke: transfer closed"},
      {"chunks reset", Cut(1, {1000, 1000}, End::kReset), "broke: Recv failure: Connection reset"},
      {"no chunk size",
       Reply::Raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", End::kClose),
       "broke: "},
  };
}

constexpr milliseconds kShort{400};

TEST(BrokenResponse, WritesAreSentOnceAndMayBeApplied) {
  for (const Misbehaviour& how : Misbehaviours()) {
    SCOPED_TRACE(how.name);
    LoopbackServer server([&](const WireRequest&) { return how.reply; });
    Client client;
    Request request = Write(server.origin(), "POST", "body");
    if (how.reply.end == End::kHold) request.timeout = kShort;
    const auto outcome = client.Send(request);
    ASSERT_FALSE(outcome.ok()) << Describe(outcome);
    const Status status = outcome.status();
    EXPECT_EQ(NameOf(status.code()), "kBusy");
    EXPECT_NE(status.message().find(how.sentence), std::string_view::npos) << status.message();
    EXPECT_NE(status.message().find(server.origin()), std::string_view::npos) << status.message();
    EXPECT_TRUE(status.failure().may_have_reached);
    EXPECT_EQ(status.failure().http_status, 0);
    EXPECT_EQ(server.request_count(), 1U);
    EXPECT_EQ(client.last_record().attempts, 1);
    EXPECT_EQ(client.last_record().status, 0);
    EXPECT_EQ(client.last_record().error, status.message());
  }
}

TEST(BrokenResponse, ReadsAreRetried) {
  for (const Misbehaviour& how : Misbehaviours()) {
    SCOPED_TRACE(how.name);
    LoopbackServer server([&](const WireRequest& request) {
      return request.number == 1 ? how.reply : Reply::Text("recovered");
    });
    Client client;
    Request request = Read(server.origin());
    if (how.reply.end == End::kHold) request.timeout = kShort;
    const auto outcome = client.Send(request);
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_EQ(outcome->body, "recovered");
    EXPECT_EQ(outcome->headers.all().size(), 1U);  // the first response left no header
    EXPECT_EQ(server.request_count(), 2U);
    EXPECT_EQ(server.connection_count(), 2);
    ASSERT_EQ(client.log().size(), 1U);
    EXPECT_EQ(client.last_record().attempts, 2);
    EXPECT_EQ(client.last_record().status, 200);
    EXPECT_EQ(client.last_record().error, "");
  }
}

// On a connection that was used before, libcurl would resend the request itself. Each attempt must
// be one request on the wire, so that the log is correct.
TEST(BrokenResponse, EachAttemptIsOneRequest) {
  LoopbackServer server([](const WireRequest& request) {
    return request.number == 2 ? Reply::Nothing(End::kClose) : Reply::Text("");
  });
  Client client;
  ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  ASSERT_TRUE(client.Send(Read(server.origin())).ok());
  EXPECT_EQ(client.last_record().attempts, 2);
  EXPECT_EQ(server.request_count(), 3U);
}

// libcurl appends a continuation line to the last header of its handle. That header may belong to
// an earlier, freed response. libcurl must not access freed memory.
TEST(BrokenResponse, ContinuationLineWithoutHeader) {
  LoopbackServer server([](const WireRequest& request) {
    if (request.number % 2 == 1) return Reply::Text("good");
    return Reply::Raw("HTTP/1.1 200 OK\r\n goes: on\r\nContent-Length: 0\r\n\r\n", End::kKeepAlive);
  });
  Client client;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(client.Send(Read(server.origin())).ok());
    const auto outcome = client.Send(Write(server.origin(), "POST", "body"));
    ASSERT_FALSE(outcome.ok());
    EXPECT_NE(outcome.status().message().find("did not answer in HTTP"), std::string_view::npos)
        << outcome.status().message();
  }
}

TEST(BrokenResponse, NothingReachesARefusingServer) {
  Client client;
  Request request = Write(RefusingOrigin(), "POST", "body");
  const auto outcome = client.Send(request);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(NameOf(outcome.status().code()), "kBusy");
  EXPECT_TRUE(outcome.status().message().starts_with("cannot reach " + request.origin))
      << outcome.status().message();
  EXPECT_FALSE(outcome.status().failure().may_have_reached);
}

TEST(BrokenResponse, NothingReachesAnUnknownHost) {
  Client client;
  const auto outcome = client.Send(Write("http://account.table.example", "POST", "body"));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(Describe(outcome),
            "kBusy: cannot reach http://account.table.example: Could not resolve host: "
            "account.table.example");
  EXPECT_FALSE(outcome.status().failure().may_have_reached);
}

TEST(BrokenResponse, InvalidAddressIsNotRetried) {
  Client client;
  const auto outcome = client.Send(Read("http://127.0.0.1:99999"));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(NameOf(outcome.status().code()), "kError") << outcome.status().message();
  EXPECT_EQ(client.last_record().attempts, 1);
}

// The server starts to listen after the first attempt.
TEST(BrokenResponse, ReadsWaitForAServerThatStarts) {
  auto server =
      std::make_unique<LoopbackServer>([](const WireRequest&) { return Reply::Text(""); });
  Client client;
  ASSERT_TRUE(client.Send(Read(server->origin())).ok());
  server->StopListening();
  server->CloseConnections();
  ASSERT_TRUE(server->WaitForOpenConnections(0, milliseconds(10'000)));
  Request request = Read(server->origin());
  request.max_retries = 1;
  const auto outcome = client.Send(request);
  ASSERT_FALSE(outcome.ok());
  EXPECT_TRUE(outcome.status().message().starts_with("cannot reach "));
  EXPECT_EQ(client.last_record().attempts, 2);
}

}  // namespace
}  // namespace aztables
