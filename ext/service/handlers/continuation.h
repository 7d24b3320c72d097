// Continuation tokens in the service's form: 1!<length of the base64>!<base64, "=" as "-">.
// Recorded traffic: an entity token contains the key of the next page's first entity. A table token
// contains the table's name in lower case, U+0001 and 16 hex digits.
//
// Thread rule: free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

std::string EncodeToken(std::string_view text);
// Nothing if `token` does not have this form.
std::optional<std::string> DecodeToken(std::string_view token);

}  // namespace aztables
