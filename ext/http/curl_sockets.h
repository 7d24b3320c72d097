// CurlSockets: the sockets and the time that libcurl waits for, over its socket interface. Unlike
// curl_multi_perform(), it reads all records that TLS has received ahead (EnableTlsReadAhead in
// base/crypto.h), and it visits only the transfers of ready sockets.
//
// Source: libcurl, "CURLMOPT_SOCKETFUNCTION", "CURLMOPT_TIMERFUNCTION".
// Thread rule: the thread that drives libcurl; Wake() may be called on any thread.
#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <vector>

#include "http/curl_transfer.h"

namespace aztables {

class CurlSockets {
 public:
  CurlSockets();
  ~CurlSockets();
  CurlSockets(const CurlSockets&) = delete;
  CurlSockets& operator=(const CurlSockets&) = delete;

  // Whether the system had a descriptor for Wake().
  bool ok() const { return wake_ >= 0; }
  // Sets the callbacks of `multi`, which lives no longer than this object.
  void Attach(CURLM* multi);
  // Sleeps until a socket is ready, until libcurl's time or `until`, or until Wake().
  void Sleep(std::chrono::steady_clock::time_point until);
  // Ends a Sleep(), the current or the next one.
  void Wake() const;
  // Does what the sockets and the time allow. New handles are due at once.
  void Run();

 private:
  struct Watched {
    curl_socket_t socket;
    short events;  // of poll()
    CURL* easy;    // its transfer
  };

  static int OnSocket(CURL* easy, curl_socket_t socket, int what, void* self, void*);
  static int OnTimer(CURLM*, long ms, void* self);
  Watched* Find(curl_socket_t socket);
  void Watch(CURL* easy, curl_socket_t socket, int what);
  void ReadRecords(curl_socket_t socket);

  CURLM* multi_ = nullptr;
  int wake_;  // an eventfd
  std::vector<Watched> watched_;
  std::optional<std::chrono::steady_clock::time_point> due_;  // libcurl's time
  std::vector<pollfd> polled_;                                // of the last Sleep()
  std::vector<curl_socket_t> sockets_;                        // of a Run()
};

}  // namespace aztables
