// CurlSockets: the sockets and the time that libcurl waits for, over its socket interface. Unlike
// curl_multi_perform(), it reads all records that TLS has received ahead (EnableTlsReadAhead in
// base/crypto.h), and it visits only the transfers of ready sockets.
//
// Source: libcurl, "CURLMOPT_SOCKETFUNCTION", "CURLMOPT_TIMERFUNCTION".
// Thread rule: the thread of the database connection.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "http/curl_transfer.h"
#include "platform/net.h"

namespace aztables {

class CurlSockets {
 public:
  CurlSockets() = default;
  CurlSockets(const CurlSockets&) = delete;
  CurlSockets& operator=(const CurlSockets&) = delete;

  // Sets the callbacks of `multi`, which lives no longer than this object.
  void Attach(CURLM* multi);
  // Allocates what the callbacks need for this number of transfers. libcurl cannot pass on an
  // exception.
  void ReserveFor(size_t transfers);
  // Sleeps until a socket is ready, or until libcurl's time or `until`.
  void Sleep(std::chrono::steady_clock::time_point until);
  // Whether libcurl has named a socket of the transfer.
  bool Watches(const CURL* easy) const;
  // Does what the sockets and the time allow. New handles are due at once.
  void Run();

 private:
  static int OnSocket(CURL* easy, curl_socket_t socket, int what, void* self, void*);
  static int OnTimer(CURLM*, long ms, void* self);
  WatchedSocket* Find(curl_socket_t socket);
  bool Watch(CURL* easy, curl_socket_t socket, int what);
  void ReadRecords(curl_socket_t socket);

  CURLM* multi_ = nullptr;
  std::vector<WatchedSocket> watched_;                        // each is owned by a CURL*
  std::optional<std::chrono::steady_clock::time_point> due_;  // libcurl's time
  std::vector<WatchedSocket> known_;                          // of a Run()
};

}  // namespace aztables
