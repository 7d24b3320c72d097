// Checks the whole pipeline over a scripted transport: the steps per request and per
// attempt, retries, parallel exchanges.
#include "http/pipeline.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <thread>

#include "unit/http/fake_transport.h"

namespace aztables {
namespace {

using testing_support::CountingCredential;
using testing_support::FakeTransport;
using testing_support::MakeQuickPipeline;
using testing_support::MakeRead;
using testing_support::TickingClock;

class PipelineTest : public testing::Test {
 protected:
  Outcome Send(Request request) { return pipeline_->Send(std::move(request), Cancel()); }

  FakeTransport transport_;
  TickingClock clock_;
  CountingCredential credential_;
  RequestLog log_;
  std::unique_ptr<Pipeline> pipeline_ =
      MakeQuickPipeline(&transport_, &credential_, &log_, &clock_);
};

TEST_F(PipelineTest, ASuccessIsOneAttempt) {
  Headers headers;
  headers.Add("ETag", "W/\"e\"");
  transport_.Reply(200, "body", headers);
  const Outcome outcome = Send(MakeRead());
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->status, 200);
  EXPECT_EQ(outcome->body, "body");
  EXPECT_EQ(outcome->headers.Get("etag"), "W/\"e\"");
  EXPECT_EQ(transport_.sent.size(), 1U);
  EXPECT_EQ(transport_.live, 0);
}

TEST_F(PipelineTest, EveryAttemptIsTakenFromTheBudget) {
  for (int i = 0; i < 3; ++i) transport_.Reply(503);
  Request request = MakeRead();
  request.max_retries = 20;
  request.budget = {std::make_shared<Spending>(),
                    {.max_requests = 3, .max_entities = {}, .max_time = {}}};
  const Outcome outcome = Send(std::move(request));
  EXPECT_EQ(outcome.status().code(), Code::kBudget);
  EXPECT_EQ(transport_.sent.size(), 3U);
}

TEST_F(PipelineTest, OneRequestIdButADateAndSignaturePerAttempt) {
  transport_.Reply(503);
  transport_.Fail({Code::kBusy, "reset"});
  transport_.Reply(200);
  ASSERT_TRUE(Send(MakeRead()).ok());
  ASSERT_EQ(transport_.sent.size(), 3U);
  std::set<std::string> ids, dates, signatures, credentials;
  for (const Request& attempt : transport_.sent) {
    ids.emplace(attempt.headers.Get("x-ms-client-request-id"));
    dates.emplace(attempt.headers.Get("x-ms-date"));
    signatures.emplace(attempt.headers.Get("Authorization"));
    credentials.emplace(attempt.credential_query.view());
    EXPECT_EQ(attempt.headers.all().size(), 3U) << "each header once";
    EXPECT_TRUE(attempt.headers.Get("Authorization").ends_with(attempt.headers.Get("x-ms-date")))
        << "the signature is of this attempt's date";
  }
  EXPECT_EQ(ids.size(), 1U);
  EXPECT_EQ(ids.begin()->size(), 36U);
  EXPECT_EQ(dates.size(), 3U);
  EXPECT_EQ(signatures.size(), 3U);
  EXPECT_EQ(credentials.size(), 3U);
  EXPECT_EQ(credential_.count, 3);
}

TEST_F(PipelineTest, EachRequestHasItsOwnId) {
  transport_.Reply(200);
  transport_.Reply(200);
  ASSERT_TRUE(Send(MakeRead()).ok());
  ASSERT_TRUE(Send(MakeRead()).ok());
  EXPECT_NE(transport_.sent[0].headers.Get("x-ms-client-request-id"),
            transport_.sent[1].headers.Get("x-ms-client-request-id"));
}

TEST_F(PipelineTest, GivesUpAfterTheLastRetry) {
  for (int i = 0; i < 5; ++i) transport_.Reply(503, "busy " + std::to_string(i));
  Request request = MakeRead();
  request.max_retries = 2;
  const Outcome outcome = Send(request);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->status, 503);
  EXPECT_EQ(outcome->body, "busy 2") << "the last response stands";
  EXPECT_EQ(transport_.sent.size(), 3U);
}

TEST_F(PipelineTest, AnErrorOfTheTransportStandsInTheEnd) {
  Failure detail;
  detail.may_have_reached = true;
  transport_.Fail({Code::kBusy, "first"});
  transport_.Fail({Code::kBusy, "second", detail});
  Request request = MakeRead();
  request.max_retries = 1;
  const Outcome outcome = Send(request);
  EXPECT_EQ(outcome.status().code(), Code::kBusy);
  EXPECT_EQ(outcome.status().message(), "second");
  EXPECT_TRUE(outcome.status().failure().may_have_reached);
  EXPECT_EQ(transport_.sent.size(), 2U);
}

