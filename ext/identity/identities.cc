// Kinds of identities: see identities.h.
#include "identity/identities.h"

#include "identity/entra.h"
#include "identity/given_token.h"

namespace aztables {

std::unique_ptr<TokenSource> MakeTokenSource(const IdentitySettings& settings,
                                             const Environment& environment,
                                             std::shared_ptr<TokenSender> sender) {
  switch (settings.kind) {
    case IdentityKind::kAccessToken:
      return MakeGivenTokenSource(settings, environment, sender->clock());
    case IdentityKind::kClientSecret:
      return MakeClientSecretSource(settings, std::move(sender));
  }
  return nullptr;
}

}  // namespace aztables
