// Checks that exit() waits for uses of other threads, but not for those that fork() did not copy.
#include "base/exit_gate.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace aztables {
namespace {

// Runs `body` in a child, since the gate closes for the whole process. Returns its result.
template <typename Body>
bool InChild(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 1;
  return waitpid(child, &status, 0) == child && status == 0;
}

void Close() { const ExitGate::CloseAtExit closes; }

TEST(ExitGateTest, NoUseIsAllowedOnceItIsClosed) {
  EXPECT_TRUE(InChild([] {
    if (!ExitGate::Use().allowed()) return false;
    Close();
    return !ExitGate::Use().allowed();
  }));
}

TEST(ExitGateTest, WaitsForTheUseOfAnotherThread) {
  EXPECT_TRUE(InChild([] {
    std::atomic<bool> inside{false};
    std::atomic<bool> left{false};
    std::thread other([&] {
      const ExitGate::Use use;
      inside = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      left = true;
    });
    while (!inside) std::this_thread::yield();
    Close();
    const bool waited = left;
    other.join();
    return waited;
  }));
}

// The thread ends its use only after the child has closed its gate.
TEST(ExitGateTest, AChildWaitsForNoThreadOfItsParent) {
  std::atomic<bool> inside{false};
  std::atomic<bool> leave{false};
  std::thread other([&] {
    const ExitGate::Use use;
    inside = true;
    while (!leave) std::this_thread::yield();
  });
  while (!inside) std::this_thread::yield();
  EXPECT_TRUE(InChild([] { return ExitGate::UsersOfOthers() == 0; }));
  leave = true;
  other.join();
}

}  // namespace
}  // namespace aztables
