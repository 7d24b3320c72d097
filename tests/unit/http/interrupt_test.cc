// Checks waits: an interrupt ends any wait within about two slices.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "unit/http/fake_transport.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;
using testing_support::FakeTransport;
using testing_support::MakeQuickPipeline;
using testing_support::MakeRead;
using testing_support::TickingClock;

// The promise is 100 ms; the rest is for a loaded machine.
constexpr milliseconds kPatience(400);

class InterruptTest : public testing::Test {
 protected:
  // Waits for `exchange` and interrupts after 60 ms. Returns the time from the interrupt on.
  SteadyClock::duration InterruptWait(Exchange& exchange) {
    std::atomic<bool> interrupted{false};
    SteadyClock::time_point at{};
    std::thread other([&] {
      std::this_thread::sleep_for(milliseconds(60));
      at = SteadyClock::now();
      interrupted = true;
    });
    const std::array<Exchange*, 1> exchanges = {&exchange};
    const Status status = pipeline_->WaitAny(exchanges, Cancel([&] { return interrupted.load(); }));
    const SteadyClock::time_point end = SteadyClock::now();
    other.join();
    EXPECT_EQ(status.code(), Code::kInterrupt) << status.message();
    return end - at;
  }

  FakeTransport transport_;
  TickingClock clock_;
  RequestLog log_;
  std::unique_ptr<Pipeline> pipeline_ = MakeQuickPipeline(&transport_, nullptr, &log_, &clock_);
};

TEST_F(InterruptTest, WhileAnAttemptIsUnderWay) {
  const auto exchange = pipeline_->Start(MakeRead());
  EXPECT_LT(InterruptWait(*exchange), kPatience);
  EXPECT_FALSE(exchange->done());
  EXPECT_EQ(transport_.live, 1) << "the exchange is as it was";
}

TEST_F(InterruptTest, WhileARetryIsWaitedFor) {
  Headers later;
  later.Add("Retry-After", "30");
  transport_.Reply(503, "", later);
  const auto exchange = pipeline_->Start(MakeRead());
  EXPECT_LT(InterruptWait(*exchange), kPatience);
  EXPECT_FALSE(exchange->done());
  EXPECT_EQ(exchange->attempts(), 1);
  EXPECT_EQ(transport_.live, 0);
}

TEST_F(InterruptTest, SendReturnsItAndDropsTheAttempt) {
  const Outcome outcome = pipeline_->Send(MakeRead(), Cancel([] { return true; }));
  EXPECT_EQ(outcome.status().code(), Code::kInterrupt);
  EXPECT_EQ(transport_.live, 0);
  EXPECT_EQ(log_.At(log_.size() - 1).error, "abandoned before a response arrived");
}

TEST_F(InterruptTest, AnInterruptedExchangeCanStillEnd) {
  transport_.Hold(200);
  const auto exchange = pipeline_->Start(MakeRead());
  InterruptWait(*exchange);
  transport_.Release(0);
  const std::array<Exchange*, 1> exchanges = {exchange.get()};
  ASSERT_TRUE(pipeline_->WaitAny(exchanges, Cancel()).ok());
  EXPECT_EQ(exchange->Take()->status, 200);
}

TEST(CancelTest, Check) {
  EXPECT_TRUE(Cancel().Check().ok());
  EXPECT_TRUE(Cancel([] { return false; }).Check().ok());
  EXPECT_EQ(Cancel([] { return true; }).Check().code(), Code::kInterrupt);
}

}  // namespace
}  // namespace aztables
