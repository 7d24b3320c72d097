// Sockets and addresses of the network.
//
// Thread rule: free functions; any thread. A Listener belongs to the thread that made it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

struct sockaddr;

namespace aztables {

bool IsIpv4(std::string_view text);
bool IsIpv6(std::string_view text);
// An IPv4 address as a number. An IPv6 address that maps to one is accepted, too.
std::optional<uint32_t> ParseIpv4(std::string_view text);
// The numeric address of `address` without its port; empty if its family is not IP.
std::string AddressText(const sockaddr* address);

// A socket that programs started by the host do not inherit. -1: the system refuses it.
int OpenSocket(int family, int type, int protocol);
// A socket, what is waited for, and what has happened since the last wait.
struct WatchedSocket {
  int socket = -1;
  void* owner = nullptr;  // the caller's
  bool wants_read = false;
  bool wants_write = false;
  bool can_read = false;  // also: its peer has ended
  bool can_write = false;
  bool failed = false;
};
// Returns when one of the sockets is ready, or at `until`, or if a signal arrives.
void WaitForSockets(std::span<WatchedSocket> sockets, std::chrono::steady_clock::time_point until);
// Ends both directions: a thread that reads or writes the socket returns.
void ShutDown(int socket);
// Stops sending on `socket`. Then it reads and drops the client's bytes until the client ends or is
// quiet for some seconds. If a socket is closed with unread bytes, it resets the connection, and
// the client may lose the response. `go_on` is called several times a second.
void LingerBeforeClose(int socket, const std::function<bool()>& go_on);
// Sends RST at once.
void ResetConnection(int socket);
// Whether the peer has closed the connection, or will send nothing more.
bool IsClosedByPeer(int socket);

// The socket on which a server accepts connections, and its address.
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
  std::string bound_;  // the bytes of its sockaddr
  int port_ = 0;
  bool is_loopback_ = false;
  std::string address_;
  std::string local_address_;
};

}  // namespace aztables
