// The service's response to input that it cannot read, as a Status: 400 InvalidInput.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

inline constexpr std::string_view kInputNotValid = "One of the request inputs is not valid.";

// An error response of the service as a Status. Its message() is the service's sentence too.
Status Refused(int http_status, std::string_view code, std::string_view sentence);

// 400 InvalidInput with that sentence.
Status InvalidInput(std::string_view sentence = kInputNotValid);
// 400 InvalidInput with kInputNotValid; message() gives the precise reason.
Status InvalidInputBecause(std::string message);

}  // namespace aztables
