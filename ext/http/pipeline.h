// Pipeline: what happens to every request of a connection, in this order:
//
//   request id -> [ credential -> budget -> date and sign -> log -> transport ] -> retry
//
// The steps in brackets belong to an attempt. So each attempt counts in the budget, and has a fresh
// date and signature.
//
// Only WaitAny() and Send() block. The thread that waits for exchanges drives them, so any number
// may be under way at once.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "http/credential.h"
#include "http/message.h"
#include "http/request_log.h"
#include "http/retry_allowance.h"
#include "http/transport.h"

namespace aztables {

// Whether an attempt may have been carried out although its outcome does not say so.
enum class Doubt : uint8_t {
  kNone,
  kThrottled,  // a complete 429 or 503 response: a balancer may have repeated the request
  kOpen,       // no complete response, 408, or another 5xx, except 507
};
Doubt DoubtAfter(const Outcome& outcome);

// One request in the pipeline, with its retries.
class Exchange {
 public:
  ~Exchange();
  bool done() const { return result_.has_value(); }
  // REQUIRES: done(), and not taken before
  Outcome Take() { return std::move(*result_); }
  // The strongest doubt that any of the ended attempts has left.
  Doubt doubt() const { return doubt_; }
  // When the first attempt began.
  std::chrono::steady_clock::time_point began() const { return began_; }
  // Whether no attempt is under way, and the next is planned.
  bool waits_for_retry() const { return next_try_.has_value(); }
  // No attempt follows the one that is under way.
  void StopRetries() { request_.max_retries = 0; }
  // Whether the request may have been carried out if the exchange is given up now.
  bool MayHaveReached() const {
    return doubt_ == Doubt::kOpen || (call_ != nullptr && call_->MayHaveReached());
  }
  const Request& request() const { return request_; }
  // The status and headers of the last attempt's response, before its body is complete too. Null:
  // not known. REQUIRES: not taken
  const Response* head() const {
    if (result_) return result_->ok() ? &**result_ : nullptr;
    return call_ != nullptr ? call_->Head() : nullptr;
  }
  int attempts() const { return attempts_; }
  int retries() const { return attempts_ - 1 - extra_attempts_; }
  // Whether the pipeline had received no readable response to any request when the last attempt
  // ended.
  bool first_contact() const { return first_contact_; }
  // Whether the response, which has this request id, is the first one that the pipeline received,
  // and probably not that of a table service, which gives each response an id.
  bool IsForeign(std::string_view request_id) const {
    return is_first_response_ && request_id.empty();
  }
  // Whether an attempt was made again although the endpoint seems to be wrong.
  bool seemed_wrong() const { return seemed_wrong_; }
  // Whether the next attempt was not allowed because the connection has made too many retries.
  bool out_of_retries() const { return out_of_retries_; }
  // Why the last attempt had no response; OK if it had one.
  const Status& last_failure() const { return last_failure_; }
  int64_t log_id() const { return log_id_; }

 private:
  friend class Pipeline;
  explicit Exchange(Request request) : request_(std::move(request)) {}

  Request request_;
  int attempts_ = 0;
  int extra_attempts_ = 0;     // those that are not retries
  bool signed_again_ = false;  // after a 401
  Doubt doubt_ = Doubt::kNone;
  Status last_failure_;
  bool first_contact_ = true;
  bool is_first_response_ = false;  // the pipeline had received none before
  bool seemed_wrong_ = false;
  bool out_of_retries_ = false;
  int64_t log_id_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point ended_ = began_;           // of the last attempt
  std::unique_ptr<Call> call_;                                     // while an attempt is under way
  std::optional<std::chrono::steady_clock::time_point> next_try_;  // while waiting for the next
  std::optional<Outcome> result_;
};

class Pipeline {
 public:
  // All pointers outlive the pipeline. `credential` may be null: nothing is signed. `jitter` yields
  // numbers in [0.8, 1.2).
  Pipeline(Transport* transport, Credential* credential, RequestLog* log, const Clock* clock,
           std::function<double()> jitter);

  // Starts the first attempt.
  std::unique_ptr<Exchange> Start(Request request);
  // Waits until at least one of `exchanges` is done, or until `head_of` has a head. An error (that
  // of `cancel`) does not change them.
  Status WaitAny(std::span<Exchange* const> exchanges, const Cancel& cancel,
                 const Exchange* head_of = nullptr);
  // Start and wait.
  Outcome Send(Request request, const Cancel& cancel);
  // The response that the caller took from `exchange` failed the request, as `failure` says. If it
  // decides nothing (failure().inconclusive) and another attempt is allowed, the exchange is under
  // way again and the result is true.
  bool TryAgain(Exchange& exchange, const Status& status);

 private:
  // Makes the credential ready if attempts of `exchanges` wait for it. Its failure ends all these
  // exchanges; the only error is that of `cancel`.
  Status MakeReady(std::span<Exchange* const> exchanges, const Cancel& cancel);
  // What an attempt needs before it is sent; an error ends the exchange.
  Status Prepare(Request& request);
  void StartAttempt(Exchange& exchange);
  void EndAttempt(Exchange& exchange, Outcome outcome);
  // Whether an attempt follows at once that is not a retry.
  bool IsSentAgain(Exchange& exchange, const Outcome& outcome);
  // Plans the next attempt; false if there is none.
  bool PlanRetry(Exchange& exchange, const Outcome& outcome);
  void LogStart(Exchange& exchange);
  void LogEnd(const Exchange& exchange, const Outcome& outcome);
  bool Advance(Exchange& exchange);

  Transport* transport_;
  Credential* credential_;
  RequestLog* log_;
  const Clock* clock_;
  std::function<double()> jitter_;
  bool has_responded_ = false;  // to any request, readably
  RetryAllowance allowance_;
  GuidSequence ids_;  // of requests without an id
};

// A pipeline with random jitter.
std::unique_ptr<Pipeline> MakePipeline(Transport* transport, Credential* credential,
                                       RequestLog* log, const Clock* clock);

// min(0.1 s + jitter x 0.8 s x (2^x - 1), 30 s). x is the number of retries made so far, and
// `jitter` is in [0.8, 1.2). So the first retry follows after 0.1 s.
std::chrono::milliseconds BackOff(int retries_so_far, double jitter);
// Whether a status is a transient failure: 408, 429, 500, 502, 503, 504.
bool IsTransient(int status);
// The time until the Retry-After of a response, which is a number of seconds or a date, at most 60
// s. A date counts from the response's Date, or from `now_ms`. Nothing: there is none.
std::optional<std::chrono::milliseconds> RetryAfter(const Response& response, int64_t now_ms);
// Whether the endpoint is probably wrong: its name or port never worked, or its first response was
// not that of a table service. Then the request is tried once more.
bool SeemsWrong(const Status& failure, const Exchange& exchange);
// How long to wait before the next attempt. Nothing: the outcome is final.
std::optional<std::chrono::milliseconds> NextTry(const Exchange& exchange, const Outcome& outcome,
                                                 double jitter, int64_t now_ms);

}  // namespace aztables
