// ExitGate: see exit_gate.h.
#include "base/exit_gate.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "platform/process.h"

namespace aztables {
namespace {

// Neither has a destructor: threads read them until the process ends.
constinit std::atomic<int> users{0};
constinit std::atomic<bool> closed{false};
// The part of `users` that this thread holds. A signal handler may interrupt the thread and call
// exit().
constinit thread_local int own_uses = 0;

// fork() copies only the calling thread. In the child the uses of all other threads would never
// end.
[[maybe_unused]] const bool kForgetsOthersInChild = CallInChild([] { users = own_uses; });

bool Enter() {
  ++users;
  if (closed) {
    --users;
    return false;
  }
  ++own_uses;
  return true;
}

}  // namespace

ExitGate::Use::Use() : allowed_(Enter()) {}

ExitGate::Use::~Use() {
  if (!allowed_) return;
  --own_uses;
  --users;
}

int ExitGate::UsersOfOthers() { return users - own_uses; }

ExitGate::CloseAtExit::~CloseAtExit() {
  closed = true;
  // A use takes milliseconds. A use that never ends belongs to a thread that fork() did not copy.
  constexpr int kMostMs = 2000;
  for (int ms = 0; ms < kMostMs && UsersOfOthers() > 0; ++ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace aztables
