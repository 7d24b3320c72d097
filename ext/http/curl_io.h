// CurlIo: libcurl's work and its jobs. curl_transport.cc makes the jobs and handles their outcomes.
// One thread at a time drives libcurl: a thread that waits for a job, or else the I/O thread, which
// begins when nobody has driven for some milliseconds. So a single request and a read of page after
// page cost no switch between threads.
//
// Thread rule: the methods of CurlIo may be called on any thread of the process that made the
// object. In a child after fork() only foreign() may be called, and the object must not be
// destroyed.
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

// One attempt. Before Queue() it belongs to the statement's thread. Then it belongs to the I/O
// thread until `done` is set. After that it belongs to the statement's thread again. `abandoned`
// may be set at any time. `head` belongs to the statement's thread once `has_head` is set.
struct CurlJob {
  std::string method;
  std::string url;
  std::string place;  // the origin, for messages
  std::vector<std::string> headers;
  std::string body;
  std::string signature;  // of its credential: must not be shown
  bool has_sas = false;   // in its URL
  std::string ca_file;    // as in Request
  std::chrono::milliseconds timeout{};
  bool wants_head = false;
  bool waits = false;  // as in Request
  std::string spare;   // memory for the response's body
  std::shared_ptr<Signal> signal;

  std::optional<Outcome> outcome;
  std::chrono::steady_clock::time_point ended = std::chrono::steady_clock::now();
  Response head;  // without its body
  std::atomic<bool> has_head{false};
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
  // The job is always done at some later time. REQUIRES: if job->waits, Work() is called soon
  virtual void Queue(std::shared_ptr<CurlJob> job) = 0;
  // Drives libcurl on this thread until a job has progress, at most until `until`. False: another
  // thread drives it.
  virtual bool Work(std::chrono::steady_clock::time_point until) = 0;
  // Makes the thread check `abandoned` of the jobs.
  virtual void Wake() = 0;
  // Ends the thread. Jobs that are not done fail.
  virtual void Stop() = 0;
  // Whether this is a child after fork(): it has no I/O thread, and the sockets belong to the
  // parent.
  virtual bool foreign() const = 0;
};

// Starts the thread. It ends when the object is destroyed or the process exits.
Result<std::shared_ptr<CurlIo>> StartCurlIo();

}  // namespace aztables
