// ExitGate: see exit_gate.h.
#include "base/exit_gate.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace aztables {
namespace {

// Neither has a destructor: threads look at them until the process is gone.
constinit std::atomic<int> users{0};
constinit std::atomic<bool> closed{false};
// Of `users`, how many are this thread: a signal may interrupt it, and its handler call exit().
constinit thread_local int own_uses = 0;

// fork() copies the calling thread alone, and with it the uses of all others: they never end.
[[maybe_unused]] const int kForgetOthersInChild =
    pthread_atfork(nullptr, nullptr, [] { users = own_uses; });

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
  // A use takes milliseconds. One that never ends is of a thread that fork() did not copy.
  constexpr int kMostMs = 2000;
  for (int ms = 0; ms < kMostMs && UsersOfOthers() > 0; ++ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace aztables
