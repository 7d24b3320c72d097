// Applications that sign in by themselves: with a secret, or with the token of a Kubernetes
// cluster. Their ids are in the connection string, or in the variables that all clients of Azure
// read.
//
// Errors of a source: kNotFound if it is not configured: the error names the missing variable.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>

#include "auth/connection_source.h"
#include "auth/identity_settings.h"
#include "identity/token_sender.h"
#include "identity/token_source.h"

namespace aztables {

// The references outlive the sources.

// TenantId, ClientId and ClientSecret.
std::unique_ptr<TokenSource> MakeClientSecretSource(const IdentitySettings& settings,
                                                    std::shared_ptr<TokenSender> sender);
// AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET; AZURE_AUTHORITY_HOST.
std::unique_ptr<TokenSource> MakeEnvironmentSource(const IdentitySettings& settings,
                                                   const Environment& environment,
                                                   std::shared_ptr<TokenSender> sender);
// AZURE_FEDERATED_TOKEN_FILE with TenantId and ClientId, or AZURE_TENANT_ID and AZURE_CLIENT_ID.
// The file is read for each token, because Kubernetes replaces it.
std::unique_ptr<TokenSource> MakeWorkloadIdentitySource(const IdentitySettings& settings,
                                                        const Environment& environment,
                                                        std::shared_ptr<TokenSender> sender);

}  // namespace aztables
