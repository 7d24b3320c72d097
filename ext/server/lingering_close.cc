// Lingering: see lingering_close.h. The limits are those of nginx.
#include "server/lingering_close.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace aztables {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kMostQuiet{5};
constexpr std::chrono::seconds kMost{30};
constexpr int kSliceMs = 100;

}  // namespace

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

}  // namespace aztables
