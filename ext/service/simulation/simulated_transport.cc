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

// The calls of a transport. A call that waits for its time blocks its thread, but at most until
// another call has something to do.
class Waits {
 public:
  void Add(SimulatedCall* call) { calls_.push_back(call); }
  void Remove(const SimulatedCall* call) {
    std::erase(calls_, call);
    Changed();
  }
  void Changed() { ++version_; }
  uint64_t version() const { return version_; }
  // Sleeps until the next event of a call, at most for a slice.
  void Sleep();

  steady_clock::time_point refuses_until;  // no connection can be made

 private:
  std::vector<SimulatedCall*> calls_;
  uint64_t version_ = 0;
};

class SimulatedCall final : public Call {
 public:
  SimulatedCall(Request& request, std::shared_ptr<Signal> signal, std::shared_ptr<Transport> inner,
                std::shared_ptr<Simulation> simulation, std::shared_ptr<Waits> waits)
      : request_(request),
        signal_(std::move(signal)),
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

  // A call sleeps only if no call has changed since it was last driven. So the pipeline sees each
  // call that is done before a thread sleeps for another one.
  Status Drive(const Cancel& cancel) override {
    AZTABLES_RETURN_IF_ERROR(Advance(cancel));
    if (Done()) return {};
    if (std::exchange(seen_, waits_->version()) == waits_->version()) {
      waits_->Sleep();
      waits_->Changed();
      seen_ = waits_->version();
      AZTABLES_RETURN_IF_ERROR(cancel.Check());
      AZTABLES_RETURN_IF_ERROR(Advance(cancel));
    }
    signal_->Raise();  // the thread drives the calls again
    return {};
  }

  // When the call has something to do; nothing if the time has come.
  std::optional<steady_clock::time_point> NextEvent() const {
    return steady_clock::now() < event_ ? std::optional(event_) : std::nullopt;
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

  // Does what does not need to wait.
  Status Advance(const Cancel& cancel) {
    if (outcome_) return {};
    if (!call_) {  // a stall before the work
      if (steady_clock::now() < event_) return {};
      if (event_ == LastMoment()) {
        End(TimedOut(request_), LastMoment());
        return {};
      }
      StartInner();
    }
    AZTABLES_RETURN_IF_ERROR(call_->Drive(cancel));
    if (!call_->Done()) return {};
    Outcome outcome = call_->Take();
    if (outcome.ok()) {
      Complete(std::move(*outcome));
    } else {
      End(outcome.status(), steady_clock::now());  // a failure of the store
    }
    return {};
  }

  void StartInner() { call_ = inner_->Start(request_, signal_); }

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
    waits_->Changed();
  }

  Request& request_;
  const std::shared_ptr<Signal> signal_;
  const std::shared_ptr<Transport> inner_;
  const std::shared_ptr<Simulation> simulation_;
  const std::shared_ptr<Waits> waits_;
  const steady_clock::time_point begun_ = steady_clock::now();
  Encounter encounter_;
  std::unique_ptr<Call> call_;      // of the inner transport, from the work on
  std::optional<Outcome> outcome_;  // the client gets it at event_
  steady_clock::time_point event_ = begun_;
  std::optional<uint64_t> seen_;  // the version of waits_ when it was last driven
};

void Waits::Sleep() {
  auto until = steady_clock::now() + Cancel::kSlice;
  for (const SimulatedCall* call : calls_) {
    if (const auto event = call->NextEvent()) until = std::min(until, *event);
  }
  std::this_thread::sleep_until(until);
}

class SimulatedTransport final : public Transport {
 public:
  SimulatedTransport(std::unique_ptr<Transport> inner, std::unique_ptr<Simulation> simulation)
      : inner_(std::move(inner)), simulation_(std::move(simulation)) {}

  std::unique_ptr<Call> Start(Request& request, std::shared_ptr<Signal> signal) override {
    return std::make_unique<SimulatedCall>(request, std::move(signal), inner_, simulation_, waits_);
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
