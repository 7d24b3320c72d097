// Transport: sends one request to a server and receives its response, once. Retries, signatures and
// the log belong to the pipeline.
//
// Thread rule: the thread of the database connection. It does all the work, when it calls a method.
#pragma once

#include <chrono>
#include <memory>
#include <thread>

#include "base/cancel.h"
#include "base/status.h"
#include "http/message.h"

namespace aztables {

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
  // Does the work of all calls of the transport until one of them has progress, at most until
  // `until`. If no call has work, it sleeps. An error (that of `cancel`) ends the wait, not the
  // call.
  virtual Status Work(const Cancel& cancel, std::chrono::steady_clock::time_point until) {
    static_cast<void>(cancel);
    std::this_thread::sleep_until(until);
    return {};
  }
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Begins to send `request`, which must outlive the call.
  virtual std::unique_ptr<Call> Start(Request& request) = 0;
};

}  // namespace aztables
