// The transport with a simulation: see simulated_transport.h.
#include "service/simulation/simulated_transport.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Kind = SimulatedFault::Kind;

// The errors of http/curl_transfer.cc, with libcurl's texts.
Status Unreachable(const Request& request) {
  Failure detail;
  detail.contact = Contact::kNone;
  return {Code::kBusy, "cannot reach " + request.origin + ": Connection refused", detail};
}

Status Broken(const Request& request, const std::string& why, Contact contact) {
  Failure detail;
  detail.may_have_reached = true;
  detail.contact = contact;
  return {Code::kBusy, "the connection to " + request.origin + " broke: " + why, detail};
}

Status TimedOut(const Request& request) {
  Failure detail;
  detail.may_have_reached = true;
  detail.contact = Contact::kNoHttp;
  return {Code::kBusy,
          request.origin + " did not answer in time: Operation timed out after " +
              std::to_string(request.timeout.count()) + " milliseconds with 0 bytes received",
          detail};
}

class SimulatedCall;

// The calls of a transport, which share their work and their waits.
class Waits {
 public:
  void Add(SimulatedCall* call) { calls_.push_back(call); }
  void Remove(const SimulatedCall* call) { std::erase(calls_, call); }
  // Does what needs no wait, in all calls. If no call is done by that, sleeps until the next event
  // of a call, at most until `until` and for a slice.
  Status Work(const Cancel& cancel, steady_clock::time_point until);

  steady_clock::time_point refuses_until;  // no connection can be made

 private:
  std::vector<SimulatedCall*> calls_;
  steady_clock::time_point seen_;  // an event before this was reported
};

class SimulatedCall final : public Call {
 public:
  SimulatedCall(Request& request, std::shared_ptr<Transport> inner,
                std::shared_ptr<Simulation> simulation, std::shared_ptr<Waits> waits)
      : request_(request),
        inner_(std::move(inner)),
        simulation_(std::move(simulation)),
        waits_(std::move(waits)) {
    waits_->Add(this);
    Begin();
  }
  ~SimulatedCall() override { waits_->Remove(this); }
  SimulatedCall(const SimulatedCall&) = delete;
  SimulatedCall& operator=(const SimulatedCall&) = delete;

  bool Done() const override { return outcome_ && steady_clock::now() >= event_; }
  Outcome Take() override { return std::move(*outcome_); }
  steady_clock::time_point ended() const override { return event_; }
  bool MayHaveReached() const override { return !(call_ && !call_->Done()); }

  Status Work(const Cancel& cancel, steady_clock::time_point until) override {
    return waits_->Work(cancel, until);
  }

  // When the call has something to do.
  steady_clock::time_point event() const { return event_; }

  // Does what does not need to wait. Returns whether the outcome is new.
  Result<bool> Advance(const Cancel& cancel) {
    if (outcome_) return false;
    if (!call_) {  // a stall before the work
      if (steady_clock::now() < event_) return false;
      if (event_ == LastMoment()) {
        End(TimedOut(request_), LastMoment());
        return true;
      }
      StartInner();
    }
    AZTABLES_RETURN_IF_ERROR(call_->Work(cancel, {}));
    if (!call_->Done()) return false;
    Outcome outcome = call_->Take();
    if (outcome.ok()) {
      Complete(std::move(*outcome));
    } else {
      End(outcome.status(), steady_clock::now());  // a failure of the store
    }
    return true;
  }

 private:
  void Begin() {
    if (begun_ < waits_->refuses_until) {
      End(Unreachable(request_), begun_);
      return;
    }
    encounter_ = simulation_->Meet(request_);
    const SimulatedFault* const fault = encounter_.fault;
    if (encounter_.Meets(Kind::kRefuse)) {
      waits_->refuses_until = begun_ + fault->time.value_or(Simulation::kRefusal);
      End(Unreachable(request_), begun_);
    } else if (encounter_.Meets(Kind::kStall) && !fault->after) {
      event_ = LastMoment();
      if (fault->time) event_ = std::min(event_, begun_ + *fault->time);
    } else if (encounter_.carried_out) {
      StartInner();
    } else {
      Complete(Response());
    }
  }

