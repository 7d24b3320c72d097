// Kinds of identities: see identities.h.
#include "identity/identities.h"

#include "identity/applications.h"
#include "identity/given_token.h"
#include "identity/managed_identity.h"

namespace aztables {

std::unique_ptr<TokenSource> MakeTokenSource(const IdentitySettings& settings,
                                             const Environment& environment,
                                             std::shared_ptr<TokenSender> sender) {
  switch (settings.kind) {
    case IdentityKind::kAccessToken:
      return MakeGivenTokenSource(settings, environment, sender->clock());
    case IdentityKind::kClientSecret:
      return MakeClientSecretSource(settings, std::move(sender));
    case IdentityKind::kEnvironment:
      return MakeEnvironmentSource(settings, environment, std::move(sender));
    case IdentityKind::kManagedIdentity:
      return MakeManagedIdentitySource(settings, environment, std::move(sender));
    case IdentityKind::kWorkloadIdentity:
      return MakeWorkloadIdentitySource(settings, environment, std::move(sender));
  }
  return nullptr;
}

}  // namespace aztables
