// Credentials: the ways in which a request proves its sender. Shared Key signs the request with a
// key of the account, in the full and the Lite form. A SAS is in the query, a token in a header.
// Source: Microsoft, "Authorize with Shared Key", "Create an account SAS", "Create a service SAS",
// "Authorize with Microsoft Entra ID".
//
// Thread rule: free functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/status.h"
#include "service/auth/access.h"
#include "service/storage_error.h"

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

// The error for a request that proves no sender. From version 2020-12-06 on, its response names the
// tenant of the account.
const StorageError& Unauthenticated(const AuthenticationInput& input);

// OK if the claims of a token name this service, a tenant's issuer, and a time that is now. Its
// signature is not checked: this is for tests on one machine.
Status CheckToken(const AuthenticationInput& input, std::string_view token);

}  // namespace aztables
