// What HttpServer calls for each request, and what the program puts around the service: a log, and
// faults for the tests of clients.
//
// Thread rule: a Handler is called on any number of threads at once; so may these.
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

// Answers one request. `cancel` ends with kInterrupt when the server stops, and with kBusy when the
// request has had its time. A Response without a status cuts the connection instead.
using Handler = std::function<Response(const Request&, const Peer&, const Cancel&)>;

// Asked with the head of each request, whose body is not read yet: the response that refuses it, or
// nothing if it may go on.
using HeadCheck =
    std::function<std::optional<Response>(const Request&, const Peer&, const Cancel&)>;

// REQUIRES: no number is negative. 0 leaves a fault out.
struct Faults {
  std::chrono::milliseconds delay{0};  // between carrying out and responding
  int cut_every = 0;                   // every n-th request is carried out, but gets no response
  int cut_before_every = 0;            // the same, and not carried out either
};
Handler WithFaults(Handler inner, const Faults& faults);

// One line per request to `log`: method, path, status (or "cut"),
// milliseconds and bytes of the response. Never the query, which may hold a SAS.
Handler WithLog(Handler inner, std::shared_ptr<LogWriter> log);
// The same for each request that is refused by its head.
HeadCheck WithRejectionLog(HeadCheck inner, std::shared_ptr<LogWriter> log);

}  // namespace aztables
