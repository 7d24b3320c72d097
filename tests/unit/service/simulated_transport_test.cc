// Checks the outcomes of a simulated transport, and what it reports while a call waits.
#include "service/simulation/simulated_transport.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Serves a request when its call is driven.
class ServingCall final : public Call {
 public:
  explicit ServingCall(int& served) : served_(served) {}
  bool Done() const override { return done_; }
  Outcome Take() override { return Response{.status = 200, .headers = {}, .body = "0123456789"}; }
  bool MayHaveReached() const override { return false; }
  Status Work(const Cancel& cancel, steady_clock::time_point) override {
    AZTABLES_RETURN_IF_ERROR(cancel.Check());
    if (!std::exchange(done_, true)) ++served_;
    return {};
  }

 private:
  int& served_;
  bool done_ = false;
};

class ServingTransport final : public Transport {
 public:
  explicit ServingTransport(int& served) : served_(served) {}
  std::unique_ptr<Call> Start(Request&) override { return std::make_unique<ServingCall>(served_); }

 private:
  int& served_;
};

class SimulatedTransportTest : public testing::Test {
 protected:
  void Start(const std::string& text) {
    auto plan = ParsePlan(text);
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    transport_ = MakeSimulatedTransport(std::make_unique<ServingTransport>(served_),
                                        std::make_unique<Simulation>(*plan, nullptr, nullptr));
  }

  // Waits for the call like a pipeline.
  Outcome Wait(Call& call) {
    while (!call.Done()) {
      EXPECT_TRUE(call.Work(Cancel(), steady_clock::now() + Cancel::kSlice).ok());
    }
    return call.Take();
  }
  Outcome Send() { return Wait(*transport_->Start(request_)); }

  int served_ = 0;
  Request request_{.method = "GET", .origin = "http://store", .path = "/Tab()"};
  std::unique_ptr<Transport> transport_;
};

TEST_F(SimulatedTransportTest, OutcomesAreThoseOfTheNetwork) {
  request_.timeout = milliseconds(80);
  const struct {
    const char* fault;
    const char* message;
    Contact contact;
    bool may_have_reached;
    int served;
  } kFaults[] = {
      {"refuse:0", "cannot reach http://store: Connection refused", Contact::kNone, false, 0},
      {"reset-before",
       "the connection to http://store broke: Recv failure: Connection reset by peer",
       Contact::kNoHttp, true, 0},
      {"reset-after",
       "the connection to http://store broke: Recv failure: Connection reset by peer",
       Contact::kNoHttp, true, 1},
      {"truncate:4",
       "the connection to http://store broke: transfer closed with 6 bytes remaining to read",
       Contact::kSome, true, 1},
      {"stall-before",
       "http://store did not answer in time: Operation timed out after 80 milliseconds with 0 "
       "bytes "
       "received",
       Contact::kNoHttp, true, 0},
      {"stall-after", "http://store did not answer in time", Contact::kNoHttp, true, 1},
      {"stall-before:5000", "http://store did not answer in time", Contact::kNoHttp, true, 0},
      {"stall-after:5000", "http://store did not answer in time", Contact::kNoHttp, true, 1},
  };
  for (const auto& each : kFaults) {
    Start(std::string(each.fault) + "@1");
    served_ = 0;
    const Outcome outcome = Send();
    ASSERT_FALSE(outcome.ok()) << each.fault;
    const Status status = outcome.status();
    EXPECT_EQ(status.code(), Code::kBusy) << each.fault;
    EXPECT_EQ(status.message().substr(0, std::string(each.message).size()), each.message);
    EXPECT_EQ(status.failure().contact, each.contact) << each.fault;
    EXPECT_EQ(status.failure().may_have_reached, each.may_have_reached) << each.fault;
    EXPECT_EQ(status.failure().http_status, 0) << each.fault;
    EXPECT_EQ(served_, each.served) << each.fault;
    const Outcome next = Send();
    EXPECT_TRUE(next.ok() && next->status == 200) << each.fault;
  }
}

TEST_F(SimulatedTransportTest, RefusedRequestsAreNotCounted) {
  Start("refuse:60@1, 503@2");
  EXPECT_FALSE(Send().ok());
  EXPECT_EQ(Send().status().failure().contact, Contact::kNone);
  const auto begin = steady_clock::now();
  Outcome outcome = Send();
  while (!outcome.ok() && steady_clock::now() - begin < std::chrono::seconds(5)) outcome = Send();
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->status, 503);
  EXPECT_EQ(Send()->status, 200);
}

TEST_F(SimulatedTransportTest, MayHaveReachedIsTrueFromTheWorkOn) {
  Start("latency=5000, stall-before@2, stall-before:1@3");
  const auto latent = transport_->Start(request_);
  EXPECT_FALSE(latent->MayHaveReached());
  EXPECT_TRUE(latent->Work(Cancel(), {}).ok());
  EXPECT_EQ(served_, 1);
  EXPECT_TRUE(latent->MayHaveReached());
  EXPECT_FALSE(latent->Done());
  // A client does not know that a request that stalls is not carried out.
  const auto stalled = transport_->Start(request_);
  EXPECT_TRUE(stalled->MayHaveReached());
  EXPECT_FALSE(stalled->Done());
}

TEST_F(SimulatedTransportTest, AWaitObeysCancel) {
  Start("stall-before@*1");
  const auto call = transport_->Start(request_);
  const auto begin = steady_clock::now();
  const Cancel cancel([]() -> Status { return {Code::kInterrupt, "interrupted"}; });
  Status status;
  for (int i = 0; i < 3 && status.ok(); ++i) {
    status = call->Work(cancel, steady_clock::now() + milliseconds(20));
  }
  EXPECT_EQ(status.code(), Code::kInterrupt);
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST_F(SimulatedTransportTest, CallsWaitTogether) {
  Start("latency=100, stall-before@4");
  std::vector<std::unique_ptr<Call>> calls;
  calls.reserve(4);
  const auto begin = steady_clock::now();
  for (int i = 0; i < 4; ++i) calls.push_back(transport_->Start(request_));
  // The fourth stalls. The first three are done before it.
  while (!calls[0]->Done() || !calls[1]->Done() || !calls[2]->Done()) {
    EXPECT_TRUE(calls[3]->Work(Cancel(), steady_clock::now() + Cancel::kSlice).ok());
  }
  const auto took = steady_clock::now() - begin;
  EXPECT_GE(took, milliseconds(100));
  EXPECT_LT(took, milliseconds(300));
  EXPECT_FALSE(calls[3]->Done());
  EXPECT_EQ(served_, 3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(calls[static_cast<size_t>(i)]->Take().ok());
}

}  // namespace
}  // namespace aztables
