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

}  // namespace aztables
