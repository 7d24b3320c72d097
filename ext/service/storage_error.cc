// Storage errors: see storage_error.h.
#include "service/storage_error.h"

#include "base/encoding.h"

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

bool IsStoreFailure(const Status& status) {
  const int http_status = status.detail().http_status;
  return status.code() == Code::kReadOnly || (http_status >= 500 && http_status != 501) ||
         (!status.ok() && http_status == 0);
}

Status FailureOfStore(const std::string& path, const Status& failure) {
  std::string message(failure.message());
  constexpr std::string_view kSubject = "The store ";
  if (message.starts_with(kSubject)) message.replace(0, kSubject.size(), "it ");
  if (!message.empty()) message[0] = ToLowerAscii(message[0]);
  if (message.ends_with('.')) message.pop_back();
  return {failure.code(), "the store " + path + ": " + message, failure.detail()};
}

Status ToStatus(const StorageError& error, std::string message) {
  ServiceDetail detail;
  detail.http_status = error.http_status;
  detail.code = error.code;
  detail.message = message;
  const bool read_only = error.message == errors::kReadOnlyStore.message;
  return {read_only ? Code::kReadOnly : CodeOf(error.http_status), std::move(message),
          std::move(detail)};
}

}  // namespace aztables
