// Arrivals: since when each connection has been sending a request. A request that is not complete
// in time is answered with 408, and its connection ends, whatever trickles in.
//
// libmicrohttpd does not tell when the first byte of a request arrives, so that a thread asks the
// kernel how many bytes each connection that waits for a request has received.
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
    uint64_t received = 0;                        // in kWaiting: bytes of the requests before
    std::chrono::steady_clock::time_point since;  // in kArriving: when the request began
    std::list<Connection>::iterator place;
  };

  explicit Arrivals(std::chrono::milliseconds most);
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // Throws where there is no memory.
  Connection* Add(int socket);
  // Before `socket` is closed.
  void Remove(Connection* connection);

  // The first line of a request is there.
  void Begin(Connection* connection);
  // The request is complete, or no more of it is wanted; false: it came too late.
  bool Complete(Connection* connection);
  // It has its response; the connection waits for the next one.
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
