// The function that HttpServer calls for each request, and the wrappers for logging and test
// faults.
//
// Thread rule: all of these may be called on any number of threads at once.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "base/cancel.h"
#include "http/message.h"
#include "server/log_writer.h"
#include "service/table_service.h"

namespace aztables {

// Handles one request. `cancel` returns kInterrupt when the server stops, and kBusy when the
// request's time is over. A Response without a status closes the connection instead.
using Handler = std::function<Response(const Request&, const Peer&, const Cancel&)>;

// Called with the head of each request, before its body is read. Returns an error response, or
// nothing to continue.
using HeadCheck =
    std::function<std::optional<Response>(const Request&, const Peer&, const Cancel&)>;

// REQUIRES: no number is negative. 0 disables a fault.
struct Faults {
  std::chrono::milliseconds delay{0};  // between the operation and its response
  int cut_every = 0;                   // every n-th request is executed, but gets no response
  int cut_before_every = 0;            // every n-th request is not executed and gets no response
};
Handler WithFaults(Handler inner, const Faults& faults);

// Logs one line per request: method, path, status (or "cut"), milliseconds, and size of the
// response. The query is left out, since it may contain a SAS.
Handler WithLog(Handler inner, std::shared_ptr<LogWriter> log);
// The same for each request that is refused by its head.
HeadCheck WithRejectionLog(HeadCheck inner, std::shared_ptr<LogWriter> log);

}  // namespace aztables
