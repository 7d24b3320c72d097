// Continuation tokens: see continuation.h.
#include "service/handlers/continuation.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables {

std::string EncodeToken(std::string_view text) {
  std::string base64 = Base64Encode(text);
  std::replace(base64.begin(), base64.end(), '=', '-');
  return "1!" + std::to_string(base64.size()) + "!" + base64;
}

std::optional<std::string> DecodeToken(std::string_view token) {
  if (!token.starts_with("1!")) return std::nullopt;
  token.remove_prefix(2);
  const size_t mark = token.find('!');
  if (mark == std::string_view::npos) return std::nullopt;
  const auto length = ParseInteger(token.substr(0, mark));
  token.remove_prefix(mark + 1);
  if (!length || *length != static_cast<int64_t>(token.size())) return std::nullopt;
  std::string base64(token);
  std::replace(base64.begin(), base64.end(), '-', '=');
  // A client that does not percent-encode the token turns "+" into a blank.
  std::replace(base64.begin(), base64.end(), ' ', '+');
  std::string text;
  if (!Base64Decode(base64, text) || !IsValidUtf8(WithoutLoneSurrogates(text))) return std::nullopt;
  return text;
}

}  // namespace aztables
