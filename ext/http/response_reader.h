// ResponseReader: builds a response from its header lines and pieces of its body, within limits.
//
// Thread rule: one thread at a time. Nothing here throws, because C code calls it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "http/message.h"

namespace aztables {

class ResponseReader {
 public:
  size_t body_size() const { return response_.body.size(); }
  const Headers& headers() const { return response_.headers; }
  // One line with its line end. An empty line ends the headers. If it returns false, `failure` has
  // the reason.
  bool AddHeader(std::string_view line) noexcept;
  bool AddBody(std::string_view bytes) noexcept;

  // Whether the headers of the final response (not of an interim one) are complete.
  bool head_complete() const { return head_complete_; }
  bool lacks_memory() const { return lacks_memory_; }
  // Why the response is refused; null if it is not refused.
  const char* failure() const { return failure_; }
  Response Take(int status);

 private:
  bool Reserve() noexcept;
  bool FailForMemory() {
    lacks_memory_ = true;
    return Fail("there is no memory for the response");
  }
  bool Fail(const char* why) {
    failure_ = why;
    return false;
  }

  Response response_;
  size_t header_bytes_ = 0;
  bool head_complete_ = false;
  bool lacks_memory_ = false;
  const char* failure_ = nullptr;
};

}  // namespace aztables
