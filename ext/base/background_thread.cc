// BackgroundThread: see background_thread.h.
#include "base/background_thread.h"

#include <pthread.h>
#include <signal.h>

#include <system_error>
#include <utility>
#include <vector>

#include "platform/process.h"

namespace aztables {
namespace {

struct Registry {
  std::mutex mutex;
  // Guarded by mutex:
  std::vector<BackgroundThread*> threads;
  bool exiting = false;  // the process is exiting: no thread may start
};

// The threads that run now, in all database connections. Never destroyed: connections may be closed
// while the destructors of statics run.
Registry& TheRegistry() {
  static Registry& registry = *new Registry;
  return registry;
}

struct EndAllAtExit {
  ~EndAllAtExit() {
    Registry& registry = TheRegistry();
    const std::lock_guard lock(registry.mutex);
    registry.exiting = true;
    for (BackgroundThread* thread : registry.threads) {
      if (!thread->foreign()) thread->End();
    }
  }
};

}  // namespace

BackgroundThread::BackgroundThread(std::function<void()> run, std::function<void()> ask_to_end)
    : forks_(ForkCount()), run_(std::move(run)), ask_to_end_(std::move(ask_to_end)) {}

BackgroundThread::~BackgroundThread() {
  {
    Registry& registry = TheRegistry();
    const std::lock_guard lock(registry.mutex);
    std::erase(registry.threads, this);
  }
  End();
}

Status BackgroundThread::Start() {
  // Constructed here, after the libraries: the last constructed static is destroyed first.
  static const EndAllAtExit end_all;
  Registry& registry = TheRegistry();
  // Locked until the thread is in the list: exit() does not end a thread that is not in it.
  const std::lock_guard lock(registry.mutex);
  if (registry.exiting) return Status::Error("the process is exiting");
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits this
  Status status;
  try {
    registry.threads.reserve(registry.threads.size() + 1);
    const std::lock_guard thread_lock(mutex_);
    thread_ = std::thread(run_);
    registry.threads.push_back(this);
  } catch (const std::system_error&) {
    status = Status::Error("the system has no thread left");
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

void BackgroundThread::End() {
  ask_to_end_();
  const std::lock_guard lock(mutex_);
  if (thread_.joinable()) thread_.join();
}

bool BackgroundThread::foreign() const { return ForkCount() != forks_; }

}  // namespace aztables
