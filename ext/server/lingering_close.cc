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

// Reads the available bytes; false if the client has ended. `any`: whether it read some.
bool Drop(int socket, bool& any) {
  char bytes[16384];
  const ssize_t count = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
  any = count > 0;
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

}  // namespace

void LingerBeforeClose(int socket, const std::function<bool()>& go_on) {
  shutdown(socket, SHUT_WR);
  const auto end = steady_clock::now() + kMost;
  auto quiet_end = steady_clock::now() + kMostQuiet;
  pollfd wanted{.fd = socket, .events = POLLIN, .revents = 0};
  while (go_on() && steady_clock::now() < std::min(end, quiet_end)) {
    if (poll(&wanted, 1, kSliceMs) <= 0) continue;
    bool any = false;
    if (!Drop(socket, any)) return;
    if (any) quiet_end = steady_clock::now() + kMostQuiet;
  }
}

}  // namespace aztables
