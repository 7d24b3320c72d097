// The function that HttpServer calls for each request, and the wrappers for logging.
//
// Thread rule: all of these may be called on any number of threads at once.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>

#include "base/cancel.h"
#include "http/message.h"
#include "service/table_service.h"

namespace aztables {

// The response to a request, and what becomes of its connection. All but `response` is for
// simulated faults.
struct HandlerReply {
  Response response{};                  // without a status: the connection is closed instead
  bool reset = false;                   // the connection is reset instead
  std::optional<size_t> kept{};         // only this number of bytes of the body is sent
  std::chrono::milliseconds refuse{0};  // for this time, connections are refused
};

// Handles one request. `cancel` returns kInterrupt when the server stops, and kBusy when the
// request's time is over.
using Handler = std::function<HandlerReply(const Request&, const Peer&, const Cancel&)>;

// Called with the head of each request, before its body is read. Returns an error response, or
// nothing to continue.
using HeadCheck =
    std::function<std::optional<Response>(const Request&, const Peer&, const Cancel&)>;

// Logs one line per request: method, path, status (or "cut"), milliseconds, and size of the
// response. The query is left out, since it may contain a SAS. `log` outlives the handler.
Handler WithLog(Handler inner, std::FILE* log);
// The same for each request that is refused by its head.
HeadCheck WithRejectionLog(HeadCheck inner, std::FILE* log);

}  // namespace aztables
