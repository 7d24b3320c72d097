// IncomingRequest: a request while it arrives: its target as it came, its body up to a limit.
// Knows nothing of sockets.
//
// Thread rule: a value of the thread of its connection.
#pragma once

#include <string>
#include <string_view>

#include "aztables/http/message.h"

namespace aztables {

class IncomingRequest {
 public:
  // Of a body no more than one byte above this is kept: the service refuses what is larger.
  static constexpr size_t kMostKept = size_t{4} << 20;
  // No more than this is read at all.
  static constexpr size_t kMostRead = size_t{64} << 20;

  // `target`: what stands between the method and the version in the request line.
  explicit IncomingRequest(std::string_view target);

  // Whether the target was one: a path, or an http URI.
  bool has_path() const { return !request_.path.empty(); }

  // The head is there; called once, with all headers. False where it announces more than kMostRead.
  bool Begin(std::string_view method, Headers headers);
  bool begun() const { return begun_; }
  // Another part of the body. False where the body exceeds kMostRead.
  bool Append(std::string_view bytes);
  // The request, once everything is there. `address` stands in where it names no host.
  const Request& Finish(std::string_view address);

 private:
  Request request_;
  bool begun_ = false;
  size_t read_ = 0;
};

}  // namespace aztables
