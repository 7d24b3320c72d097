// The process on POSIX: see process.h.
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string_view>

#include "platform/process.h"

namespace aztables {
namespace {

constinit std::atomic<uint64_t> forks{0};

void OnChild() { forks.fetch_add(1, std::memory_order_relaxed); }

sigset_t Stopping() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

uint64_t ForkCount() {
  static const bool counts = CallInChild(OnChild);
  // Without memory for the handler, the process id serves as well.
  return counts ? forks.load(std::memory_order_relaxed) : static_cast<uint64_t>(getpid());
}

bool CallInChild(void (*function)()) { return pthread_atfork(nullptr, nullptr, function) == 0; }

std::vector<std::string> VariablesWithValue() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    const size_t size = variable.find('=');
    const bool has_value = size != variable.npos && size + 1 < variable.size();
    if (has_value) names.emplace_back(variable.substr(0, size));
  }
  return names;
}

StopSignals::StopSignals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  const sigset_t signals = Stopping();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void StopSignals::Wait() {
  const sigset_t signals = Stopping();
  int number = 0;
  while (sigwait(&signals, &number) != 0) {
  }
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void RaiseFileLimit(uint64_t count) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, std::max<rlim_t>(limit.rlim_cur, count));
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace aztables
