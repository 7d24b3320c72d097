// Checks when and after what delay a request is retried: statuses, transport errors, writes, the
// number of retries, back-off and Retry-After.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "unit/http/fake_transport.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using testing_support::FakeTransport;
using testing_support::MakeQuickPipeline;
using testing_support::MakeRead;
using testing_support::MakeResponse;

constexpr double kJitter = 1.1;
constexpr int64_t kNowMs = 1793613590000;  // Mon, 02 Nov 2026 09:59:50 GMT

// The decision after the outcome of a first attempt.
std::optional<milliseconds> NextTry(Request request, const Outcome& outcome,
                                    double jitter = kJitter) {
  FakeTransport transport;
  RequestLog log;
  const auto pipeline = MakeQuickPipeline(&transport, nullptr, &log, &Clock::System());
  const auto exchange = pipeline->Start(std::move(request));
  return aztables::NextTry(*exchange, outcome, jitter, kNowMs);
}

Outcome Replied(int status, const char* retry_after = nullptr) {
  Headers headers;
  if (retry_after != nullptr) headers.Add("retry-after", retry_after);
  return MakeResponse(status, "", headers);
}

TEST(RetryTest, TransientStatusesAndNoOthers) {
  const std::set<int> transient = {408, 429, 500, 502, 503, 504};
  for (int status = 100; status <= 599; ++status) {
    const bool expected = transient.count(status) == 1;
    EXPECT_EQ(IsTransient(status), expected) << status;
    EXPECT_EQ(NextTry(MakeRead(), Replied(status)).has_value(), expected) << status;
  }
}

TEST(RetryTest, ErrorsOfTheTransport) {
  EXPECT_TRUE(NextTry(MakeRead(), Outcome(Status(Code::kBusy, "connection reset"))));
  for (const Code code :
       {Code::kError, Code::kNotFound, Code::kAlreadyExists, Code::kPrecondition, Code::kNotNull,
        Code::kMismatch, Code::kAuth, Code::kReadOnly, Code::kInterrupt, Code::kTooBig}) {
    EXPECT_FALSE(NextTry(MakeRead(), Outcome(Status(code, "x")))) << static_cast<int>(code);
  }
}

TEST(RetryTest, WhatMayNotBeRepeatedOnlyIfTheServiceDidNothing) {
  for (const char* method : {"POST", "PUT", "MERGE", "DELETE"}) {
    Request request = MakeRead();
    request.method = method;
    request.may_repeat = false;
    for (const int status : {408, 429, 500, 502, 503, 504}) {
      const bool throttled = status == 429 || status == 503;
      EXPECT_EQ(NextTry(request, Replied(status, "1")).has_value(), throttled) << method << status;
    }
    EXPECT_FALSE(NextTry(request, Outcome(Status(Code::kBusy, "reset")))) << method;
  }
}

Status Unreachable(Contact contact = Contact::kNone) {
  Failure detail;
  detail.contact = contact;
  return {Code::kBusy, "cannot reach it", detail};
}

// The number of attempts to reach an unreachable host after so many responses.
size_t AttemptsAfter(int responses, bool may_repeat) {
  FakeTransport transport;
  RequestLog log;
  const auto pipeline = MakeQuickPipeline(&transport, nullptr, &log, &Clock::System());
  for (int i = 0; i < responses; ++i) {
    transport.Reply(404);
    EXPECT_TRUE(pipeline->Send(MakeRead(), Cancel()).ok());
  }
  for (int i = 0; i < 10; ++i) transport.Fail(Unreachable());
  Request request = MakeRead();
  request.may_repeat = may_repeat;
  request.max_retries = 3;
  EXPECT_EQ(pipeline->Send(std::move(request), Cancel()).status().message(), "cannot reach it");
  return transport.sent.size() - static_cast<size_t>(responses);
}

TEST(RetryTest, AHostThatNeverAnsweredIsTriedTwice) {
  for (const bool repeats : {true, false}) EXPECT_EQ(AttemptsAfter(0, repeats), 2U) << repeats;
  EXPECT_EQ(NextTry(MakeRead(), Outcome(Unreachable())), milliseconds(1000));
  EXPECT_EQ(NextTry(MakeRead(), Outcome(Unreachable(Contact::kNoTls))), milliseconds(1000));
  Request once = MakeRead();
  once.max_retries = 0;
  EXPECT_FALSE(NextTry(once, Outcome(Unreachable())));
}

TEST(RetryTest, AHostThatHasAnsweredIsTriedAsOftenAsTheOptionSays) {
  for (const bool repeats : {true, false}) EXPECT_EQ(AttemptsAfter(1, repeats), 4U) << repeats;
}

// The attempts at a request if no response of the host can be read. `request_id`: that of each.
// `resets`: how many attempts fail before.
int AttemptsUnreadable(bool may_repeat, const std::string& request_id = "", int resets = 0) {
  FakeTransport transport;
  for (int i = 0; i < resets; ++i) transport.Fail(Status(Code::kBusy, "reset"));
  RequestLog log;
  const auto pipeline = MakeQuickPipeline(&transport, nullptr, &log, &Clock::System());
  for (int i = 0; i < 10; ++i) transport.Reply(202, "<html>");
  Request request = MakeRead();
  request.may_repeat = may_repeat;
  request.max_retries = 3;
  const auto exchange = pipeline->Start(std::move(request));
  Exchange* const waiting = exchange.get();
  Failure detail;
  detail.inconclusive = true;
  detail.request_id = request_id;
  do {
    EXPECT_TRUE(pipeline->WaitAny({&waiting, 1}, Cancel()).ok());
  } while (pipeline->TryAgain(*exchange, {Code::kError, "a web page", detail}));
  return exchange->attempts();
}

