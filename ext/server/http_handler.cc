// Faults and logging for a handler: see http_handler.h.
#include "server/http_handler.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "base/encoding.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Ends early only if the server stops. The time limit of requests does not apply to faults.
void Delay(milliseconds time, const Cancel& cancel) {
  const auto end = steady_clock::now() + time;
  while (cancel.Check().code() != Code::kInterrupt) {
    const auto left = end - steady_clock::now();
    if (left <= left.zero()) return;
    std::this_thread::sleep_for(std::min<steady_clock::duration>(left, Cancel::kSlice));
  }
}

bool IsTurn(uint64_t number, int every) {
  return every > 0 && number % static_cast<uint64_t>(every) == 0;
}

// Escapes client input so that terminals show it as text.
std::string Printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte < 0x7F) {
      out += c;
    } else {
      AppendPercentEncoded(out, {&c, 1});
    }
  }
  return out;
}

void AddLine(LogWriter& log, const Request& request, const Response& response,
             steady_clock::time_point begin) {
  const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  log.Add(Printable(request.method) + " " + Printable(request.path) + " " +
          (response.status == 0 ? "cut" : std::to_string(response.status)) + " " +
          std::to_string(took.count()) + " ms " + std::to_string(response.body.size()) +
          " bytes\n");
}

}  // namespace

Handler WithFaults(Handler inner, const Faults& faults) {
  const auto count = std::make_shared<std::atomic<uint64_t>>(0);
  return [inner = std::move(inner), faults, count](const Request& request, const Peer& peer,
                                                   const Cancel& cancel) {
    const uint64_t number = ++*count;
    if (IsTurn(number, faults.cut_before_every)) return Response();
    Response response = inner(request, peer, cancel);
    if (faults.delay.count() > 0) Delay(faults.delay, cancel);
    return IsTurn(number, faults.cut_every) ? Response() : response;
  };
}

Handler WithLog(Handler inner, std::shared_ptr<LogWriter> log) {
  return [inner = std::move(inner), log = std::move(log)](const Request& request, const Peer& peer,
                                                          const Cancel& cancel) {
    const auto begin = steady_clock::now();
    Response response = inner(request, peer, cancel);
    AddLine(*log, request, response, begin);
    return response;
  };
}

HeadCheck WithRejectionLog(HeadCheck inner, std::shared_ptr<LogWriter> log) {
  return [inner = std::move(inner), log = std::move(log)](const Request& head, const Peer& peer,
                                                          const Cancel& cancel) {
    const auto begin = steady_clock::now();
    std::optional<Response> refused = inner(head, peer, cancel);
    if (refused) AddLine(*log, head, *refused, begin);
    return refused;
  };
}

}  // namespace aztables
