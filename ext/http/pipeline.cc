// Pipeline: see pipeline.h. The policies themselves are in policies.cc.
#include "http/pipeline.h"

#include <algorithm>
#include <array>

namespace aztables {

using SteadyClock = std::chrono::steady_clock;

void Signal::Raise() {
  {
    const std::lock_guard lock(mutex_);
    is_raised_ = true;
  }
  raised_.notify_one();
}

void Signal::Wait(SteadyClock::time_point until) {
  std::unique_lock lock(mutex_);
  raised_.wait_until(lock, until, [this] { return is_raised_; });
  is_raised_ = false;
}

Exchange::~Exchange() = default;

Status Policy::Prepare(Exchange&) { return {}; }
void Policy::Observe(Exchange&, const Outcome&) {}
std::optional<std::chrono::milliseconds> Policy::NextTry(const Exchange&, const Outcome&) {
  return std::nullopt;
}

Pipeline::Pipeline(std::vector<std::unique_ptr<Policy>> policies, Transport* transport)
    : policies_(std::move(policies)), transport_(transport) {
  retry_ = policies_.size();
  for (size_t i = 0; i < policies_.size(); ++i) {
    if (policies_[i]->name() == "retry") retry_ = i;
  }
}

std::vector<std::string_view> Pipeline::Order() const {
  std::vector<std::string_view> names;
  for (const auto& policy : policies_) names.push_back(policy->name());
  names.emplace_back("transport");
  return names;
}

std::unique_ptr<Exchange> Pipeline::Start(Request request) {
  std::unique_ptr<Exchange> exchange(new Exchange(std::move(request)));
  StartAttempt(*exchange, 0);
  return exchange;
}

void Pipeline::StartAttempt(Exchange& exchange, size_t first_policy) {
  exchange.next_try_.reset();
  ++exchange.attempts_;
  for (size_t i = first_policy; i < policies_.size(); ++i) {
    if (Status status = policies_[i]->Prepare(exchange); !status.ok()) {
      exchange.result_.emplace(std::move(status));
      return;
    }
  }
  exchange.call_ = transport_->Start(exchange.request_, signal_);
}

void Pipeline::EndAttempt(Exchange& exchange, Outcome outcome) {
  exchange.call_.reset();
  has_responded_ = has_responded_ || outcome.ok();
  exchange.first_contact_ = !has_responded_;
  exchange.last_failure_ = outcome.status();
  for (size_t i = policies_.size(); i-- > 0;) {
    policies_[i]->Observe(exchange, outcome);
    if (i != retry_) continue;
    if (const auto delay = policies_[i]->NextTry(exchange, outcome)) {
      exchange.next_try_ = SteadyClock::now() + *delay;
      return;
    }
  }
  exchange.result_.emplace(std::move(outcome));
}

// Advances an exchange as far as possible without waiting. Returns whether it is done.
bool Pipeline::Advance(Exchange& exchange) {
  while (!exchange.done()) {
    if (exchange.call_) {
      if (!exchange.call_->Done()) return false;
      exchange.ended_ = exchange.call_->ended();
      EndAttempt(exchange, exchange.call_->Take());
    } else if (SteadyClock::now() >= *exchange.next_try_) {
      StartAttempt(exchange, retry_ + 1);
    } else {
      return false;
    }
  }
  return true;
}

Status Pipeline::WaitAny(std::span<Exchange* const> exchanges, const Cancel& cancel) {
  SteadyClock::time_point next_check = SteadyClock::now() + Cancel::kSlice;
  while (true) {
    for (const Exchange* exchange : exchanges) {
      if (exchange->call_) AZTABLES_RETURN_IF_ERROR(exchange->call_->Drive(cancel));
    }
    bool any_done = false;
    SteadyClock::time_point until = next_check;
    for (Exchange* exchange : exchanges) {
      if (Advance(*exchange)) {
        any_done = true;
      } else if (exchange->next_try_) {
        until = std::min(until, *exchange->next_try_);
      }
    }
    if (any_done || exchanges.empty()) return {};
    signal_->Wait(until);
    if (SteadyClock::now() >= next_check) {
      AZTABLES_RETURN_IF_ERROR(cancel.Check());
      next_check = SteadyClock::now() + Cancel::kSlice;
    }
  }
}

Outcome Pipeline::Send(Request request, const Cancel& cancel) {
  const std::unique_ptr<Exchange> exchange = Start(std::move(request));
  const std::array<Exchange*, 1> exchanges = {exchange.get()};
  AZTABLES_RETURN_IF_ERROR(WaitAny(exchanges, cancel));
  return exchange->Take();
}

}  // namespace aztables
