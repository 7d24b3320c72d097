// Requests that arrive too slowly: see arrivals.h.
#include "server/arrivals.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <string_view>

#include "platform/net.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using State = Arrivals::Connection::State;

constexpr std::string_view kTooLate =
    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

// The number of bytes that the socket has received.
uint64_t Received(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return info.tcpi_bytes_received;
}

// The thread's sleep, by which a request may exceed its time.
milliseconds Interval(milliseconds most) {
  return std::clamp(most / 10, milliseconds(10), milliseconds(1000));
}

}  // namespace

Arrivals::Arrivals(milliseconds most) : most_(most), thread_([this] { Run(); }) {}

Arrivals::~Arrivals() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Arrivals::Connection* Arrivals::Add(int socket) {
  const std::lock_guard lock(mutex_);
  Connection& connection = connections_.emplace_front();
  connection.socket = socket;
  connection.place = connections_.begin();
  return &connection;
}

void Arrivals::Remove(Connection* connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(connection->place);
}

void Arrivals::Begin(Connection* connection) {
  const std::lock_guard lock(mutex_);
  if (connection->state != State::kWaiting) return;  // some of its bytes have arrived
  connection->state = State::kArriving;
  connection->since = steady_clock::now();
}

bool Arrivals::Complete(Connection* connection) {
  const std::lock_guard lock(mutex_);
  if (connection->state == State::kLate) return false;
  connection->state = State::kComplete;
  return true;
}

void Arrivals::Completed(Connection* connection) {
  const std::lock_guard lock(mutex_);
  if (connection->state == State::kLate) return;
  connection->state = State::kWaiting;
  connection->received = Received(connection->socket);
}

void Arrivals::Run() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, Interval(most_), [this] { return stopping_; })) {
    const auto now = steady_clock::now();
    for (Connection& connection : connections_) Look(connection, now);
  }
}

void Arrivals::Look(Connection& connection, steady_clock::time_point now) const {
  if (connection.state == State::kWaiting) {
    if (Received(connection.socket) == connection.received) return;
    connection.state = State::kArriving;
    connection.since = now;
  } else if (connection.state == State::kArriving && now - connection.since >= most_) {
    connection.state = State::kLate;
    send(connection.socket, kTooLate.data(), kTooLate.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ShutDown(connection.socket);  // wakes the thread of the connection
  }
}

}  // namespace aztables
