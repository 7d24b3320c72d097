// The policies of the pipeline and their one list; see pipeline.h.
// Source of the retry rules: the official clients. A write is retried only if no connection could
// be made, or after a response that says that nothing was done. In all other cases it may have been
// carried out.
#include <algorithm>
#include <cmath>
#include <random>

#include "base/crypto.h"
#include "base/encoding.h"
#include "http/pipeline.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;

class RequestIdPolicy final : public Policy {
 public:
  std::string_view name() const override { return "request id"; }
  Status Prepare(Exchange& exchange) override {
    exchange.mutable_request().headers.Set("x-ms-client-request-id", RandomGuid());
    return {};
  }
};

// Whether the status means that the service has not begun with the request.
bool IsThrottled(int status) { return status == 429 || status == 503; }

class RetryPolicy final : public Policy {
 public:
  explicit RetryPolicy(std::function<double()> jitter) : jitter_(std::move(jitter)) {}
  std::string_view name() const override { return "retry"; }

  std::optional<milliseconds> NextTry(const Exchange& exchange, const Outcome& outcome) override {
    const Request& request = exchange.request();
    const int retries = exchange.attempts() - 1;
    if (retries >= request.max_retries) return std::nullopt;
    if (!outcome.ok()) return NextTryAfter(outcome.status(), exchange);
    const int status = outcome->status;
    if (!(request.is_read ? IsTransient(status) : IsThrottled(status))) return std::nullopt;
    return std::max(BackOff(retries, jitter_()), RetryAfter(*outcome).value_or(milliseconds(0)));
  }

 private:
  // After an attempt without a response.
  std::optional<milliseconds> NextTryAfter(const Status& failure, const Exchange& exchange) {
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
    return BackOff(retries, jitter_());
  }

  std::function<double()> jitter_;
};

// After "retry", because every attempt is billed.
class BudgetPolicy final : public Policy {
 public:
  std::string_view name() const override { return "budget"; }
  Status Prepare(Exchange& exchange) override { return exchange.request().budget.TakeRequest(); }
};

class DateAndSignPolicy final : public Policy {
 public:
  DateAndSignPolicy(const Clock* clock, const Signer* signer) : clock_(clock), signer_(signer) {}
  std::string_view name() const override { return "date and sign"; }

  Status Prepare(Exchange& exchange) override {
    Request& request = exchange.mutable_request();
    request.headers.Set("x-ms-date", HttpDate(clock_->NowMs()));
    return signer_ ? signer_->Sign(request) : Status();
  }

 private:
  const Clock* clock_;
  const Signer* signer_;
};

class LogPolicy final : public Policy {
 public:
  LogPolicy(RequestLog* log, const Clock* clock) : log_(log), clock_(clock) {}
  std::string_view name() const override { return "log"; }

  Status Prepare(Exchange& exchange) override {
    const Request& request = exchange.request();
    if (exchange.log_id() == 0) {
      RequestRecord record;
      record.time_ms = clock_->NowMs();
      record.label = request.label;
      record.method = request.method;
      record.error = "abandoned before a response arrived";  // until one arrives
      record.url = request.origin + request.path;
      if (!request.query.empty()) record.url += "?" + request.query;
      exchange.set_log_id(log_->Add(std::move(record)));
    }
    if (RequestRecord* record = log_->Find(exchange.log_id())) {
      record->attempts = exchange.attempts();
      record->bytes_out += static_cast<int64_t>(request.body.size());
    }
    return {};
  }

  void Observe(Exchange& exchange, const Outcome& outcome) override {
    RequestRecord* const record = log_->Find(exchange.log_id());
    if (record == nullptr) return;
    const auto took = exchange.ended() - exchange.began();
    record->ms = std::chrono::duration<double, std::milli>(took).count();
    record->status = outcome.ok() ? outcome->status : 0;
    record->error.clear();
    if (!outcome.ok()) {
      record->error = outcome.status().message();
      return;
    }
    record->bytes_in += static_cast<int64_t>(outcome->body.size());
    record->request_id = outcome->headers.Get("x-ms-request-id");
  }

 private:
  RequestLog* log_;
  const Clock* clock_;
};

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

std::unique_ptr<Policy> MakeRequestIdPolicy() { return std::make_unique<RequestIdPolicy>(); }
std::unique_ptr<Policy> MakeRetryPolicy(std::function<double()> jitter) {
  return std::make_unique<RetryPolicy>(std::move(jitter));
}
std::unique_ptr<Policy> MakeBudgetPolicy() { return std::make_unique<BudgetPolicy>(); }
std::unique_ptr<Policy> MakeDateAndSignPolicy(const Clock* clock, const Signer* signer) {
  return std::make_unique<DateAndSignPolicy>(clock, signer);
}
std::unique_ptr<Policy> MakeLogPolicy(RequestLog* log, const Clock* clock) {
  return std::make_unique<LogPolicy>(log, clock);
}

std::unique_ptr<Pipeline> MakePipeline(Transport* transport, const Signer* signer, RequestLog* log,
                                       const Clock* clock) {
  std::vector<std::unique_ptr<Policy>> policies;
  policies.push_back(MakeRequestIdPolicy());
  policies.push_back(MakeRetryPolicy([engine = std::minstd_rand(std::random_device{}())]() mutable {
    return std::uniform_real_distribution<double>(0.8, 1.2)(engine);
  }));
  policies.push_back(MakeBudgetPolicy());
  policies.push_back(MakeDateAndSignPolicy(clock, signer));
  policies.push_back(MakeLogPolicy(log, clock));
  return std::make_unique<Pipeline>(std::move(policies), transport);
}

}  // namespace aztables
