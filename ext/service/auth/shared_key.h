// Shared Key: requests that are signed with an account's key, in the full and the Lite form.
// Source: Microsoft, "Authorize with Shared Key".
//
// Thread rule: free functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/status.h"
#include "service/auth/access.h"

namespace aztables {

// OK if `signature` is the base64 text of the HMAC-SHA256 of `text` with any of `keys`.
Status CheckSignature(std::string_view signature, std::string_view text,
                      const std::vector<Secret>& keys);

// Whether the request is signed as `authorization`, the value of its header, claims. The date that
// is signed is x-ms-date where it was sent, else Date; it may be 15 minutes off. `keys` are those
// of the account.
Status CheckSharedKey(const AuthenticationInput& input, std::string_view authorization,
                      const std::vector<Secret>& keys);

}  // namespace aztables
