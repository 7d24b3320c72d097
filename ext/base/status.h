// Status and Result<T>: how every layer reports an error. Nothing in the project throws. An error
// is a value: a code, what failed as fields (failure.h), and the sentence that they make.
//
// Thread rule: values; distinct objects may be used on distinct threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/failure.h"

namespace aztables {

// What kind of failure it was. ext/vtab maps each to one SQLite result code.
enum class Code {
  kOk,
  kError,          // anything without a code of its own
  kNotFound,       // the table or the entity does not exist (404)
  kAlreadyExists,  // an inserted entity or table exists (409)
  kPrecondition,   // the ETag no longer matches (412)
  kNotNull,        // a key is NULL
  kMismatch,       // a value does not fit the type
  kAuth,           // refused: 401, 403
  kBusy,           // throttled or unreachable
  kReadOnly,       // writing is not allowed here
  kInterrupt,      // sqlite3_interrupt()
  kTooBig,         // a limit of the service or of this library
  kFull,           // the local disk
  kAborted,        // the statement's transaction was rolled back while it ran
  kBudget,         // the statement has used up a limit: requests, entities, time, memory
  kNoMemory,       // an allocation failed
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, Failure failure);
  Status(Code code, std::string cause);
  Status(Code code, std::string cause, Failure failure);  // `failure`, with this cause

  static Status Error(std::string cause) { return {Code::kError, std::move(cause)}; }

  bool ok() const { return state_ == nullptr; }
  Code code() const { return state_ ? state_->code : Code::kOk; }
  std::string_view message() const { return state_ ? std::string_view(state_->message) : ""; }
  // What failed; all empty if OK.
  const Failure& failure() const;

  // The failure of an object that `where` names, before the names that it has already.
  Status In(std::string_view where) const;
  // The failure with more advice, and with one more note. Both begin with their punctuation.
  Status WithAdvice(std::string_view advice) const;
  Status Noting(std::string_view note) const;
  // The failure with another code.
  Status As(Code code) const { return {code, failure()}; }

 private:
  struct State {
    Code code;
    Failure failure;
    std::string message;  // Sentence(failure)
  };
  std::shared_ptr<const State> state_;  // null when OK
};

// A T, or the Status of the failure.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Result(Status status) : state_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 1; }
  Status status() const { return ok() ? Status() : std::get<0>(state_); }

  // REQUIRES: ok()
  T& operator*() { return *std::get_if<1>(&state_); }
  const T& operator*() const { return *std::get_if<1>(&state_); }
  T* operator->() { return std::get_if<1>(&state_); }
  const T* operator->() const { return std::get_if<1>(&state_); }

 private:
  std::variant<Status, T> state_;
};

}  // namespace aztables

// Returns the Status of `expression` from the enclosing function if it is an error.
#define AZTABLES_RETURN_IF_ERROR(expression)                        \
  do {                                                              \
    if (::aztables::Status status_ = (expression); !status_.ok()) { \
      return status_;                                               \
    }                                                               \
  } while (false)
