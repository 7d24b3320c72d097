// Shared Key: authenticates requests that an account's key signs, in the full and the Lite form.
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

// OK if the signature in `authorization`, the header's value, is valid. The signed date is
// x-ms-date or else Date; it may differ from now by 15 minutes. `keys` are the account's.
Status CheckSharedKey(const AuthenticationInput& input, std::string_view authorization,
                      const std::vector<Secret>& keys);

}  // namespace aztables
