// Transport: sends one request to a server and receives its response, once. Retries, signatures and
// the log belong to the pipeline.
//
// Thread rule: Start() and the methods of Call are called on the thread of the database connection.
// A transport may work on a thread of its own; then it raises the Signal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "base/cancel.h"
#include "base/status.h"
#include "http/message.h"

namespace aztables {

// Wakes the thread that waits for calls.
class Signal {
 public:
  void Raise();
  // Returns if the signal was raised since the last Wait(), or at `until`.
  void Wait(std::chrono::steady_clock::time_point until);

 private:
  std::mutex mutex_;
  std::condition_variable raised_;
  bool is_raised_ = false;
};

// The outcome of one attempt: a complete response, or an error of the transport (kBusy if it is
// transient). The error's detail holds whether the request may have reached the server.
using Outcome = Result<Response>;

// One attempt under way. Destroying it cancels the attempt.
class Call {
 public:
  virtual ~Call() = default;
  virtual bool Done() const = 0;
  // REQUIRES: Done(), and not taken before
  virtual Outcome Take() = 0;
  // When it was done, which may be long before the caller checks. REQUIRES: Done(), and not taken
  virtual std::chrono::steady_clock::time_point ended() const {
    return std::chrono::steady_clock::now();
  }
  // The status and headers of a response whose body is still arriving. Null: not known, or the
  // request does not want them. They live until the call is taken or destroyed.
  virtual const Response* Head() const { return nullptr; }
  // Whether a call that is not done may have been carried out nevertheless.
  virtual bool MayHaveReached() const { return true; }
  // The thread that waits for the call calls this before it sleeps. It does the work of a transport
  // without its own thread. An error (that of `cancel`) ends the wait, not the call.
  virtual Status Drive(const Cancel& cancel) { return static_cast<void>(cancel), Status(); }
  // The waiting thread calls this in place of sleeping. It does the work of the transport's own
  // thread until any call has progress, at most until `until`. False: that thread works itself, and
  // raises the signal.
  virtual bool Work(std::chrono::steady_clock::time_point until) {
    return static_cast<void>(until), false;
  }
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Begins to send `request`, which must outlive the call. It may take request.spare. `signal` is
  // raised when the head of the response is known, and when the call is done.
  virtual std::unique_ptr<Call> Start(Request& request, std::shared_ptr<Signal> signal) = 0;
};

}  // namespace aztables
