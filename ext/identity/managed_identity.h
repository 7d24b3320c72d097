// The managed identity of the Azure host that this program runs on: a virtual machine, App Service,
// Functions, Container Apps, Azure Arc, Cloud Shell or Azure Machine Learning. The host has an
// endpoint for tokens, which its environment names. Source: Microsoft, "How to use managed
// identities", and the official clients.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "auth/connection_source.h"
#include "auth/identity_settings.h"
#include "identity/token_sender.h"
#include "identity/token_source.h"

namespace aztables {

// `settings` and `environment` outlive the source. ClientId, ObjectId or ResourceId select one of
// several identities. A host that cannot honour them is an error, else another identity would act.
std::unique_ptr<TokenSource> MakeManagedIdentitySource(const IdentitySettings& settings,
                                                       const Environment& environment,
                                                       std::shared_ptr<TokenSender> sender);

// The seconds until a token ends, from expires_in and expires_on of a host's response. expires_on
// is seconds since 1970, ISO 8601, or month/day/year hour:minute:second with AM or PM or without.
// 0: neither says it.
int64_t SecondsLeft(std::string_view expires_in, std::string_view expires_on, int64_t now_ms);

// Whether Azure Arc may ask for the content of this file: only a .key file in its own folder.
// Otherwise any program on its port could ask for any file.
bool IsArcKeyFile(std::string_view path);

}  // namespace aztables
