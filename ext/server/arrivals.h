// Arrivals: limits the time in which a request must arrive completely. A late request gets a 408
// response, and its connection ends.
//
// libmicrohttpd does not report the first byte of a request. So a thread asks the kernel how many
// bytes each waiting connection has received.
//
// Thread rule: any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>

namespace aztables {

class Arrivals {
 public:
  // A connection; the pointer is valid from Add() to Remove().
  struct Connection {
    enum class State : uint8_t { kWaiting, kArriving, kComplete, kLate };
    State state = State::kWaiting;
    int socket = -1;
    uint64_t received = 0;                        // in kWaiting: bytes of earlier requests
    std::chrono::steady_clock::time_point since;  // in kArriving: when the request began
    std::list<Connection>::iterator place;
  };

  explicit Arrivals(std::chrono::milliseconds most);
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // Throws if memory is exhausted.
  Connection* Add(int socket);
  // Call this before `socket` is closed.
  void Remove(Connection* connection);

  // The first line of a request has arrived.
  void Begin(Connection* connection);
  // The request is complete, or the rest is not wanted. False: it is late.
  bool Complete(Connection* connection);
  // The response was sent; the connection waits for the next request.
  void Completed(Connection* connection);

 private:
  void Run();
  void Look(Connection& connection, std::chrono::steady_clock::time_point now) const;

  const std::chrono::milliseconds most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;              // guarded by mutex_
  std::list<Connection> connections_;  // guarded by mutex_
  std::thread thread_;                 // last: it uses the others
};

}  // namespace aztables
