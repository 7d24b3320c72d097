// ScriptedTransport: see scripted_transport.h.
#include "support/scripted_transport.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace aztables::support {
namespace {

class ScriptedCall final : public Call {
 public:
  ScriptedCall(ScriptedReply reply, std::shared_ptr<ScriptedTransport::State> state)
      : outcome_(std::move(reply.outcome)),
        left_(reply.delay),
        shows_head_(reply.shows_head),
        state_(std::move(state)) {
    ++state_->in_flight;
    state_->most_in_flight = std::max(state_->most_in_flight, state_->in_flight);
  }
  ~ScriptedCall() override {
    if (taken_) return;
    --state_->in_flight;
    ++state_->given_up;
  }

  bool Done() const override {
    if (left_ == ScriptedReply::kNever) return false;
    if (left_ == 0) return true;
    --left_;
    return false;
  }
  Status Work(const Cancel& cancel, std::chrono::steady_clock::time_point until) override {
    return left_ == ScriptedReply::kNever ? Call::Work(cancel, until) : Status();
  }
  const Response* Head() const override { return shows_head_ ? &*outcome_ : nullptr; }
  Outcome Take() override {
    taken_ = true;
    --state_->in_flight;
    return std::move(outcome_);
  }

 private:
  Outcome outcome_;
  mutable int left_;
  bool shows_head_;
  bool taken_ = false;
  std::shared_ptr<ScriptedTransport::State> state_;
};

}  // namespace

ScriptedTransport::ScriptedTransport(Handler handler) : handler_(std::move(handler)) {}

ScriptedTransport::ScriptedTransport(std::vector<Outcome> outcomes)
    : handler_([outcomes = std::move(outcomes), next = size_t{0}](const Request&) mutable {
        if (next == outcomes.size()) {
          return ScriptedReply{Status::Error("the script has no outcome for this request")};
        }
        return ScriptedReply{outcomes[next++]};
      }) {}

std::unique_ptr<Call> ScriptedTransport::Start(Request& request) {
  requests_.push_back(request);
  return std::make_unique<ScriptedCall>(handler_(request), state_);
}

Response MakeResponse(int status, std::string body, std::string_view content_type) {
  Response response;
  response.status = status;
  response.headers.Add("Content-Type", std::string(content_type));
  response.headers.Add("x-ms-request-id", "id-1");
  response.body = std::move(body);
  return response;
}

Response ErrorResponse(int status, std::string_view code, std::string_view message) {
  return MakeResponse(status, R"({"odata.error":{"code":")" + std::string(code) +
                                  R"(","message":{"lang":"en-US","value":")" +
                                  std::string(message) +
                                  R"(\nRequestId:id-1\nTime:2026-11-02T10:00:00.0000000Z"}}})");
}

Status NoResponse(bool may_have_reached, std::string message) {
  Failure detail;
  detail.may_have_reached = may_have_reached;
  return {Code::kBusy, std::move(message), detail};
}

}  // namespace aztables::support
