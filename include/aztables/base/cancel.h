// Cancel: what can end a wait before its event comes. Every wait of the project takes one.
//
// Thread rule: used on the thread that waits, which is the thread of the SQLite statement.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "aztables/base/status.h"

namespace aztables {

class Cancel {
 public:
  // Waits are cut into slices of this length; between two of them Check() is asked.
  static constexpr std::chrono::milliseconds kSlice{50};

  // Never cancels.
  Cancel() = default;
  // `interrupted` returns true once the statement is to end.
  explicit Cancel(std::function<bool()> interrupted) : interrupted_(std::move(interrupted)) {}

  // OK, or kInterrupt when the wait must end now.
  Status Check() const {
    if (interrupted_ && interrupted_()) return {Code::kInterrupt, "interrupted"};
    return {};
  }

 private:
  std::function<bool()> interrupted_;
};

}  // namespace aztables