TEST(RetryTest, AHostWhoseFirstResponsesCannotBeRead) {
  EXPECT_EQ(AttemptsUnreadable(true), 2) << "it is probably no table service";
  EXPECT_EQ(AttemptsUnreadable(true, "", 1), 3) << "a reset says nothing about the endpoint";
  EXPECT_EQ(AttemptsUnreadable(true, "id"), 4) << "only a table service gives ids";
}

TEST(RetryTest, AnUnreadableFirstResponseDoesNotRepeatWhatMayNotBeRepeated) {
  EXPECT_EQ(AttemptsUnreadable(false), 1);
}

TEST(RetryTest, NoneWhereNoneIsAllowed) {
  Request request = MakeRead();
  request.max_retries = 0;
  EXPECT_FALSE(NextTry(request, Replied(503)));
  EXPECT_FALSE(NextTry(request, Outcome(Status(Code::kBusy, "reset"))));
  request.max_retries = 1;
  EXPECT_TRUE(NextTry(request, Replied(503)));
}

TEST(RetryTest, RetryAfterWinsWhereItIsLonger) {
  const milliseconds plain = BackOff(0, kJitter);
  EXPECT_EQ(NextTry(MakeRead(), Replied(503)), plain);
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "0")), plain);
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "1")), milliseconds(1000));
  EXPECT_EQ(NextTry(MakeRead(), Replied(429, " 7 ")), milliseconds(7000));
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "45")), milliseconds(45000)) << "beyond our own cap";
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "Mon, 02 Nov 2026 10:00:00 GMT")),
            milliseconds(10000));
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "Mon, 02 Nov 2026 09:00:00 GMT")), plain) << "past";
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "")), plain);
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "-5")), plain);
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "1.5")), plain);
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "soon")), plain);
  EXPECT_EQ(NextTry(MakeRead(), Replied(503, "99999999999999999999")), plain);
  EXPECT_FALSE(NextTry(MakeRead(), Replied(404, "5"))) << "a delay is no reason to retry";
}

TEST(RetryTest, RetryAfterIsBounded) {
  const auto after = [](const char* text) { return RetryAfter(*Replied(503, text), kNowMs); };
  EXPECT_EQ(after("9223372036854775807"), std::chrono::minutes(1));
  EXPECT_EQ(after("61"), std::chrono::minutes(1));
  EXPECT_EQ(after("59"), std::chrono::seconds(59));
  EXPECT_EQ(after("Tue, 03 Nov 2026 10:00:00 GMT"), std::chrono::minutes(1));
  EXPECT_EQ(after(nullptr), std::nullopt);
}

TEST(RetryTest, ADateCountsFromThatOfTheResponse) {
  Headers headers;
  headers.Add("Retry-After", "Mon, 02 Nov 2026 10:00:07 GMT");
  headers.Add("Date", "Mon, 02 Nov 2026 10:00:00 GMT");
  EXPECT_EQ(RetryAfter(MakeResponse(503, "", headers), kNowMs), std::chrono::seconds(7));
}

// What attempts leave in doubt.
TEST(RetryTest, Doubt) {
  for (int status = 100; status <= 599; ++status) {
    Doubt expected = status == 408 || status >= 500 ? Doubt::kOpen : Doubt::kNone;
    if (status == 429 || status == 503) expected = Doubt::kThrottled;
    if (status == 507) expected = Doubt::kNone;  // a full disk
    EXPECT_EQ(DoubtAfter(Replied(status)), expected) << status;
  }
  Failure sent;
  sent.may_have_reached = true;
  EXPECT_EQ(DoubtAfter(Status(Code::kBusy, "reset", sent)), Doubt::kOpen);
  EXPECT_EQ(DoubtAfter(Status(Code::kBusy, "no route")), Doubt::kNone);
}

TEST(BackOffTest, Table) {
  const std::pair<int, int64_t> kAtJitterOne[] = {
      {0, 100}, {1, 900}, {2, 2500}, {3, 5700}, {4, 12100}, {5, 24900}, {6, 30000}, {7, 30000},
  };
  for (const auto& [retries, ms] : kAtJitterOne) {
    EXPECT_NEAR(static_cast<double>(BackOff(retries, 1.0).count()), static_cast<double>(ms), 1)
        << retries;
  }
}

TEST(BackOffTest, JitterStretchesItByAFifthEitherWay) {
  EXPECT_EQ(BackOff(0, 0.8), milliseconds(100));
  EXPECT_EQ(BackOff(0, 1.2), milliseconds(100));
  EXPECT_NEAR(static_cast<double>(BackOff(1, 0.8).count()), 740, 1);
  EXPECT_NEAR(static_cast<double>(BackOff(1, 1.2).count()), 1060, 1);
  EXPECT_NEAR(static_cast<double>(BackOff(5, 0.8).count()), 19940, 1);
  EXPECT_NEAR(static_cast<double>(BackOff(5, 1.2).count()), 29860, 1);
}

TEST(BackOffTest, NeverShrinksAndNeverExceedsThirtySeconds) {
  for (const double jitter : {0.8, 0.9, 0.999, 1.0, 1.1, 1.1999}) {
    milliseconds last(0);
    for (const int retries : {0, 1, 2, 3, 4, 5, 6, 10, 20, 21, 31, 32, 63, 64, 1000, 2147483647}) {
      const milliseconds delay = BackOff(retries, jitter);
      EXPECT_GE(delay, last) << retries;
      EXPECT_LE(delay, milliseconds(30'000)) << retries;
      last = delay;
    }
    EXPECT_EQ(last, milliseconds(30'000));
  }
}

}  // namespace
}  // namespace aztables