  void StartInner() { call_ = inner_->Start(request_); }

  steady_clock::time_point LastMoment() const { return begun_ + request_.timeout; }

  // Makes the outcome from the service's response, which is empty if the request was not carried
  // out.
  void Complete(Response response) {
    simulation_->Complete(encounter_, response);
    const SimulatedFault* const fault = encounter_.fault;
    const bool stalls = encounter_.Meets(Kind::kStall);
    auto end = begun_ + encounter_.latency;
    if (stalls) end += fault->time ? *fault->time : request_.timeout;
    if (encounter_.Meets(Kind::kReset) && !fault->after) end = begun_;
    if (end >= LastMoment()) {
      End(TimedOut(request_), LastMoment());
    } else if (encounter_.Meets(Kind::kReset)) {
      End(Broken(request_, "Recv failure: Connection reset by peer", Contact::kNoHttp), end);
    } else if (!encounter_.Meets(Kind::kTruncate)) {
      End(std::move(response), end);
    } else if (response.body.empty()) {
      End(Broken(request_, "Empty reply from server", Contact::kNoHttp), end);
    } else {
      const size_t rest = response.body.size() - Simulation::Kept(encounter_, response);
      const std::string why =
          "transfer closed with " + std::to_string(rest) + " bytes remaining to read";
      End(rest == 0 ? Outcome(std::move(response)) : Broken(request_, why, Contact::kSome), end);
    }
  }

  void End(Outcome outcome, steady_clock::time_point end) {
    outcome_.emplace(std::move(outcome));
    event_ = end;
  }

  Request& request_;
  const std::shared_ptr<Transport> inner_;
  const std::shared_ptr<Simulation> simulation_;
  const std::shared_ptr<Waits> waits_;
  const steady_clock::time_point begun_ = steady_clock::now();
  Encounter encounter_;
  std::unique_ptr<Call> call_;      // of the inner transport, from the work on
  std::optional<Outcome> outcome_;  // the client gets it at event_
  steady_clock::time_point event_ = begun_;
};

Status Waits::Work(const Cancel& cancel, steady_clock::time_point until) {
  bool any_new = false;
  for (SimulatedCall* call : calls_) {
    const auto is_new = call->Advance(cancel);
    if (!is_new.ok()) return is_new.status();
    any_new = any_new || *is_new;
  }
  const auto now = steady_clock::now();
  until = std::min(until, now + Cancel::kSlice);
  for (const SimulatedCall* call : calls_) {
    any_new = any_new || (call->event() > seen_ && call->event() <= now);
    if (call->event() > now) until = std::min(until, call->event());
  }
  seen_ = now;
  if (any_new) return {};
  std::this_thread::sleep_until(until);
  return cancel.Check();
}

class SimulatedTransport final : public Transport {
 public:
  SimulatedTransport(std::unique_ptr<Transport> inner, std::unique_ptr<Simulation> simulation)
      : inner_(std::move(inner)), simulation_(std::move(simulation)) {}

  std::unique_ptr<Call> Start(Request& request) override {
    return std::make_unique<SimulatedCall>(request, inner_, simulation_, waits_);
  }

 private:
  const std::shared_ptr<Transport> inner_;
  const std::shared_ptr<Simulation> simulation_;
  const std::shared_ptr<Waits> waits_ = std::make_shared<Waits>();
};

}  // namespace

std::unique_ptr<Transport> MakeSimulatedTransport(std::unique_ptr<Transport> inner,
                                                  std::unique_ptr<Simulation> simulation) {
  return std::make_unique<SimulatedTransport>(std::move(inner), std::move(simulation));
}

}  // namespace aztables
