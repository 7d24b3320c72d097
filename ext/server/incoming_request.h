// IncomingRequest: a request while it arrives: its raw target and its body up to a limit. It is
// independent of sockets.
//
// Thread rule: a value of its connection's thread.
#pragma once

#include <string_view>

#include "http/message.h"

namespace aztables {

class IncomingRequest {
 public:
  // Keeps at most this and one more byte of a body, since the service refuses larger ones.
  static constexpr size_t kMostKept = size_t{4} << 20;
  // Reads at most this. Bytes beyond kMostKept are dropped.
  static constexpr size_t kMostRead = size_t{64} << 20;

  // `target` is the text between the method and the version in the request line.
  explicit IncomingRequest(std::string_view target);

  // Whether the target is valid: a path or an http URI.
  bool has_path() const { return !request_.path.empty(); }

  // Takes the complete head; called once. Header values may have blanks at their ends. `address` is
  // the host if they name none.
  void Begin(std::string_view method, Headers headers, std::string_view address);
  bool begun() const { return begun_; }
  // Whether the head announces more than kMostRead.
  bool announces_too_much() const;
  // Appends a part of the body. False if the body exceeds kMostRead.
  bool Append(std::string_view bytes);
  // The parts that have arrived.
  const Request& request() const { return request_; }

 private:
  Request request_;
  bool begun_ = false;
  size_t read_ = 0;
};

}  // namespace aztables
