// CurlIo: the thread on which libcurl runs, and the jobs that it is given. What is asked and what
// is made of the outcome is curl_transport.cc's.
//
// Thread rule: the methods of CurlIo may be called on any thread of the process that made the
// object. In a child after fork() only foreign() may be, and the object must not be destroyed.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/secret.h"
#include "http/transport.h"

namespace aztables {

// One attempt. Until it is queued it belongs to the statement's thread, then to the I/O thread
// until `done` is set, then to the statement's thread again; `abandoned` may be set at any time.
struct CurlJob {
  std::string method;
  std::string url;
  std::string place;  // the origin, for messages
  std::vector<std::string> headers;
  std::string body;
  std::string signature;  // of its credential: must not be seen
  std::string ca_file;    // as in Request
  std::chrono::milliseconds timeout{};
  std::shared_ptr<Signal> signal;

  std::optional<Outcome> outcome;
  std::chrono::steady_clock::time_point ended = std::chrono::steady_clock::now();
  std::atomic<bool> done{false};
  std::atomic<bool> abandoned{false};

  ~CurlJob() {
    WipeString(url);  // it may hold a SAS
    WipeString(signature);
  }
};

class CurlIo {
 public:
  virtual ~CurlIo() = default;
  // The job is done some time after, whatever happens.
  virtual void Queue(std::shared_ptr<CurlJob> job) = 0;
  // Makes the thread look at the jobs' `abandoned`.
  virtual void Wake() = 0;
  // Ends the thread; jobs that are not done fail.
  virtual void Stop() = 0;
  // Whether this is a child after fork(): the thread is not here, and the sockets are not ours.
  virtual bool foreign() const = 0;
};

// Starts the thread. It ends when the object goes or the process exits, whichever comes first.
Result<std::shared_ptr<CurlIo>> StartCurlIo();

}  // namespace aztables
