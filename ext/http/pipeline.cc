// Pipeline: see pipeline.h.
#include "http/pipeline.h"

#include <algorithm>
#include <array>
#include <random>
#include <thread>

namespace aztables {

using SteadyClock = std::chrono::steady_clock;

Exchange::~Exchange() = default;

Pipeline::Pipeline(Transport* transport, Credential* credential, RequestLog* log,
                   const Clock* clock, std::function<double()> jitter)
    : transport_(transport),
      credential_(credential),
      log_(log),
      clock_(clock),
      jitter_(std::move(jitter)) {}

std::unique_ptr<Exchange> Pipeline::Start(Request request) {
  std::unique_ptr<Exchange> exchange(new Exchange(std::move(request)));
  Headers& headers = exchange->request_.headers;
  if (headers.Find(kClientRequestIdHeader) == nullptr) {
    headers.Set(kClientRequestIdHeader, ids_.Next());
  }
  StartAttempt(*exchange);
  return exchange;
}

Status Pipeline::Prepare(Request& request) {
  AZTABLES_RETURN_IF_ERROR(request.budget.TakeRequest());  // every attempt is billed
  request.headers.Set("x-ms-date", HttpDate(clock_->NowMs()));
  return credential_ ? credential_->Sign(request) : Status();
}

Status Pipeline::MakeReady(std::span<Exchange* const> exchanges, const Cancel& cancel) {
  if (credential_ == nullptr || credential_->IsReady()) return {};
  const Cancel driving([&] {
    const auto any = std::find_if(exchanges.begin(), exchanges.end(),
                                  [](const Exchange* exchange) { return bool(exchange->call_); });
    if (any != exchanges.end()) AZTABLES_RETURN_IF_ERROR((*any)->call_->Work(cancel, {}));
    return cancel.Check();
  });
  const auto waits = [now = SteadyClock::now()](const Exchange* exchange) {
    return exchange->next_try_ && now >= *exchange->next_try_;
  };
  if (std::none_of(exchanges.begin(), exchanges.end(), waits)) return {};
  const Status status = credential_->MakeReady(driving);
  if (status.ok()) return status;
  if (status.code() == Code::kInterrupt || status.code() == Code::kBudget) return status;
  for (Exchange* exchange : exchanges) {
    if (!waits(exchange)) continue;
    exchange->next_try_.reset();
    exchange->result_.emplace(status);
  }
  return {};
}

// If the credential is not ready, the attempt begins in WaitAny().
void Pipeline::StartAttempt(Exchange& exchange) {
  if (credential_ != nullptr && !credential_->IsReady()) {
    exchange.next_try_ = SteadyClock::now();
    return;
  }
  exchange.next_try_.reset();
  ++exchange.attempts_;
  if (Status status = Prepare(exchange.request_); !status.ok()) {
    exchange.result_.emplace(std::move(status));
    return;
  }
  LogStart(exchange);
  allowance_.Attempt(SteadyClock::now());
  exchange.call_ = transport_->Start(exchange.request_);
}

void Pipeline::EndAttempt(Exchange& exchange, Outcome outcome) {
  exchange.call_.reset();
  exchange.is_first_response_ = !has_responded_ && outcome.ok();
  has_responded_ = has_responded_ || outcome.ok();
  exchange.first_contact_ = !has_responded_;
  exchange.last_failure_ = outcome.status();
  exchange.doubt_ = std::max(exchange.doubt_, DoubtAfter(outcome));
  LogEnd(exchange, outcome);
  if (IsSentAgain(exchange, outcome)) {
    ++exchange.extra_attempts_;
    exchange.next_try_ = SteadyClock::now();
  } else if (!PlanRetry(exchange, outcome)) {
    exchange.result_.emplace(std::move(outcome));
  }
}

bool Pipeline::IsSentAgain(Exchange& exchange, const Outcome& outcome) {
  if (!outcome.ok()) {
    // Each such attempt follows a pause of the host, so there are few.
    const Status status = outcome.status();
    const Failure& failure = status.failure();
    return failure.left_alone && (exchange.request_.method == "GET" || !failure.may_have_reached);
  }
  if (outcome->status != 401 || credential_ == nullptr || exchange.signed_again_) return false;
  exchange.signed_again_ = credential_->OnUnauthorized(*outcome);
  return exchange.signed_again_;
}

bool Pipeline::PlanRetry(Exchange& exchange, const Outcome& outcome) {
  const auto delay = NextTry(exchange, outcome, jitter_(), clock_->NowMs());
  if (!delay) return false;
  const auto now = SteadyClock::now();
  exchange.out_of_retries_ = !allowance_.TakeRetry(now);
  if (exchange.out_of_retries_) return false;
  exchange.seemed_wrong_ = exchange.seemed_wrong_ || SeemsWrong(outcome.status(), exchange);
  exchange.next_try_ = now + *delay;
  return true;
}

bool Pipeline::TryAgain(Exchange& exchange, const Status& status) {
  if (!status.failure().inconclusive) return false;
  if (exchange.IsForeign(status.failure().request_id)) has_responded_ = false;
  exchange.first_contact_ = !has_responded_;
  exchange.last_failure_ = status;
  exchange.doubt_ = Doubt::kOpen;
  if (RequestRecord* record = log_->Find(exchange.log_id_)) record->error = status.message();
  Failure detail;
  detail.inconclusive = true;
  if (!PlanRetry(exchange, Status(Code::kBusy, "", detail))) return false;
  exchange.result_.reset();
  return true;
}

void Pipeline::LogStart(Exchange& exchange) {
  const Request& request = exchange.request_;
  if (exchange.log_id_ == 0) {
    RequestRecord& record = log_->Add();
    record.time_ms = clock_->NowMs();
    record.label = request.label;
    record.method = request.method;
    record.error = "abandoned before a response arrived";  // until one arrives
    record.url.reserve(request.origin.size() + request.path.size() + request.query.size() + 1);
    record.url.append(request.origin).append(request.path);
    if (!request.query.empty()) record.url.append("?").append(request.query);
    exchange.log_id_ = record.id;
  }
  if (RequestRecord* record = log_->Find(exchange.log_id_)) {
    record->attempts = exchange.attempts_;
    record->bytes_out += static_cast<int64_t>(request.body.size());
  }
}

void Pipeline::LogEnd(const Exchange& exchange, const Outcome& outcome) {
  RequestRecord* const record = log_->Find(exchange.log_id_);
  if (record == nullptr) return;
  const auto took = exchange.ended_ - exchange.began_;
  record->ms = std::chrono::duration<double, std::milli>(took).count();
  record->status = outcome.ok() ? outcome->status : 0;
  record->error = outcome.status().message();
  if (!outcome.ok()) return;
  record->bytes_in += static_cast<int64_t>(outcome->body.size());
  record->request_id = outcome->headers.Get("x-ms-request-id");
}

// Advances an exchange as far as possible without waiting. Returns whether it is done.
bool Pipeline::Advance(Exchange& exchange) {
  while (!exchange.done()) {
    if (exchange.call_) {
      if (!exchange.call_->Done()) return false;
      exchange.ended_ = exchange.call_->ended();
      EndAttempt(exchange, exchange.call_->Take());
    } else if (SteadyClock::now() >= *exchange.next_try_) {
      StartAttempt(exchange);
      if (exchange.next_try_) return false;
    } else {
      return false;
    }
  }
  return true;
}

Status Pipeline::WaitAny(std::span<Exchange* const> exchanges, const Cancel& cancel,
                         const Exchange* head_of) {
  SteadyClock::time_point next_check = SteadyClock::now() + Cancel::kSlice;
  while (true) {
    AZTABLES_RETURN_IF_ERROR(MakeReady(exchanges, cancel));
    bool any_done = false;
    SteadyClock::time_point until = next_check;
    Call* under_way = nullptr;
    for (Exchange* exchange : exchanges) {
      if (Advance(*exchange)) {
        any_done = true;
      } else if (exchange->next_try_) {
        until = std::min(until, *exchange->next_try_);
      } else {
        under_way = exchange->call_.get();
      }
    }
    if (any_done || exchanges.empty()) return {};
    if (head_of != nullptr && head_of->head() != nullptr) return {};
    if (under_way != nullptr) {
      AZTABLES_RETURN_IF_ERROR(under_way->Work(cancel, until));
    } else {
      std::this_thread::sleep_until(until);
    }
    if (SteadyClock::now() >= next_check) {
      AZTABLES_RETURN_IF_ERROR(cancel.Check());
      next_check = SteadyClock::now() + Cancel::kSlice;
    }
  }
}

Outcome Pipeline::Send(Request request, const Cancel& cancel) {
  request.waits = true;
  const std::unique_ptr<Exchange> exchange = Start(std::move(request));
  const std::array<Exchange*, 1> exchanges = {exchange.get()};
  AZTABLES_RETURN_IF_ERROR(WaitAny(exchanges, cancel));
  return exchange->Take();
}

std::unique_ptr<Pipeline> MakePipeline(Transport* transport, Credential* credential,
                                       RequestLog* log, const Clock* clock) {
  const auto jitter = [engine = std::minstd_rand(std::random_device{}())]() mutable {
    return std::uniform_real_distribution<double>(0.8, 1.2)(engine);
  };
  return std::make_unique<Pipeline>(transport, credential, log, clock, jitter);
}

}  // namespace aztables
