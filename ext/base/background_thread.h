// BackgroundThread: a thread that does not disturb its host. It blocks all signals, because they
// are the host's. It ends before exit() destroys the libraries that it uses. exit() itself does not
// stop threads, and OpenSSL crashes in a thread that runs after the clean-up. The thread knows
// that fork() does not copy it.
//
// Thread rule: End() and foreign() may be called on any thread, foreign() in a child as well.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "base/status.h"

namespace aztables {

class BackgroundThread {
 public:
  // `run` is what the thread does, `ask_to_end` makes it return soon.
  BackgroundThread(std::function<void()> run, std::function<void()> ask_to_end);
  ~BackgroundThread();
  BackgroundThread(const BackgroundThread&) = delete;
  BackgroundThread& operator=(const BackgroundThread&) = delete;

  // REQUIRES: the libraries that the thread uses are initialized. After an error there is no
  // thread.
  Status Start();
  // Returns when the thread has ended. May be called again.
  void End();
  // Whether this process is a child, after fork(), of the one that made the object.
  bool foreign() const;

 private:
  const uint64_t forks_;  // ForkCount() of the process that made the object
  const std::function<void()> run_;
  const std::function<void()> ask_to_end_;
  std::mutex mutex_;
  std::thread thread_;  // guarded by mutex_
};

}  // namespace aztables
