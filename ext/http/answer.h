// AnswerReader: puts an answer together from its header lines and pieces of its body, within
// limits.
//
// Thread rule: one thread at a time. Nothing here throws: it is called by C code.
#pragma once

#include <cstddef>
#include <string_view>

#include "http/message.h"

namespace aztables {

class AnswerReader {
 public:
  // One line, its end included; an empty one ends the headers. False: `failure` says why not.
  bool AddHeader(std::string_view line) noexcept;
  bool AddBody(std::string_view bytes) noexcept;

  // Whether the last header line of the answer itself, not of an interim one, has come.
  bool head_complete() const { return head_complete_; }
  // Why the answer is refused; null where it is not.
  const char* failure() const { return failure_; }
  Response Take(int status);

 private:
  bool Refuse(const char* why) {
    failure_ = why;
    return false;
  }

  Response response_;
  size_t header_bytes_ = 0;
  bool head_complete_ = false;
  const char* failure_ = nullptr;
};

}  // namespace aztables
