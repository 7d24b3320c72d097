// RetryAllowance: how many retries a connection may make. If the service fails for long, many
// requests with some retries each would be a storm that makes the failure last.
//
// Thread rule: one thread at a time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace aztables {

class RetryAllowance {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Of the attempts of the last minute, one in kShare may be a retry, and kFloor more. Without
  // these, a few failures by chance would exhaust a connection that makes few requests.
  static constexpr int64_t kShare = 5;
  static constexpr int64_t kFloor = 10;

  // Notes an attempt.
  void Attempt(TimePoint now) { ++At(now).attempts; }
  // Whether a retry is allowed now. If so, it counts.
  bool TakeRetry(TimePoint now);

 private:
  static constexpr int64_t kSeconds = 60;
  struct Second {
    int64_t second = -kSeconds;  // of the steady clock
    int64_t attempts = 0;
    int64_t retries = 0;
  };
  Second& At(TimePoint now);

  std::array<Second, kSeconds> seconds_;
};

}  // namespace aztables
