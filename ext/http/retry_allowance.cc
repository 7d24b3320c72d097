// RetryAllowance: see retry_allowance.h.
#include "http/retry_allowance.h"

namespace aztables {
namespace {

int64_t SecondOf(RetryAllowance::TimePoint time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

RetryAllowance::Second& RetryAllowance::At(TimePoint now) {
  const int64_t number = SecondOf(now);
  Second& second = seconds_[static_cast<size_t>(number % kSeconds)];
  if (second.second != number) second = {.second = number};
  return second;
}

bool RetryAllowance::TakeRetry(TimePoint now) {
  Second& current = At(now);
  int64_t attempts = 0;
  int64_t retries = 0;
  for (const Second& second : seconds_) {
    if (second.second <= current.second - kSeconds) continue;
    attempts += second.attempts;
    retries += second.retries;
  }
  if (retries >= kFloor + attempts / kShare) return false;
  ++current.retries;
  return true;
}

}  // namespace aztables
