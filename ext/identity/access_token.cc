// Access tokens: see access_token.h.
#include "identity/access_token.h"

#include <algorithm>

#include "base/encoding.h"
#include "odata/json_object.h"

namespace aztables {
namespace {

constexpr size_t kMostShown = 100;

}  // namespace

bool IsTokenText(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

AccessToken MakeToken(std::string_view text, std::chrono::seconds lifetime, const Clock& clock) {
  constexpr std::chrono::seconds kEarly{300};
  constexpr std::chrono::hours kLong{2};
  const auto now = std::chrono::steady_clock::now();
  AccessToken token;
  token.text = text;
  token.expires = now + lifetime;
  token.refresh =
      token.expires - (lifetime > kLong ? lifetime / 2 : std::min(kEarly, lifetime / 2));
  token.expires_ms = clock.NowMs() + std::chrono::milliseconds(lifetime).count();
  return token;
}

TokenClaims ClaimsOf(std::string_view token) {
  TakeUntil(token, '.');
  const auto claims = JsonObject::Read(Base64UrlDecode(TakeUntil(token, '.')).value_or(""));
  if (!claims.ok()) return {};
  const auto first = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (const auto text = claims->Get(name); !text.empty()) {
        return PrintableLine(text, kMostShown);
      }
    }
    return std::string();
  };
  TokenClaims out;
  out.name = first({"upn", "preferred_username", "unique_name"});
  out.client_id = first({"appid", "azp"});
  out.object_id = first({"oid"});
  out.tenant = first({"tid"});
  out.expires_s = ParseInteger(claims->Get("exp")).value_or(0);
  return out;
}

std::string DescribeOwner(const TokenClaims& claims) {
  const std::string of_tenant = claims.tenant.empty() ? "" : " of tenant " + claims.tenant;
  if (!claims.name.empty()) return claims.name + of_tenant;
  if (!claims.client_id.empty()) return "client " + claims.client_id + of_tenant;
  if (!claims.object_id.empty()) return "object " + claims.object_id + of_tenant;
  return "unknown";
}

}  // namespace aztables
