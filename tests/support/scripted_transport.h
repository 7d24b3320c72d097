// ScriptedTransport: a Transport without a network. A handler, or a list of outcomes, says how each
// request ends and how long that takes; every request that was started can be looked at later.
//
// A reply that is not due yet is counted in questions: a call is done after Done() was asked so
// many times in vain, each of which raises the signal, so that nobody waits for a clock.
//
// Thread rule: one thread, that of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/transport.h"

namespace aztables::support {

// How one attempt ends, and after how many questions.
struct ScriptedReply {
  static constexpr int kNever = -1;

  Outcome outcome;
  int delay = 0;  // kNever: it never ends
};

class ScriptedTransport final : public Transport {
 public:
  // Called when a request is started, in the order of the requests.
  using Handler = std::function<ScriptedReply(const Request&)>;

  explicit ScriptedTransport(Handler handler);
  // The n-th request ends as outcomes[n]; one more than there are is an error that says so.
  explicit ScriptedTransport(std::vector<Outcome> outcomes);

  std::unique_ptr<Call> Start(const Request& request, std::shared_ptr<Signal> signal) override;

  // Every request as it was started.
  const std::vector<Request>& requests() const { return requests_; }
  int in_flight() const { return state_->in_flight; }
  int most_in_flight() const { return state_->most_in_flight; }
  // Calls that were destroyed before they were done.
  int given_up() const { return state_->given_up; }

  // Counted here and by the calls, which may outlive the transport.
  struct State {
    int in_flight = 0;
    int most_in_flight = 0;
    int given_up = 0;
  };

 private:
  Handler handler_;
  std::vector<Request> requests_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// A response with a body, in the form in which the service sends it.
Response MakeResponse(int status, std::string body = "",
                      std::string_view content_type = "application/json;odata=minimalmetadata");
// {"odata.error":...} with the service's code and message and a request id, "id-1".
Response ErrorResponse(int status, std::string_view code, std::string_view message);
// What a transport says when no response came.
Status NoResponse(bool may_have_reached, std::string message = "the connection broke");

}  // namespace aztables::support
