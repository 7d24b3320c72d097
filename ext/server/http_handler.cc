// Logging for a handler: see http_handler.h.
#include "server/http_handler.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/encoding.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

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

void AddLine(std::FILE* log, const Request& request, const Response& response,
             steady_clock::time_point begin) {
  const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  const std::string line = Printable(request.method) + " " + Printable(request.path) + " " +
                           (response.status == 0 ? "cut" : std::to_string(response.status)) + " " +
                           std::to_string(took.count()) + " ms " +
                           std::to_string(response.body.size()) + " bytes\n";
  std::fwrite(line.data(), 1, line.size(), log);
  std::fflush(log);
}

}  // namespace

Handler WithLog(Handler inner, std::FILE* log) {
  return [inner = std::move(inner), log](const Request& request, const Peer& peer,
                                         const Cancel& cancel) {
    const auto begin = steady_clock::now();
    HandlerReply reply = inner(request, peer, cancel);
    AddLine(log, request, reply.response, begin);
    return reply;
  };
}

HeadCheck WithRejectionLog(HeadCheck inner, std::FILE* log) {
  return
      [inner = std::move(inner), log](const Request& head, const Peer& peer, const Cancel& cancel) {
        const auto begin = steady_clock::now();
        std::optional<Response> refused = inner(head, peer, cancel);
        if (refused) AddLine(log, head, *refused, begin);
        return refused;
      };
}

}  // namespace aztables
