// TokenSource: one way to get an access token.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/status.h"
#include "identity/access_token.h"

namespace aztables {

struct TokenDemand {
  std::string scope;   // https://storage.azure.com/.default
  std::string tenant;  // that of the account, from a challenge; empty: unknown
};

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  // The identity for a person, as far as it is known before a token: "client 1111-...".
  virtual std::string Describe() const = 0;
  // Gets a new token. Errors: kAuth if the identity was rejected, kBusy if its server cannot be
  // reached, that of `cancel`. They name the identity, what was answered, and what to do.
  virtual Result<AccessToken> Get(const TokenDemand& demand, const Cancel& cancel) = 0;
};

}  // namespace aztables
