// ScriptedTransport: a Transport without a network. A handler or a list of outcomes determines each
// request's outcome and delay. All started requests are recorded.
//
// Delays are counted in calls of Done(), not in time. A call is done after so many calls of Done();
// each of them raises the signal.
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

// The outcome of one attempt, and the number of calls of Done() before it.
struct ScriptedReply {
  static constexpr int kNever = -1;

  Outcome outcome;
  int delay = 0;            // kNever: it never ends
  bool shows_head = false;  // its head is known before it ends
};

class ScriptedTransport final : public Transport {
 public:
  // Called when a request starts, in the order of the requests.
  using Handler = std::function<ScriptedReply(const Request&)>;

  explicit ScriptedTransport(Handler handler);
  // The n-th request ends as outcomes[n]. Any further request gets an error.
  explicit ScriptedTransport(std::vector<Outcome> outcomes);

  std::unique_ptr<Call> Start(Request& request) override;

  // Every started request.
  const std::vector<Request>& requests() const { return requests_; }
  int in_flight() const { return state_->in_flight; }
  int most_in_flight() const { return state_->most_in_flight; }
  // The number of calls that were destroyed before they were done.
  int given_up() const { return state_->given_up; }

  // Shared with the calls, which may outlive the transport.
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

// A response with a body in the service's form.
Response MakeResponse(int status, std::string body = "",
                      std::string_view content_type = "application/json;odata=minimalmetadata");
// {"odata.error":...} with the service's code and message and a request id, "id-1".
Response ErrorResponse(int status, std::string_view code, std::string_view message);
// The transport's error if there was no response.
Status NoResponse(bool may_have_reached, std::string message = "the connection broke");

}  // namespace aztables::support
