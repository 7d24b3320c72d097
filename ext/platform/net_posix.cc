// Sockets on POSIX: see net.h.
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>

#include "platform/net.h"

namespace aztables {
namespace {

// The limits of a lingering close are those of nginx.
using std::chrono::steady_clock;

constexpr std::chrono::seconds kMostQuiet{5};
constexpr std::chrono::seconds kMost{30};
constexpr int kSliceMs = 100;

std::string Joined(const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

// A socket that listens at `address`, or -1 with errno.
int ListenAt(const addrinfo& address) {
  const int descriptor =
      OpenSocket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK, address.ai_protocol);
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

bool IsAddress(int family, const std::string& text) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(family, text.c_str(), bytes) == 1;
}

}  // namespace

bool IsIpv4(std::string_view text) { return IsAddress(AF_INET, std::string(text)); }

bool IsIpv6(std::string_view text) { return IsAddress(AF_INET6, std::string(text)); }

std::optional<uint32_t> ParseIpv4(std::string_view text) {
  const std::string address(text);
  in_addr v4{};
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return ntohl(v4.s_addr);
  in6_addr v6{};
  if (inet_pton(AF_INET6, address.c_str(), &v6) != 1 || !IN6_IS_ADDR_V4MAPPED(&v6)) {
    return std::nullopt;
  }
  uint32_t number = 0;
  for (size_t i = 12; i < 16; ++i) number = number << 8 | v6.s6_addr[i];
  return number;
}

int OpenSocket(int family, int type, int protocol) {
  return socket(family, type | SOCK_CLOEXEC, protocol);
}

void WaitForSockets(std::span<WatchedSocket> sockets, std::chrono::steady_clock::time_point until) {
  using std::chrono::steady_clock;
  std::vector<pollfd> polled;
  polled.reserve(sockets.size());
  for (const WatchedSocket& one : sockets) {
    const int events = (one.wants_read ? POLLIN : 0) | (one.wants_write ? POLLOUT : 0);
    polled.push_back({one.socket, static_cast<short>(events), 0});
  }
  const auto left = std::max(until - steady_clock::now(), steady_clock::duration::zero());
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  const bool any = poll(polled.data(), polled.size(), static_cast<int>(ms)) > 0;
  for (size_t i = 0; i < sockets.size(); ++i) {
    const int events = any ? polled[i].revents : 0;
    sockets[i].can_read = (events & (POLLIN | POLLHUP | POLLERR)) != 0;
    sockets[i].can_write = (events & POLLOUT) != 0;
    sockets[i].failed = (events & (POLLERR | POLLNVAL)) != 0;
  }
}

void ShutDown(int socket) { shutdown(socket, SHUT_RDWR); }

void LingerBeforeClose(int socket, const std::function<bool()>& go_on) {
  shutdown(socket, SHUT_WR);
  const auto end = steady_clock::now() + kMost;
  auto quiet_end = steady_clock::now() + kMostQuiet;
  char bytes[16384];
  pollfd wanted{.fd = socket, .events = POLLIN, .revents = 0};
  while (go_on() && steady_clock::now() < std::min(end, quiet_end)) {
    if (poll(&wanted, 1, kSliceMs) <= 0) continue;
    const ssize_t count = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count > 0) {
      quiet_end = steady_clock::now() + kMostQuiet;
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      return;
    }
  }
}

void ResetConnection(int socket) {
  // A close() with SO_LINGER would reset, too, but libmicrohttpd sends FIN before it closes.
  const sockaddr nowhere{.sa_family = AF_UNSPEC, .sa_data = {}};
  static_cast<void>(connect(socket, &nowhere, sizeof nowhere));
}

bool IsClosedByPeer(int socket) {
  pollfd asked{.fd = socket, .events = POLLRDHUP, .revents = 0};
  return poll(&asked, 1, 0) > 0;
}

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
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  auto* const address = reinterpret_cast<sockaddr*>(&bound);
  if (getsockname(socket_, address, &size) != 0) return ListenError("a new socket", errno);
  bound_.assign(reinterpret_cast<const char*>(&bound), size);
  // Both families have the port at the same offset.
  sockaddr_in in{};
  std::memcpy(&in, &bound, sizeof in);
  port_ = ntohs(in.sin_port);
  const std::string text = AddressText(address);
  address_ = Joined(text, port_);
  is_loopback_ = text.starts_with("127.") || text == "::1";
  local_address_ = text == "0.0.0.0" ? Joined("127.0.0.1", port_)
                   : text == "::"    ? Joined("::1", port_)
                                     : address_;
  return {};
}

Listener::~Listener() { close(socket_); }

void Listener::Refuse() const { ShutDown(socket_); }

void Listener::Accept() const {
  // The socket has lost a port that the system chose. A port that was given is still bound, which
  // bind() reports.
  static_cast<void>(bind(socket_, reinterpret_cast<const sockaddr*>(bound_.data()),
                         static_cast<socklen_t>(bound_.size())));
  listen(socket_, SOMAXCONN);
}

}  // namespace aztables
