// CurlDriver: drives libcurl for the requests of a database connection. The module has no thread:
// the thread of the statement drives while it waits for a response. While SQLite or the host
// computes, the system's buffers take what arrives.
//
// libcurl would count the time in which nobody drives. So it gets no time limit but the one for
// connecting, which it divides among the addresses of a host. A connection attempt that was left
// alone for longer is repeated at once.
//
// Thread rule: the thread of the database connection. In a child after fork() only foreign() may be
// called, and the object must not be destroyed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "http/curl_sockets.h"
#include "http/curl_transfer.h"

namespace aztables {

class CurlDriver {
 public:
  // An error: libcurl cannot be used, or the process is exiting.
  static Result<std::shared_ptr<CurlDriver>> Make();
  ~CurlDriver();
  CurlDriver(const CurlDriver&) = delete;
  CurlDriver& operator=(const CurlDriver&) = delete;

  // Begins the transfer. It stays where it is until its outcome is known or it is removed.
  void Add(CurlTransfer& transfer);
  // Gives the transfer up if it has no outcome yet.
  void Remove(std::unique_ptr<CurlTransfer> transfer) noexcept;
  // Drives until a transfer has a head or an outcome, at most until `until`.
  void Work(std::chrono::steady_clock::time_point until);
  // Ends all connections. Transfers without an outcome fail.
  void Close();
  // Whether this is a child after fork(): the sockets belong to the parent.
  bool foreign() const;

 private:
  using SteadyClock = std::chrono::steady_clock;

  CurlDriver();
  bool Turn();
  void TakeEnded();
  void EndLate();
  void FailAll();
  void CountDriven();
  SteadyClock::time_point NextDeadline() const;
  void End(CurlTransfer& transfer, CURLcode code);

  const uint64_t forks_;       // ForkCount() of the process that made the object
  const Status closed_;        // nothing was sent
  const Status closed_later_;  // the request may have reached the server
  const Status no_memory_;
  CurlSockets sockets_;  // outlives multi_
  CURLM* multi_;         // null: closed
  std::vector<CurlTransfer*> running_;
  bool progress_ = false;           // a transfer has a head or an outcome
  bool had_sas_ = false;            // a transfer has, since the stack was wiped
  SteadyClock::duration driven_{};  // the time in Work(), of all calls
  SteadyClock::time_point counted_ = SteadyClock::now();  // driven_ counts until here
  SteadyClock::time_point left_ = counted_;               // the end of the last Work()
};

}  // namespace aztables
