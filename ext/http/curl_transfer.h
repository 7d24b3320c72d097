// CurlTransfer: one attempt that libcurl works on: its easy handle with all options, its callbacks,
// and its outcome. Includes libcurl: only for the files that drive it.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/response_reader.h"
#include "http/transport.h"

namespace aztables {

// How long a connection may take.
constexpr std::chrono::milliseconds kMostConnecting(10'000);

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;

struct CurlTransfer {
  // The request must outlive the transfer.
  explicit CurlTransfer(Request& request);
  ~CurlTransfer();
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  Request& request;
  std::string url;
  std::string signature;  // of the credential: must not be shown
  std::vector<std::string> lines;
  std::vector<curl_slist> headers;  // points into `lines`
  Easy easy;                        // null: there was no memory for it
  size_t body_sent = 0;
  std::optional<long> sent_before;  // CURLINFO_REQUEST_SIZE when the request was about to be sent
  ResponseReader response;
  const char* failure = nullptr;  // why this file ended it
  char error_text[CURL_ERROR_SIZE] = {};

  // Of the driver: its driven time (CurlDriver) at which the transfer is late, and whether nobody
  // drove for a time in which a server may have closed the connection.
  std::chrono::steady_clock::duration connect_by{};
  std::chrono::steady_clock::duration end_by{};
  bool left_alone = false;
  bool* progress = nullptr;  // set to true if the transfer has a head

  Response head;  // without its body
  bool has_head = false;
  std::optional<Outcome> outcome;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point ended = began;

  // Whether any byte of the request was passed to the system. libcurl also counts the bytes of a
  // CONNECT to a proxy, but they are sent before `sent_before` is set.
  bool MayHaveReached() const {
    long sent = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_REQUEST_SIZE, &sent);
    return sent_before && sent > *sent_before;
  }
};

// Makes the handle and sets all its options.
void SetUpTransfer(CurlTransfer& transfer);
// Writes the text of a deadline that has passed.
void WriteTimeoutText(CurlTransfer& transfer, bool connecting);
// REQUIRES: libcurl has ended the transfer with `code`, or the driver ends it
Outcome OutcomeOf(CurlTransfer& transfer, CURLcode code);

}  // namespace aztables
