// CurlTransfer: a job that libcurl works on: its easy handle with all options, its callbacks, and
// its outcome. Includes libcurl: only for the files that drive it.
//
// Thread rule: the thread that drives libcurl.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "http/curl_io.h"
#include "http/response_reader.h"

namespace aztables {

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;

struct CurlTransfer {
  std::shared_ptr<CurlJob> job;
  Easy easy;
  std::vector<curl_slist> headers;
  size_t body_sent = 0;
  std::optional<long> sent_before;  // CURLINFO_REQUEST_SIZE when the request was about to be sent
  ResponseReader response;
  bool* progress = nullptr;       // set to true if the job has a head
  const char* failure = nullptr;  // why this file ended it
  char error_text[CURL_ERROR_SIZE] = {};

  // Whether any byte of the request was passed to the system. libcurl also counts the bytes of a
  // CONNECT to a proxy, but they are sent before `sent_before` is set.
  bool MayHaveReached() const {
    long sent = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_REQUEST_SIZE, &sent);
    return sent_before && sent > *sent_before;
  }
};

// Sets all options of the handle.
void SetUpTransfer(CurlTransfer& transfer);
// REQUIRES: libcurl has ended the transfer with `code`
Outcome OutcomeOf(CurlTransfer& transfer, CURLcode code);

}  // namespace aztables
