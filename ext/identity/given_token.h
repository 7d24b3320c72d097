// A ready token of a variable or a file. It is read again for each new token, since other programs
// replace it.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>

#include "auth/connection_source.h"
#include "auth/identity_settings.h"
#include "base/clock.h"
#include "identity/token_source.h"

namespace aztables {

// The references outlive the source.
std::unique_ptr<TokenSource> MakeGivenTokenSource(const IdentitySettings& settings,
                                                  const Environment& environment,
                                                  const Clock& clock);

}  // namespace aztables
