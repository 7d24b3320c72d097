// IncomingRequest: a request while it arrives: its target as it came, its body up to a limit.
// Knows nothing of sockets.
//
// Thread rule: a value of the thread of its connection.
#pragma once

#include <string>
#include <string_view>

#include "http/message.h"

namespace aztables {

class IncomingRequest {
 public:
  // Of a body no more than one byte above this is kept: the service refuses what is larger.
  static constexpr size_t kMostKept = size_t{4} << 20;
  // No more than this is read at all, and dropped beyond what is kept.
  static constexpr size_t kMostRead = size_t{64} << 20;

  // `target`: what stands between the method and the version in the request line.
  explicit IncomingRequest(std::string_view target);

  // Whether the target was one: a path, or an http URI.
  bool has_path() const { return !request_.path.empty(); }

  // The head is there; called once, with all headers, whose values may have blanks at their ends.
  // `address` stands in where they name no host.
  void Begin(std::string_view method, Headers headers, std::string_view address);
  bool begun() const { return begun_; }
  // Whether the head announces more than kMostRead.
  bool announces_too_much() const;
  // Another part of the body. False where the body exceeds kMostRead.
  bool Append(std::string_view bytes);
  // As much of it as is there.
  const Request& request() const { return request_; }

 private:
  Request request_;
  bool begun_ = false;
  size_t read_ = 0;
};

}  // namespace aztables
