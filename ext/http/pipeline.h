// Pipeline: the policies that every request of a connection passes through, in ONE list:
//
//   request id -> retry -> budget -> date and sign -> log -> transport
//
// A policy sees each attempt before it is sent (Prepare) and its outcome afterwards (Observe). A
// policy before "retry" in the list runs once per request. A policy after it runs at every attempt.
// So each attempt has a fresh date and signature.
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
#include "http/message.h"
#include "http/request_log.h"
#include "http/signer.h"
#include "http/transport.h"

namespace aztables {

// One request in the pipeline, with its retries.
class Exchange {
 public:
  ~Exchange();
  bool done() const { return result_.has_value(); }
  // REQUIRES: done(), and not taken before
  Outcome Take() { return std::move(*result_); }
  // Whether the request may have been carried out if the exchange is given up now.
  bool MayHaveReached() const { return call_ == nullptr || call_->MayHaveReached(); }
  const Request& request() const { return request_; }
  int attempts() const { return attempts_; }
  // Whether the pipeline had received no response to any request when the last attempt ended.
  bool first_contact() const { return first_contact_; }
  // Why the last attempt had no response; OK if it had one.
  const Status& last_failure() const { return last_failure_; }
  int64_t log_id() const { return log_id_; }

  // For policies.
  Request& mutable_request() { return request_; }
  void set_log_id(int64_t id) { log_id_ = id; }
  std::chrono::steady_clock::time_point began() const { return began_; }
  std::chrono::steady_clock::time_point ended() const { return ended_; }  // of the last attempt

 private:
  friend class Pipeline;
  explicit Exchange(Request request) : request_(std::move(request)) {}

  Request request_;
  int attempts_ = 0;
  Status last_failure_;
  bool first_contact_ = true;
  int64_t log_id_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point ended_ = began_;
  std::unique_ptr<Call> call_;                                     // while an attempt is under way
  std::optional<std::chrono::steady_clock::time_point> next_try_;  // while waiting for the next
  std::optional<Outcome> result_;
};

class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::string_view name() const = 0;
  // Before an attempt is sent; an error ends the exchange.
  virtual Status Prepare(Exchange& exchange);
  // After an attempt has ended.
  virtual void Observe(Exchange& exchange, const Outcome& outcome);
  // Only the retry policy: how long to wait before the next attempt. Nothing: the outcome is final.
  virtual std::optional<std::chrono::milliseconds> NextTry(const Exchange& exchange,
                                                           const Outcome& outcome);
};

class Pipeline {
 public:
  // `transport` outlives the pipeline.
  Pipeline(std::vector<std::unique_ptr<Policy>> policies, Transport* transport);

  // Starts the first attempt.
  std::unique_ptr<Exchange> Start(Request request);
  // Waits until at least one of `exchanges` is done. An error (that of `cancel`) does not change
  // them.
  Status WaitAny(std::span<Exchange* const> exchanges, const Cancel& cancel);
  // Start and wait.
  Outcome Send(Request request, const Cancel& cancel);

  // The names of the policies in order, the transport last.
  std::vector<std::string_view> Order() const;

 private:
  void StartAttempt(Exchange& exchange, size_t first_policy);
  void EndAttempt(Exchange& exchange, Outcome outcome);
  bool Advance(Exchange& exchange);

  std::vector<std::unique_ptr<Policy>> policies_;
  bool has_responded_ = false;  // any request
  size_t retry_ = 0;            // place of the policy that decides on retries
  Transport* transport_;
  std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
};

// min(0.1 s + jitter x 0.8 s x (2^x - 1), 30 s). x is the number of retries made so far, and
// `jitter` is in [0.8, 1.2). So the first retry follows after 0.1 s.
std::chrono::milliseconds BackOff(int retries_so_far, double jitter);
// Whether a status is a transient failure: 408, 429, 500, 502, 503, 504.
bool IsTransient(int status);
// The value of Retry-After in seconds; nothing for a date or anything else.
std::optional<std::chrono::milliseconds> RetryAfter(const Response& response);

std::unique_ptr<Policy> MakeRequestIdPolicy();
// `jitter` yields numbers in [0.8, 1.2).
std::unique_ptr<Policy> MakeRetryPolicy(std::function<double()> jitter);
std::unique_ptr<Policy> MakeBudgetPolicy();
// `signer` may be null (nothing to sign with); both outlive the policy.
std::unique_ptr<Policy> MakeDateAndSignPolicy(const Clock* clock, const Signer* signer);
// `log` and `clock` outlive the policy.
std::unique_ptr<Policy> MakeLogPolicy(RequestLog* log, const Clock* clock);

// The one list. All pointers outlive the pipeline.
std::unique_ptr<Pipeline> MakePipeline(Transport* transport, const Signer* signer, RequestLog* log,
                                       const Clock* clock);

}  // namespace aztables
