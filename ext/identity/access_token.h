// Access tokens of Microsoft Entra, and whom they belong to.
// Source: Microsoft, "Access tokens in the Microsoft identity platform".
//
// Thread rule: values and free functions.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/secret.h"
#include "base/status.h"

namespace aztables {

struct AccessToken {
  WipedString text;
  // Counted on a clock that nobody sets, so a wrong time of day does no harm.
  std::chrono::steady_clock::time_point expires{};
  std::chrono::steady_clock::time_point refresh{};  // when a new one is asked for
  int64_t expires_ms = 0;                           // Unix time, to show it
};

// Whether the text can be sent as a token: visible ASCII characters only.
bool IsTokenText(std::string_view text);

// A token that is good for `lifetime` from now on. It is refreshed five minutes before its end. If
// its life is shorter than ten minutes or longer than two hours, it is refreshed at half of it.
AccessToken MakeToken(std::string_view text, std::chrono::seconds lifetime, const Clock& clock);

// What the claims of a token say. They are not checked: the service does that. Texts are printable
// and short; empty: the token does not say it.
struct TokenClaims {
  std::string name;       // of a user: ada@contoso.com
  std::string client_id;  // of the application
  std::string object_id;
  std::string tenant;
  int64_t expires_s = 0;  // Unix time; 0: unknown
};
TokenClaims ClaimsOf(std::string_view token);

// "ada@contoso.com", "client 1111-... of tenant 2222-...", or "unknown": for a message.
std::string DescribeOwner(const TokenClaims& claims);

}  // namespace aztables
