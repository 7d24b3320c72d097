// Status: see status.h.
#include "base/status.h"

namespace aztables {
namespace {

Failure CausedBy(std::string cause, Failure failure) {
  failure.cause = std::move(cause);
  return failure;
}

}  // namespace

Status::Status(Code code, Failure failure)
    : state_([&] {
        std::string message = Sentence(failure);
        return std::make_shared<const State>(State{code, std::move(failure), std::move(message)});
      }()) {}

Status::Status(Code code, std::string cause) : Status(code, std::move(cause), {}) {}

Status::Status(Code code, std::string cause, Failure failure)
    : Status(code, CausedBy(std::move(cause), std::move(failure))) {}

const Failure& Status::failure() const {
  static const Failure& none = *new Failure;  // never destroyed, like Clock::System()
  return state_ ? state_->failure : none;
}

Status Status::In(std::string_view where) const {
  if (ok()) return *this;
  Failure changed = failure();
  changed.where = std::string(where) + (changed.where.empty() ? "" : ": ") + changed.where;
  return {code(), std::move(changed)};
}

Status Status::WithAdvice(std::string_view advice) const {
  if (ok()) return *this;
  Failure changed = failure();
  changed.advice += advice;
  return {code(), std::move(changed)};
}

Status Status::Noting(std::string_view note) const {
  if (ok()) return *this;
  Failure changed = failure();
  changed.notes += note;
  return {code(), std::move(changed)};
}

}  // namespace aztables
