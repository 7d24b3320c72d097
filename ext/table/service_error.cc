// Failures of the service: see service_error.h.
// Source of codes: Microsoft, "Table service error codes" and recorded traffic of the live service.
#include "table/service_error.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/conceal.h"
#include "base/encoding.h"
#include "model/datetime.h"
#include "model/limits.h"
#include "odata/response_body.h"
#include "platform/file.h"

namespace aztables {
namespace {

constexpr std::array<std::string_view, 7> kTooLarge = {
    "EntityTooLarge",   "PropertyValueTooLarge", "TooManyProperties",    "PropertyNameTooLong",
    "KeyValueTooLarge", "RequestBodyTooLarge",   "ContentLengthExceeded"};

// The most bytes of a success response that are searched for an error. An error body of a table
// service has a few hundred bytes.
constexpr size_t kMostOfAnError = size_t{1} << 16;

Code CodeFor(int status, std::string_view code) {
  if (code == "InsufficientAccountPermissions") return Code::kReadOnly;
  if (status == 401 || status == 403) return Code::kAuth;
  if (status == 507) return Code::kFull;
  if (code == "TableBeingDeleted" || IsTransient(status)) return Code::kBusy;
  if (status == 404) return Code::kNotFound;
  if (status == 409) return Code::kAlreadyExists;
  if (status == 412) return Code::kPrecondition;
  if (status == 413 || std::find(kTooLarge.begin(), kTooLarge.end(), code) != kTooLarge.end()) {
    return Code::kTooBig;
  }
  return Code::kError;
}

std::string Quote(std::string_view name) { return "'" + std::string(name) + "'"; }

// A connection that is written out where it is used (LocalStore=PATH, env:VARIABLE, file:PATH) has
// no name for aztables_create_table. A connection in memory would be another one under a name.
std::string HowToCreate(const std::string& connection, std::string_view table) {
  const auto create = [table](const std::string& name) {
    return "SELECT aztables_create_table(" + QuoteText(name + "." + std::string(table)) + ")";
  };
  if (connection.find_first_of("=:") == std::string::npos) {
    return "create it: " + create(connection);
  }
  std::string how = "write create=missing in CREATE VIRTUAL TABLE";
  if (connection.find(":memory:") != std::string::npos) return how;
  return how + ", or SELECT aztables_connect('local', " + QuoteText(connection) + ") and then " +
         create("local");
}

// Whether there were retries, or there would have been.
bool WasRetried(const Exchange& exchange) {
  return exchange.retries() > 0 || exchange.out_of_retries();
}

// "after 3 attempts"
std::string Attempts(const Exchange& exchange) {
  std::string text = "after " + std::to_string(exchange.attempts()) +
                     (exchange.attempts() == 1 ? " attempt" : " attempts");
  if (exchange.out_of_retries()) {
    text += " (no more: every fifth request of the last minute was a retry)";
  }
  return text;
}

// Why the service refuses the credential. Source of the codes: Microsoft, "Table service error
// codes", "SAS error codes".
std::string Refusal(const ServiceEndpoint& endpoint, std::string_view table,
                    const ErrorBody& error) {
  const std::string_view code = error.code;
  const std::string of = " of connection " + Quote(endpoint.connection);
  if (code == "KeyBasedAuthenticationNotPermitted") {
    return "the account" + of +
           " permits no account keys, nor a SAS that one has signed; use a Microsoft Entra "
           "identity: "
           "write Credential=... in place of the key";
  }
  if (code == "AccountIsDisabled") return "the account" + of + " is disabled";
  if (endpoint.sas) {
    const Ticks now = UnixTime(Clock::System().NowMs());
    const std::string excluded = WhatTermsExclude(*endpoint.sas, table, code, now);
    if (!excluded.empty()) return "the SAS" + of + " " + excluded;
  }
  const std::string identity = endpoint.credential ? endpoint.credential->Identity() : "";
  // Azurite sends this code for a wrong key, too, with the sentence of AuthenticationFailed.
  const bool known = !error.message.starts_with("Server failed to authenticate");
  if (code == "AuthorizationFailure" && known) {
    return "the account" + of +
           " does not serve this machine: its firewall or its network rules exclude it, or no SAS "
           "may make this request";
  }
  if (!identity.empty() && code.starts_with("Authorization") && known) {
    return identity +
           " may not do this; it needs the role Storage Table Data Reader, or to write Storage "
           "Table Data Contributor, for the account, or for the table; a new role takes some "
           "minutes";
  }
  if (!identity.empty()) return "the service refused the token of " + identity;
  if (code.starts_with("Authorization") && known) {
    return "the credential" + of + " does not permit this; use one with the right for it";
  }
  return "the service refused the credential; check the key or SAS" + of +
         ", and the clock of this machine";
}

// The cause and what to do.
std::string Explain(const ServiceEndpoint& endpoint, std::string_view table,
                    std::string_view entity, int status, const ErrorBody& error,
                    const Exchange& exchange) {
  const std::string quoted = error.message.empty() ? "" : " (\"" + error.message + "\")";
  if (error.code == "TableNotFound") {
    std::string none = "the table does not exist";
    if (IsMetricsTable(table)) return none + "; the service makes it if its metrics are on";
    if (IsMissingFile(endpoint.store_file)) {
      return none + "; there is no file " + endpoint.store_file + ": check the path, or " +
             HowToCreate(endpoint.connection, table);
    }
    return none + "; see SELECT name FROM aztables_tables(" + QuoteText(endpoint.connection) +
           ") for those that do, or " + HowToCreate(endpoint.connection, table);
  }
  if (error.code == "EntityAlreadyExists") return EntityExistsText(entity);
  if (error.code == "TableBeingDeleted") {
    return "a table of this name is still being deleted, which takes 40 s or more; try again later";
  }
  if (error.code == "UpdateConditionNotSatisfied") {
    return (entity.empty() ? "an entity of the table" : "the entity " + std::string(entity)) +
           " was changed since it was read; read it again";
  }
  if (error.code == "ResourceNotFound" && !entity.empty()) {
    return "the entity " + std::string(entity) + " no longer exists; read it again";
  }
  if (error.code == "InsufficientAccountPermissions") {
    return "the account cannot be written" + quoted;
  }
  if (status == 401 || status == 403) return Refusal(endpoint, table, error) + quoted;
  if (IsTransient(status)) {
    return "the service is busy or failed" + quoted + ", " + Attempts(exchange) +
           "; try again later";
  }
  // A front end refuses it, in a form of its own.
  if (status == 414 || status == 431) {
    return "the address of the request is too long for the service";
  }
  const std::string at = entity.empty() ? "" : " at the entity " + std::string(entity);
  if (!error.recognized) {
    return endpoint.origin + " did not answer like a table service" + quoted +
           "; check the endpoint of connection " + Quote(endpoint.connection);
  }
  return "the service refused the request" + at + quoted;
}

// An error that was cut off, or a page of a proxy or of a portal in place of the service's
// response. A front end that refuses a request for its form sends a page, too, and would send it
// again. REQUIRES: the body is not recognized
bool IsCutOrForeign(const Response& response) {
  if (TrimBlanks(response.body).starts_with("{")) return true;
  const int status = response.status;
  const bool of_form = status == 400 || status == 413 || status == 414 || status == 431;
  if (of_form || response.body.empty()) return false;
  return response.headers.Get("Content-Type").starts_with("text/html") ||
         TrimBlanks(response.body).starts_with("<");
}

// The cause of a missing response, if the user can probably remove it.
std::string LikelyCause(const ServiceEndpoint& endpoint, const Status& error,
                        const Exchange& exchange) {
  if (error.code() != Code::kBusy) return "";
  const Contact contact = error.failure().contact;
  if (contact == Contact::kNone && endpoint.emulator) {
    return "; is aztables-server or Azurite running?";
  }
  if (contact == Contact::kNone) {
    return "; check the account name or the endpoint of connection " + Quote(endpoint.connection) +
           ", and the network";
  }
  if (contact == Contact::kNoTls && exchange.first_contact()) {
    return "; if its port speaks HTTP without TLS, write http, not https";
  }
  const bool may_want_tls = contact == Contact::kNoHttp && exchange.first_contact() &&
                            endpoint.origin.starts_with("http:");
  return may_want_tls ? "; if its port speaks HTTP over TLS, write https, not http" : "";
}

}  // namespace

std::string ServiceEndpoint::Showable(std::string_view text) const {
  return Conceal(std::string(text), credential ? credential->Signatures() : std::string_view());
}

Failure AskedOf(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                Failure failure) {
  failure.operation = what;
  failure.table = table;
  failure.connection = endpoint.connection;
  return failure;
}

Status ResponseError(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                     std::string_view entity, const Response& response, const Exchange& exchange) {
  // The transport has already made error responses showable (MakeShowable).
  std::string success;
  std::string_view body = response.body;
  if (response.status < 300) body = success = endpoint.Showable(body.substr(0, kMostOfAnError));
  ErrorBody error = ReadErrorBody(body);
  if (error.code.empty()) error.code = response.headers.Get("x-ms-error-code");
  Failure failure = AskedOf(endpoint, what, table);
  failure.entity = entity;
  failure.cause = Explain(endpoint, table, entity, response.status, error, exchange);
  failure.has_response = true;
  failure.http_status = response.status;
  failure.code = error.code;
  failure.message = error.message;
  failure.request_id = response.headers.Get("x-ms-request-id");
  failure.operation_index = error.operation_index;
  if (error.lacks_memory) {
    failure.cause = "there is no memory to read the response";
    return {Code::kNoMemory, std::move(failure)};
  }
  failure.inconclusive = !error.recognized && IsCutOrForeign(response);
  return {CodeFor(response.status, error.code), std::move(failure)};
}

Status TransportError(const ServiceEndpoint& endpoint, std::string_view what,
                      std::string_view table, const Status& error, const Exchange& exchange) {
  if (error.code() == Code::kInterrupt) return error;
  if (error.code() == Code::kBudget) {
    const Status& last = exchange.last_failure();
    if (last.ok()) return error;
    return error.WithAdvice("; the last attempt failed: " + std::string(last.message()) +
                            LikelyCause(endpoint, last, exchange));
  }
  Failure failure = AskedOf(endpoint, what, table, error.failure());
  if (WasRetried(exchange)) failure.cause += ", " + Attempts(exchange);
  failure.advice = LikelyCause(endpoint, error, exchange);
  return {error.code(), std::move(failure)};
}

Status UnreadableError(const ServiceEndpoint& endpoint, std::string_view what,
                       std::string_view table, const Status& error, const Response& response,
                       const Exchange& exchange) {
  const Status status = ShapeError(endpoint, what, table, error, response);
  if (status.code() == Code::kNoMemory) return status;
  Failure failure = status.failure();
  if (WasRetried(exchange)) failure.cause += ", " + Attempts(exchange);
  failure.inconclusive = true;
  return {status.code(), std::move(failure)};
}

Status ShapeError(const ServiceEndpoint& endpoint, std::string_view what, std::string_view table,
                  const Status& error, const Response& response) {
  Failure failure = AskedOf(endpoint, what, table);
  failure.cause = endpoint.Showable(error.message());
  const bool of_memory = error.code() == Code::kNoMemory;
  if (!of_memory) failure.advice = "; check the endpoint " + endpoint.origin + endpoint.path;
  failure.has_response = true;
  failure.http_status = response.status;
  failure.request_id = response.headers.Get("x-ms-request-id");
  failure.may_have_reached = true;
  return {of_memory ? error.code() : Code::kError, std::move(failure)};
}

}  // namespace aztables
