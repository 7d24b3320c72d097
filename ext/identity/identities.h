// The kinds of identities that a connection string can name, and the source of tokens of each.
//
// Thread rule: a free function.
#pragma once

#include <memory>

#include "auth/connection_source.h"
#include "auth/identity_settings.h"
#include "identity/token_sender.h"
#include "identity/token_source.h"

namespace aztables {

// `settings` and `environment` outlive the source.
std::unique_ptr<TokenSource> MakeTokenSource(const IdentitySettings& settings,
                                             const Environment& environment,
                                             std::shared_ptr<TokenSender> sender);

}  // namespace aztables
