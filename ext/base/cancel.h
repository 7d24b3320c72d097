// Cancel: what can end a wait before its event happens. Every wait of the project takes a Cancel.
//
// Thread rule: used on the thread that waits, which is the thread of the SQLite statement.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "base/status.h"

namespace aztables {

class Cancel {
 public:
  // A wait is divided into slices of this length. Check() is called after each slice.
  static constexpr std::chrono::milliseconds kSlice{50};

  // Never cancels.
  Cancel() = default;
  // `interrupted` returns true if the statement must end.
  explicit Cancel(std::function<bool()> interrupted)
      : check_([interrupted = std::move(interrupted)] {
          return interrupted() ? Status(Code::kInterrupt, "interrupted") : Status();
        }) {}
  // `check` returns an error if the wait must end.
  explicit Cancel(std::function<Status()> check) : check_(std::move(check)) {}

  // OK, or the reason to end the wait now: kInterrupt, or kBudget if the statement has used up its
  // time.
  Status Check() const { return check_ ? check_() : Status(); }

  // OK after `time`, or earlier the reason to end the wait.
  Status Wait(std::chrono::milliseconds time) const {
    using std::chrono::steady_clock;
    const auto end = steady_clock::now() + time;
    for (auto now = steady_clock::now(); now < end; now = steady_clock::now()) {
      if (Status status = Check(); !status.ok()) return status;
      std::this_thread::sleep_for(std::min<steady_clock::duration>(end - now, kSlice));
    }
    return Check();
  }

 private:
  std::function<Status()> check_;
};

}  // namespace aztables
