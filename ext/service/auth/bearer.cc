// Tokens of Microsoft Entra: see credentials.h. Source of the claims: Microsoft, "Access tokens in
// the Microsoft identity platform".
#include <algorithm>
#include <array>

#include "base/encoding.h"
#include "odata/json_object.h"
#include "service/auth/credentials.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

constexpr std::string_view kFirstVersionWithTokens = "2017-11-09";

constexpr std::array<std::string_view, 5> kIssuers = {
    "https://sts.windows.net/", "https://login.microsoftonline.com/",
    "https://login.microsoftonline.us/", "https://sts.chinacloudapi.cn/",
    "https://login.partner.microsoftonline.cn/"};

Status Refuse(const AuthenticationInput& input, std::string_view detail) {
  const StorageError& error = Unauthenticated(input);
  return ToStatus(error, std::string(error.message) + " " + std::string(detail));
}

bool IsAudience(std::string_view audience, std::string_view account) {
  if (audience.ends_with('/')) audience.remove_suffix(1);
  return audience == "https://storage.azure.com" ||
         audience == "https://" + std::string(account) + ".table.core.windows.net";
}

}  // namespace

Status CheckToken(const AuthenticationInput& input, std::string_view token) {
  if (!input.tokens) return ToStatus(errors::kInvalidAuthenticationInfo);
  if (input.request->headers.Get("x-ms-version") < kFirstVersionWithTokens) {
    return Refuse(input, "This version takes no tokens.");
  }
  TakeUntil(token, '.');
  const auto claims = JsonObject::Read(Base64UrlDecode(TakeUntil(token, '.')).value_or(""));
  if (!claims.ok()) return Refuse(input, "The token is not a JSON web token.");
  const std::string_view issuer = claims->Get("iss");
  if (std::none_of(kIssuers.begin(), kIssuers.end(),
                   [issuer](std::string_view known) { return issuer.starts_with(known); })) {
    return Refuse(input, "Issuer validation failed. Issuer did not match.");
  }
  if (!IsAudience(claims->Get("aud"), input.account)) {
    return Refuse(input, "Audience validation failed. Audience did not match.");
  }
  const auto expires_s = ParseInteger(claims->Get("exp"));
  const auto begins_s = ParseInteger(claims->Get("nbf"));
  const int64_t now_s = input.now_ms / 1000;
  if (!expires_s || *expires_s <= now_s) {
    return Refuse(input, "Lifetime validation failed. The token is expired.");
  }
  if (!begins_s || *begins_s > now_s) {
    return Refuse(input, "Lifetime validation failed. The token is not yet valid.");
  }
  return {};
}

}  // namespace aztables
