// ForkCount: see fork_count.h.
#include "base/fork_count.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>

namespace aztables {
namespace {

constinit std::atomic<uint64_t> forks{0};

void OnChild() { forks.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

uint64_t ForkCount() {
  static const bool counts = pthread_atfork(nullptr, nullptr, OnChild) == 0;
  // Without memory for the handler, the process id serves as well.
  return counts ? forks.load(std::memory_order_relaxed) : static_cast<uint64_t>(getpid());
}

}  // namespace aztables
