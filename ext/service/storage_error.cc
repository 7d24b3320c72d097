// Storage errors: see storage_error.h.
#include "service/storage_error.h"

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

Status ToStatus(const StorageError& error) { return ToStatus(error, std::string(error.message)); }

Status ToStatus(const StorageError& error, std::string message) {
  Failure detail;
  detail.http_status = error.http_status;
  detail.code = error.code;
  detail.message = message;
  Code code = CodeOf(error.http_status);
  if (error.message == errors::kReadOnlyStore.message) code = Code::kReadOnly;
  if (error.message == errors::kOutOfMemory.message) code = Code::kNoMemory;
  return {code, std::move(message), std::move(detail)};
}

}  // namespace aztables
