// SAS: authenticates requests by the account or table SAS in their query.
// Source: Microsoft, "Create an account SAS", "Create a service SAS".
//
// Thread rule: free functions; any thread.
#pragma once

#include <vector>

#include "base/secret.h"
#include "base/status.h"
#include "service/auth/access.h"

namespace aztables {

// The access that the SAS in `input.query` grants to this client now. `keys` are the account's.
// Unsigned fields have no effect. An empty field counts as absent, since both have the same
// signature.
Result<Access> AuthenticateSas(const AuthenticationInput& input, const std::vector<Secret>& keys);

}  // namespace aztables
