// BackgroundThread: see background_thread.h.
#include "background_thread.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <system_error>
#include <utility>
#include <vector>

namespace aztables {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<BackgroundThread*> threads;  // guarded by mutex
};

// What runs at this moment, in all database connections. Never destroyed: connections may be closed
// when the destructors of statics run.
Registry& TheRegistry() {
  static Registry& registry = *new Registry;
  return registry;
}

struct EndAllAtExit {
  ~EndAllAtExit() {
    Registry& registry = TheRegistry();
    const std::lock_guard lock(registry.mutex);
    for (BackgroundThread* thread : registry.threads) {
      if (!thread->foreign()) thread->End();
    }
  }
};

}  // namespace

BackgroundThread::BackgroundThread(std::function<void()> run, std::function<void()> ask_to_end)
    : owner_(getpid()), run_(std::move(run)), ask_to_end_(std::move(ask_to_end)) {}

BackgroundThread::~BackgroundThread() {
  {
    Registry& registry = TheRegistry();
    const std::lock_guard lock(registry.mutex);
    std::erase(registry.threads, this);
  }
  End();
}

Status BackgroundThread::Start() {
  // Made here, that is after the libraries: what is made last is destroyed first.
  static const EndAllAtExit end_all;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits this
  Status status;
  try {
    const std::lock_guard lock(mutex_);
    thread_ = std::thread(run_);
  } catch (const std::system_error&) {
    status = Status::Error("the system has no thread left for network I/O");
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!status.ok()) return status;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.threads.push_back(this);
  return {};
}

void BackgroundThread::End() {
  ask_to_end_();
  const std::lock_guard lock(mutex_);
  if (thread_.joinable()) thread_.join();
}

bool BackgroundThread::foreign() const { return getpid() != owner_; }

}  // namespace aztables
