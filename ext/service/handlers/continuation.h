// Continuation tokens in the service's form: 1!<length of the base64>!<base64, "=" as "-">.
// Recorded traffic: the text of an entity token is the key of the first entity of the next page;
// that of a table token is its name in lower case, U+0001 and 16 hex digits.
//
// Thread rule: free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

std::string EncodeToken(std::string_view text);
// Nothing where `token` is none of ours.
std::optional<std::string> DecodeToken(std::string_view token);

}  // namespace aztables
