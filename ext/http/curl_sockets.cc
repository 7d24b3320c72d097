// CurlSockets: see curl_sockets.h.
#include "http/curl_sockets.h"

#include <algorithm>

#include "base/crypto.h"

namespace aztables {
namespace {

// A handle needs few steps at once. The rest follows after the next Sleep().
constexpr int kMostTimers = 8;
// At once from one socket. A page of 4 MiB has 256 records.
constexpr int kMostRecords = 1000;
// A transfer has the sockets of a connection over IPv4 and over IPv6, and one of its name lookup.
constexpr size_t kMostSockets = 4;

int BitsOf(const WatchedSocket& one) {
  return (one.can_read ? CURL_CSELECT_IN : 0) | (one.can_write ? CURL_CSELECT_OUT : 0) |
         (one.failed ? CURL_CSELECT_ERR : 0);
}

// Whether TLS may hold records that the transfer has not read. The socket does not report them.
bool MayHoldRecords(CURL* easy) {
  curl_tlssessioninfo* tls = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &tls) != CURLE_OK || tls == nullptr) {
    return false;
  }
  return tls->backend == CURLSSLBACKEND_OPENSSL && tls->internals != nullptr &&
         MayHoldTlsRecords(tls->internals);
}

}  // namespace

void CurlSockets::Attach(CURLM* multi) {
  multi_ = multi;
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, OnSocket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, OnTimer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
}

int CurlSockets::OnSocket(CURL* easy, curl_socket_t socket, int what, void* self, void*) {
  return static_cast<CurlSockets*>(self)->Watch(easy, socket, what) ? 0 : -1;
}

int CurlSockets::OnTimer(CURLM*, long ms, void* self) {
  auto& due = static_cast<CurlSockets*>(self)->due_;
  due.reset();
  if (ms >= 0) due = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  return 0;
}

WatchedSocket* CurlSockets::Find(curl_socket_t socket) {
  const auto place = std::find_if(watched_.begin(), watched_.end(),
                                  [&](const WatchedSocket& one) { return one.socket == socket; });
  return place == watched_.end() ? nullptr : &*place;
}

bool CurlSockets::Watches(const CURL* easy) const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [&](const WatchedSocket& one) { return one.owner == easy; });
}

void CurlSockets::ReserveFor(size_t transfers) {
  watched_.reserve(transfers * kMostSockets);
  known_.reserve(transfers * kMostSockets);
}

// False: there is no room for another socket.
bool CurlSockets::Watch(CURL* easy, curl_socket_t socket, int what) {
  if (what == CURL_POLL_REMOVE) {
    std::erase_if(watched_, [&](const WatchedSocket& one) { return one.socket == socket; });
    return true;
  }
  WatchedSocket* known = Find(socket);
  if (known == nullptr) {
    if (watched_.size() == watched_.capacity()) return false;
    known = &watched_.emplace_back();
  }
  *known = {.socket = socket,
            .owner = easy,
            .wants_read = what == CURL_POLL_IN || what == CURL_POLL_INOUT,
            .wants_write = what == CURL_POLL_OUT || what == CURL_POLL_INOUT};
  return true;
}

void CurlSockets::Sleep(std::chrono::steady_clock::time_point until) {
  WaitForSockets(watched_, due_ ? std::min(until, *due_) : until);
}

void CurlSockets::Run() {
  int running = 0;
  known_ = watched_;
  for (WatchedSocket& one : watched_) one.can_read = one.can_write = one.failed = false;
  for (const WatchedSocket& one : known_) {
    if (const int bits = BitsOf(one)) curl_multi_socket_action(multi_, one.socket, bits, &running);
  }
  for (int i = 0; i < kMostTimers && due_ && *due_ <= std::chrono::steady_clock::now(); ++i) {
    due_.reset();
    curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  }
  // libcurl reads one record of a socket, in any of its steps.
  known_ = watched_;
  for (const WatchedSocket& one : known_) ReadRecords(one.socket);
}

void CurlSockets::ReadRecords(curl_socket_t socket) {
  for (int i = 0; i < kMostRecords; ++i) {
    const WatchedSocket* const watched = Find(socket);
    if (watched == nullptr || !MayHoldRecords(watched->owner)) return;
    int running = 0;
    curl_multi_socket_action(multi_, socket, CURL_CSELECT_IN, &running);
  }
}

}  // namespace aztables
