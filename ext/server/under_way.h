// UnderWay: counts the requests that arrive or run, so that a server that stops can wait for them.
//
// Thread rule: any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace aztables {

class UnderWay {
 public:
  void BeginArriving() { Change(+1, 0); }
  void BeginResponse() { Change(-1, +1); }  // the request is complete
  void End(bool was_responding) { was_responding ? Change(0, -1) : Change(-1, 0); }

  void Stop() { stopping_ = true; }
  bool stopping() const { return stopping_; }

  // Waits until nothing is under way. A client may never complete its request, so arriving requests
  // get less time than running ones.
  void WaitForEnd(std::chrono::milliseconds most_arriving, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most_arriving, [this] { return arriving_ == 0 && responding_ == 0; });
    changed_.wait_for(lock, most - most_arriving, [this] { return responding_ == 0; });
  }

 private:
  void Change(int arriving, int responding) {
    {
      const std::lock_guard lock(mutex_);
      arriving_ += arriving;
      responding_ += responding;
    }
    changed_.notify_all();
  }

  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arriving_ = 0;
  int responding_ = 0;
};

}  // namespace aztables
