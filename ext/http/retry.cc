// When a failed attempt is repeated: see pipeline.h.
// Source of the rules: the official clients. A write is retried only if no connection could be
// made, or after a response that says that nothing was done. In all other cases it may have been
// carried out.
#include <algorithm>
#include <cmath>

#include "base/encoding.h"
#include "http/pipeline.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;

// Whether the status means that the service has not begun with the request.
bool IsThrottled(int status) { return status == 429 || status == 503; }

// After an attempt without a response.
std::optional<milliseconds> NextTryAfter(const Status& failure, const Exchange& exchange,
                                         double jitter) {
  constexpr milliseconds kFirstContact(1000);
  const int retries = exchange.attempts() - 1;
  const ServiceDetail& detail = failure.detail();
  // A failure with an HTTP status comes from a local store, which has already waited long enough.
  if (failure.code() != Code::kBusy || detail.http_status != 0) return std::nullopt;
  const bool unreachable = detail.contact == Contact::kNone || detail.contact == Contact::kNoTls;
  // A name or a port that never worked is probably wrong.
  if (unreachable && exchange.first_contact()) {
    return retries == 0 ? std::optional(kFirstContact) : std::nullopt;
  }
  if (!exchange.request().is_read && !unreachable) return std::nullopt;
  return BackOff(retries, jitter);
}

}  // namespace

milliseconds BackOff(int retries_so_far, double jitter) {
  const double seconds = 0.1 + jitter * 0.8 * (std::exp2(std::min(retries_so_far, 20)) - 1);
  return milliseconds(static_cast<int64_t>(std::min(seconds, 30.0) * 1000));
}

bool IsTransient(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

std::optional<milliseconds> RetryAfter(const Response& response) {
  constexpr int64_t kMost = 3600;
  const auto seconds = ParseInteger(TrimBlanks(response.headers.Get("Retry-After")));
  if (!seconds || *seconds < 0) return std::nullopt;
  return milliseconds(std::min(*seconds, kMost) * 1000);
}

std::optional<milliseconds> NextTry(const Exchange& exchange, const Outcome& outcome,
                                    double jitter) {
  const Request& request = exchange.request();
  const int retries = exchange.attempts() - 1;
  if (retries >= request.max_retries) return std::nullopt;
  if (!outcome.ok()) return NextTryAfter(outcome.status(), exchange, jitter);
  const int status = outcome->status;
  if (!(request.is_read ? IsTransient(status) : IsThrottled(status))) return std::nullopt;
  return std::max(BackOff(retries, jitter), RetryAfter(*outcome).value_or(milliseconds(0)));
}

}  // namespace aztables
