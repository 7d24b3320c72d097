// Cancel: what can end a wait before its event comes. Every wait of the project takes one.
//
// Thread rule: used on the thread that waits, which is the thread of the SQLite statement.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "base/status.h"

namespace aztables {

class Cancel {
 public:
  // Waits are cut into slices of this length; between two of them Check() is asked.
  static constexpr std::chrono::milliseconds kSlice{50};

  // Never cancels.
  Cancel() = default;
  // `interrupted` returns true once the statement is to end.
  explicit Cancel(std::function<bool()> interrupted)
      : check_([interrupted = std::move(interrupted)] {
          return interrupted() ? Status(Code::kInterrupt, "interrupted") : Status();
        }) {}
  // `check` returns an error once the wait is to end.
  explicit Cancel(std::function<Status()> check) : check_(std::move(check)) {}

  // OK, or why the wait must end now: kInterrupt, or kBudget when the statement's time is used up.
  Status Check() const { return check_ ? check_() : Status(); }

 private:
  std::function<Status()> check_;
};

}  // namespace aztables
