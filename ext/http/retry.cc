// When a failed attempt is repeated, and in how much doubt it leaves its request: see pipeline.h.
// Source of the rules: the official clients.
#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/encoding.h"
#include "http/pipeline.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;

// Whether the status means that the service has not begun with the request.
bool IsThrottled(int status) { return status == 429 || status == 503; }

bool IsUnreachable(const Failure& failure) {
  return failure.contact == Contact::kNone || failure.contact == Contact::kNoTls;
}

// After an attempt without a readable response.
std::optional<milliseconds> NextTryAfter(const Status& status, const Exchange& exchange,
                                         double jitter) {
  constexpr milliseconds kFirstContact(1000);
  const int retries = exchange.retries();
  const Failure& failure = status.failure();
  // A failure with an HTTP status comes from a local store, which has already waited long enough.
  if (status.code() != Code::kBusy || failure.http_status != 0) return std::nullopt;
  if (!exchange.request().may_repeat && !IsUnreachable(failure)) return std::nullopt;
  if (SeemsWrong(status, exchange)) {
    return exchange.seemed_wrong() ? std::nullopt : std::optional(kFirstContact);
  }
  return BackOff(retries, jitter);
}

}  // namespace

bool SeemsWrong(const Status& status, const Exchange& exchange) {
  const Failure& failure = status.failure();
  return exchange.first_contact() && (IsUnreachable(failure) || failure.inconclusive);
}

milliseconds BackOff(int retries_so_far, double jitter) {
  const double seconds = 0.1 + jitter * 0.8 * (std::exp2(std::min(retries_so_far, 20)) - 1);
  return milliseconds(static_cast<int64_t>(std::min(seconds, 30.0) * 1000));
}

bool IsTransient(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

Doubt DoubtAfter(const Outcome& outcome) {
  if (!outcome.ok()) {
    return outcome.status().failure().may_have_reached ? Doubt::kOpen : Doubt::kNone;
  }
  if (IsThrottled(outcome->status)) return Doubt::kThrottled;
  if (outcome->status == 507) return Doubt::kNone;  // aztables-server's disk is full
  return outcome->status == 408 || outcome->status >= 500 ? Doubt::kOpen : Doubt::kNone;
}

std::optional<milliseconds> RetryAfter(const Response& response, int64_t now_ms) {
  constexpr int64_t kMostMs = 60'000;
  const std::string_view text = TrimBlanks(response.headers.Get("Retry-After"));
  int64_t ms = 0;
  if (const auto seconds = ParseInteger(text)) {
    if (*seconds < 0) return std::nullopt;
    ms = std::min(*seconds, kMostMs / 1000) * 1000;
  } else if (const auto date = ParseHttpDate(text)) {
    ms = *date - ParseHttpDate(response.headers.Get("Date")).value_or(now_ms);
  } else {
    return std::nullopt;
  }
  return milliseconds(std::clamp(ms, int64_t{0}, kMostMs));
}

std::optional<milliseconds> NextTry(const Exchange& exchange, const Outcome& outcome, double jitter,
                                    int64_t now_ms) {
  const Request& request = exchange.request();
  const int retries = exchange.retries();
  if (retries >= request.max_retries) return std::nullopt;
  if (!outcome.ok()) return NextTryAfter(outcome.status(), exchange, jitter);
  const int status = outcome->status;
  if (!(request.may_repeat ? IsTransient(status) : IsThrottled(status))) return std::nullopt;
  return std::max(BackOff(retries, jitter), RetryAfter(*outcome, now_ms).value_or(milliseconds(0)));
}

}  // namespace aztables