TEST_F(PipelineTest, WritesGoAgainOnlyWhereNothingWasDone) {
  Request request = MakeRead("/$batch");
  request.method = "POST";
  request.may_repeat = false;
  transport_.Reply(500);
  transport_.Reply(202);
  EXPECT_EQ(Send(request)->status, 500);
  EXPECT_EQ(transport_.sent.size(), 1U);
  EXPECT_EQ(Send(request)->status, 202);
  transport_.Reply(503);
  transport_.Reply(202);
  EXPECT_EQ(Send(request)->status, 202);
  EXPECT_EQ(transport_.sent.size(), 4U);
}

TEST_F(PipelineTest, ARetryWaits) {
  transport_.Reply(500);
  transport_.Reply(200);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Send(MakeRead())->status, 200);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100));
}

TEST_F(PipelineTest, WhatCannotBeSignedIsNotSent) {
  credential_.fail = true;
  const Outcome outcome = Send(MakeRead());
  EXPECT_EQ(outcome.status().message(), "cannot sign");
  EXPECT_TRUE(transport_.sent.empty());
  EXPECT_TRUE(log_.size() == 0);
}

TEST_F(PipelineTest, WithoutACredentialNothingIsSigned) {
  const auto pipeline = MakeQuickPipeline(&transport_, nullptr, &log_, &clock_);
  transport_.Reply(200);
  ASSERT_TRUE(pipeline->Send(MakeRead(), Cancel()).ok());
  EXPECT_EQ(transport_.sent[0].headers.Find("Authorization"), nullptr);
  EXPECT_NE(transport_.sent[0].headers.Find("x-ms-date"), nullptr);
}

TEST_F(PipelineTest, DestroyingAnExchangeGivesItsAttemptUp) {
  auto exchange = pipeline_->Start(MakeRead());
  EXPECT_EQ(transport_.live, 1);
  exchange.reset();
  EXPECT_EQ(transport_.live, 0);
}

TEST_F(PipelineTest, WaitAnyOfNoneReturns) { EXPECT_TRUE(pipeline_->WaitAny({}, Cancel()).ok()); }

TEST_F(PipelineTest, SeveralExchangesEndInAnyOrder) {
  for (const int status : {201, 202, 203}) transport_.Hold(status);
  std::vector<std::unique_ptr<Exchange>> exchanges;
  std::vector<Exchange*> waiting;
  for (const char* path : {"/A", "/B", "/C"}) {
    exchanges.push_back(pipeline_->Start(MakeRead(path)));
    waiting.push_back(exchanges.back().get());
  }
  EXPECT_EQ(transport_.live, 3);
  std::vector<int> statuses;
  for (const size_t next : {size_t{2}, size_t{0}, size_t{1}}) {
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      transport_.Release(next);
    });
    ASSERT_TRUE(pipeline_->WaitAny(waiting, Cancel()).ok());
    other.join();
    ASSERT_TRUE(exchanges[next]->done());
    for (Exchange*& exchange : waiting) {
      if (exchange != exchanges[next].get()) {
        EXPECT_FALSE(exchange->done());
      }
    }
    statuses.push_back(exchanges[next]->Take()->status);
    std::erase(waiting, exchanges[next].get());
  }
  EXPECT_EQ(statuses, (std::vector<int>{203, 201, 202}));
  EXPECT_EQ(transport_.live, 0);
}

TEST_F(PipelineTest, OneThatWaitsForItsRetryHoldsUpNoOther) {
  Headers later;
  later.Add("Retry-After", "3600");
  transport_.Reply(503, "", later);
  transport_.Reply(200);
  const auto slow = pipeline_->Start(MakeRead("/slow"));
  const std::array<Exchange*, 1> only_slow = {slow.get()};
  EXPECT_EQ(pipeline_->WaitAny(only_slow, Cancel([] { return true; })).code(), Code::kInterrupt);
  const auto quick = pipeline_->Start(MakeRead("/quick"));
  const std::array<Exchange*, 2> both = {slow.get(), quick.get()};
  ASSERT_TRUE(pipeline_->WaitAny(both, Cancel()).ok());
  EXPECT_TRUE(quick->done());
  EXPECT_FALSE(slow->done());
  EXPECT_EQ(slow->attempts(), 1);
}

}  // namespace
}  // namespace aztables
