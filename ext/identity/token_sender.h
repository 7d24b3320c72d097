// TokenSender: sends requests for tokens. They are recorded in the request log, as kind "token"
// without their bodies, and sent again after transient failures. They do not count in the limits of
// a statement.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/request_log.h"
#include "http/transport.h"

namespace aztables {

class TokenSender {
 public:
  // The pointers outlive the sender.
  TokenSender(Transport* transport, RequestLog* log, const Clock* clock, std::string connection,
              std::string ca_file)
      : transport_(transport),
        log_(log),
        clock_(clock),
        connection_(std::move(connection)),
        ca_file_(std::move(ca_file)) {}

  const Clock& clock() const { return *clock_; }
  // Whose response it is. A host's endpoint that is being updated answers 404 or 410 for a minute.
  enum class Server : uint8_t { kEntra, kHost };
  // Waits for the response. An error is that of the transport, or of `cancel`.
  Outcome Send(Request request, const Cancel& cancel, Server server = Server::kEntra);

 private:
  Outcome SendOnce(Request& request, const Cancel& cancel);
  void LogEnd(int64_t log_id, int attempts, const Request& request, const Outcome& outcome,
              double ms);

  Transport* transport_;
  RequestLog* log_;
  const Clock* clock_;
  std::string connection_;
  std::string ca_file_;
};

}  // namespace aztables
