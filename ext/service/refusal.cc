// Refusals: see refusal.h.
#include "refusal.h"

namespace aztables {
namespace {

Code CodeOf(int http_status) {
  switch (http_status) {
    case 401:
    case 403:
      return Code::kAuth;
    case 404:
      return Code::kNotFound;
    case 409:
      return Code::kAlreadyExists;
    case 412:
      return Code::kPrecondition;
    case 413:
      return Code::kTooBig;
    case 503:
      return Code::kBusy;
    case 507:
      return Code::kFull;
    default:
      return Code::kError;
  }
}

}  // namespace

Status Refuse(const Refusal& refusal) { return Refuse(refusal, std::string(refusal.message)); }

Status Refuse(const Refusal& refusal, std::string message) {
  ServiceDetail detail;
  detail.http_status = refusal.http_status;
  detail.code = refusal.code;
  detail.message = message;
  return {CodeOf(refusal.http_status), std::move(message), std::move(detail)};
}

}  // namespace aztables
