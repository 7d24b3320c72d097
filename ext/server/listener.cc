// Plain sockets for the listener: see listener.h.
#include "server/listener.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace aztables {
namespace {

std::string Joined(const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

// A socket that listens at `address`, or -1 with errno.
int ListenAt(const addrinfo& address) {
  const int descriptor = socket(
      address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol);
  if (descriptor < 0) return -1;
  const int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 &&
      listen(descriptor, SOMAXCONN) == 0) {
    return descriptor;
  }
  const int code = errno;
  close(descriptor);
  errno = code;
  return -1;
}

// The first socket of `family` that can listen; `code` gets the first error.
int ListenAtAny(const addrinfo* found, int family, int& code) {
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    if (at->ai_family != family) continue;
    const int descriptor = ListenAt(*at);
    if (descriptor >= 0) return descriptor;
    if (code == 0) code = errno;
  }
  return -1;
}

Status ListenError(const std::string& where, int code) {
  if (code == EADDRINUSE) return Status::Error(where + " is in use by another program");
  return Status::Error("cannot listen on " + where + ": " + std::system_category().message(code));
}

}  // namespace

std::string AddressText(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, address, sizeof in);
    inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
  } else if (address->sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, address, sizeof in);
    inet_ntop(AF_INET6, &in.sin6_addr, text, sizeof text);
  }
  // An IPv4 client of a socket for both families.
  const std::string whole = text;
  return whole.starts_with("::ffff:") ? whole.substr(7) : whole;
}

Result<std::unique_ptr<Listener>> Listener::Open(const std::string& host, int port) {
  std::string name = host;
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    name = name.substr(1, name.size() - 2);
  }
  const std::string where = Joined(name, port);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure = getaddrinfo(name.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) {
    return Status::Error("cannot listen on " + where + ": " + gai_strerror(failure));
  }
  int code = 0;
  int descriptor = ListenAtAny(found, AF_INET, code);
  if (descriptor < 0) descriptor = ListenAtAny(found, AF_INET6, code);
  freeaddrinfo(found);
  if (descriptor < 0) return ListenError(where, code);
  std::unique_ptr<Listener> listener(new Listener(descriptor));
  AZTABLES_RETURN_IF_ERROR(listener->Describe());
  return listener;
}

Status Listener::Describe() {
  if (getsockname(socket_, reinterpret_cast<sockaddr*>(&bound_), &bound_size_) != 0) {
    return ListenError("a new socket", errno);
  }
  // Both families have the port at the same offset.
  sockaddr_in in{};
  std::memcpy(&in, &bound_, sizeof in);
  port_ = ntohs(in.sin_port);
  const std::string text = AddressText(reinterpret_cast<const sockaddr*>(&bound_));
  address_ = Joined(text, port_);
  is_loopback_ = text.starts_with("127.") || text == "::1";
  local_address_ = text == "0.0.0.0" ? Joined("127.0.0.1", port_)
                   : text == "::"    ? Joined("::1", port_)
                                     : address_;
  return {};
}

Listener::~Listener() { close(socket_); }

void Listener::Refuse() const { shutdown(socket_, SHUT_RDWR); }

void Listener::Accept() const {
  // The socket has lost a port that the system chose. A port that was given is still bound, which
  // bind() reports.
  static_cast<void>(bind(socket_, reinterpret_cast<const sockaddr*>(&bound_), bound_size_));
  listen(socket_, SOMAXCONN);
}

}  // namespace aztables
