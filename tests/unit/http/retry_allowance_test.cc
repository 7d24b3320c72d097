// Checks how many retries a connection may make in a minute.
#include "http/retry_allowance.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

using std::chrono::seconds;

class RetryAllowanceTest : public testing::Test {
 protected:
  void Attempts(int count) {
    for (int i = 0; i < count; ++i) allowance_.Attempt(now_);
  }
  int Take(int most) {
    int taken = 0;
    while (taken < most && allowance_.TakeRetry(now_)) ++taken;
    return taken;
  }

  RetryAllowance allowance_;
  RetryAllowance::TimePoint now_{seconds(1'000'000)};
};

TEST_F(RetryAllowanceTest, TenAreAlwaysAllowed) {
  EXPECT_EQ(Take(100), RetryAllowance::kFloor);
  Attempts(4);
  EXPECT_EQ(Take(100), 0);
}

TEST_F(RetryAllowanceTest, AFifthOfTheAttempts) {
  Attempts(500);
  EXPECT_EQ(Take(1000), 110);
  Attempts(100);
  EXPECT_EQ(Take(1000), 20);
}

TEST_F(RetryAllowanceTest, OfTheLastMinute) {
  Attempts(500);
  EXPECT_EQ(Take(1000), 110);
  now_ += seconds(59);
  EXPECT_EQ(Take(1000), 0);
  now_ += seconds(1);
  EXPECT_EQ(Take(1000), RetryAllowance::kFloor) << "the attempts are forgotten, too";
  now_ += seconds(3600);
  EXPECT_EQ(Take(1000), RetryAllowance::kFloor);
}

TEST_F(RetryAllowanceTest, AtEachSecond) {
  // Ten attempts a second, of which two are retries, can go on.
  for (int second = 0; second < 300; ++second) {
    Attempts(10);
    if (second >= 10) {
      EXPECT_EQ(Take(2), 2) << second;
    }
    now_ += seconds(1);
  }
}

}  // namespace
}  // namespace aztables
