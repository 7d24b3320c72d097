// CurlSockets: see curl_sockets.h.
#include "http/curl_sockets.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "base/crypto.h"

namespace aztables {
namespace {

// A handle needs few steps at once. The rest follows after the next Sleep().
constexpr int kMostTimers = 8;
// At once from one socket. A page of 4 MiB has 256 records.
constexpr int kMostRecords = 1000;

int BitsOf(short events) {
  int bits = 0;
  if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) bits |= CURL_CSELECT_IN;
  if ((events & POLLOUT) != 0) bits |= CURL_CSELECT_OUT;
  if ((events & (POLLERR | POLLNVAL)) != 0) bits |= CURL_CSELECT_ERR;
  return bits;
}

// Whether TLS may hold records that the transfer has not read. poll() does not report them.
bool MayHoldRecords(CURL* easy) {
  curl_tlssessioninfo* tls = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &tls) != CURLE_OK || tls == nullptr) {
    return false;
  }
  return tls->backend == CURLSSLBACKEND_OPENSSL && tls->internals != nullptr &&
         MayHoldTlsRecords(tls->internals);
}

}  // namespace

CurlSockets::CurlSockets() : wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

CurlSockets::~CurlSockets() {
  if (ok()) close(wake_);
}

void CurlSockets::Attach(CURLM* multi) {
  multi_ = multi;
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, OnSocket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, OnTimer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
}

int CurlSockets::OnSocket(CURL* easy, curl_socket_t socket, int what, void* self, void*) {
  static_cast<CurlSockets*>(self)->Watch(easy, socket, what);
  return 0;
}

int CurlSockets::OnTimer(CURLM*, long ms, void* self) {
  auto& due = static_cast<CurlSockets*>(self)->due_;
  due.reset();
  if (ms >= 0) due = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  return 0;
}

CurlSockets::Watched* CurlSockets::Find(curl_socket_t socket) {
  const auto place = std::find_if(watched_.begin(), watched_.end(),
                                  [&](const Watched& one) { return one.socket == socket; });
  return place == watched_.end() ? nullptr : &*place;
}

void CurlSockets::Watch(CURL* easy, curl_socket_t socket, int what) {
  if (what == CURL_POLL_REMOVE) {
    std::erase_if(watched_, [&](const Watched& one) { return one.socket == socket; });
    return;
  }
  short events = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= POLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= POLLOUT;
  if (Watched* const known = Find(socket)) {
    *known = {socket, events, easy};
  } else {
    watched_.push_back({socket, events, easy});
  }
}

void CurlSockets::Sleep(std::chrono::steady_clock::time_point until) {
  using std::chrono::steady_clock;
  polled_.clear();
  for (const Watched& one : watched_) polled_.push_back({one.socket, one.events, 0});
  polled_.push_back({wake_, POLLIN, 0});
  if (due_) until = std::min(until, *due_);
  const auto left = std::max(until - steady_clock::now(), steady_clock::duration::zero());
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  if (poll(polled_.data(), polled_.size(), static_cast<int>(ms)) <= 0) polled_.clear();
  if (!polled_.empty() && polled_.back().revents != 0) {
    eventfd_t count = 0;
    eventfd_read(wake_, &count);
  }
}

void CurlSockets::Wake() const { eventfd_write(wake_, 1); }

void CurlSockets::Run() {
  int running = 0;
  for (const pollfd& one : polled_) {
    if (one.revents == 0 || one.fd == wake_) continue;
    curl_multi_socket_action(multi_, one.fd, BitsOf(one.revents), &running);
  }
  polled_.clear();
  for (int i = 0; i < kMostTimers && due_ && *due_ <= std::chrono::steady_clock::now(); ++i) {
    due_.reset();
    curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  // libcurl reads one record of a socket, in any of its steps.
  sockets_.clear();
  for (const Watched& one : watched_) sockets_.push_back(one.socket);
  for (const curl_socket_t socket : sockets_) ReadRecords(socket);
}

void CurlSockets::ReadRecords(curl_socket_t socket) {
  for (int i = 0; i < kMostRecords; ++i) {
    const Watched* const watched = Find(socket);
    if (watched == nullptr || !MayHoldRecords(watched->easy)) return;
    int running = 0;
    curl_multi_socket_action(multi_, socket, CURL_CSELECT_IN, &running);
  }
}

}  // namespace aztables
