// Input that the service cannot read: see invalid_input.h.
#include "odata/invalid_input.h"

#include <utility>

namespace aztables {

Status Refused(int http_status, std::string_view code, std::string_view sentence) {
  Failure detail;
  detail.http_status = http_status;
  detail.code = code;
  detail.message = sentence;
  return {Code::kError, std::string(sentence), std::move(detail)};
}

Status InvalidInput(std::string_view sentence) { return Refused(400, "InvalidInput", sentence); }

Status InvalidInputBecause(std::string message) {
  return {Code::kError, std::move(message), InvalidInput().failure()};
}

}  // namespace aztables
