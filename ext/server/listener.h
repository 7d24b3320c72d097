// Listener: the socket on which the server accepts connections, and its address.
//
// Thread rule: a value of the thread that owns it.
#pragma once

#include <sys/socket.h>

#include <memory>
#include <string>

#include "base/status.h"

namespace aztables {

class Listener {
 public:
  // Listens on `host`, a name or an address (an IPv6 one with or without brackets). IPv4 is
  // preferred if a name has both. Port 0: a free one. The error names host and port.
  static Result<std::unique_ptr<Listener>> Open(const std::string& host, int port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int socket() const { return socket_; }
  int port() const { return port_; }
  bool is_loopback() const { return is_loopback_; }
  // The bound address: "127.0.0.1:10002", "[::1]:10002".
  const std::string& address() const { return address_; }
  // The address for clients on this machine: loopback if address() is a wildcard.
  const std::string& local_address() const { return local_address_; }
  // Refuses connections from now on, until Accept().
  void Refuse() const;
  // After Refuse(): accepts connections at the same address.
  void Accept() const;

 private:
  explicit Listener(int socket) : socket_(socket) {}
  Status Describe();

  const int socket_;
  sockaddr_storage bound_{};
  socklen_t bound_size_ = sizeof bound_;
  int port_ = 0;
  bool is_loopback_ = false;
  std::string address_;
  std::string local_address_;
};

// The numeric address of `address` without its port; empty if its family is not IP.
std::string AddressText(const sockaddr* address);

}  // namespace aztables
