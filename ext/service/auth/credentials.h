// Credentials: the two ways in which a request proves its sender. Shared Key signs the request with
// a key of the account, in the full and the Lite form. A SAS is in the query. Source: Microsoft,
// "Authorize with Shared Key", "Create an account SAS", "Create a service SAS".
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

// The access that the SAS in `input.query` grants to this client now. `keys` are the account's.
// Unsigned fields have no effect. An empty field counts as absent, since both have the same
// signature.
Result<Access> AuthenticateSas(const AuthenticationInput& input, const std::vector<Secret>& keys);

}  // namespace aztables
