// Status and Result<T>: how every layer reports an error. Nothing in the project throws. An error
// is a value: a code, one sentence for a person, and the details of the table service's response.
//
// Thread rule: values; distinct objects may be used on distinct threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

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
};

// How far an attempt without a response got.
enum class Contact : uint8_t {
  kNone,    // no host has the name, or it refused the connection: nothing was sent
  kNoTls,   // the TLS handshake failed after the connection: nothing was sent
  kNoHttp,  // connected, but no byte of HTTP was received
  kSome,    // anything else
};

// The details of a failure: mostly those of the service's response, if there was one.
struct ServiceDetail {
  int http_status = 0;               // 0: no response
  std::string code;                  // such as "EntityAlreadyExists"; empty if absent
  std::string message;               // first line of the service's own message
  std::string request_id;            // x-ms-request-id
  int operation_index = -1;          // zero-based operation of an EGT that failed; -1: unknown
  bool may_have_reached = false;     // the failed request may have been carried out
  Contact contact = Contact::kSome;  // of an attempt without a response
  // The response decides nothing: it was cut off, is not a table service's, or hides a transient
  // failure. The request may be sent again.
  bool inconclusive = false;
  bool bad_syntax = false;  // the service cannot parse the filter
  std::string_view limit;   // of kBudget: "max_requests" and the like, a literal
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message);
  Status(Code code, std::string message, ServiceDetail detail);

  static Status Error(std::string message) { return {Code::kError, std::move(message)}; }

  bool ok() const { return state_ == nullptr; }
  Code code() const { return state_ ? state_->code : Code::kOk; }
  std::string_view message() const { return state_ ? std::string_view(state_->message) : ""; }
  // The details of the service's response; all empty if there are none.
  const ServiceDetail& detail() const;

  // The same failure with another message.
  Status WithMessage(std::string message) const;

 private:
  struct State {
    Code code;
    std::string message;
    ServiceDetail detail;
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
