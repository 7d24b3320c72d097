// Status: see status.h.
#include "base/status.h"

namespace aztables {

Status::Status(Code code, std::string message) : Status(code, std::move(message), {}) {}

Status::Status(Code code, std::string message, ServiceDetail detail)
    : state_(std::make_shared<const State>(State{code, std::move(message), std::move(detail)})) {}

const ServiceDetail& Status::detail() const {
  static const ServiceDetail& none = *new ServiceDetail;  // never destroyed, like Clock::System()
  return state_ ? state_->detail : none;
}

Status Status::WithMessage(std::string message) const {
  return {code(), std::move(message), detail()};
}

}  // namespace aztables
