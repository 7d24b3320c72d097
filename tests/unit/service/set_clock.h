// SetClock: a clock that a test sets.
//
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace aztables {

class SetClock final : public Clock {
 public:
  int64_t NowMs() const override { return now_ms; }
  std::atomic<int64_t> now_ms = 1'700'000'000'000;
};

}  // namespace aztables
