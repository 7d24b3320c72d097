// SAS: requests that carry a shared access signature, of an account or of a table, in their query.
// Source: Microsoft, "Create an account SAS", "Create a service SAS".
//
// Thread rule: free functions; any thread.
#pragma once

#include <vector>

#include "base/secret.h"
#include "base/status.h"
#include "service/auth/access.h"

namespace aztables {

// What the SAS in `input.query` grants, now and to this peer. `keys` are those of the account. What
// the query says beside the signed fields changes nothing; an empty field counts as one that was
// not sent, since both are signed alike.
Result<Access> AuthenticateSas(const AuthenticationInput& input, const std::vector<Secret>& keys);

}  // namespace aztables
