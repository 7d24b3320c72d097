// Which Microsoft Entra identity a connection string asks for: Credential= and the keys that belong
// to it.
//
// Errors never repeat a value, because it may be a secret in the wrong place.
// Thread rule: values and free functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "base/status.h"
#include "base/uri.h"

namespace aztables {

enum class IdentityKind {
  kAccessToken,
  kClientSecret,
  kEnvironment,
  kManagedIdentity,
  kWorkloadIdentity
};
std::string_view IdentityKindName(IdentityKind kind);  // as Credential= names it

struct IdentitySettings {
  IdentityKind kind = IdentityKind::kAccessToken;
  std::string token_source;  // env:VARIABLE or file:PATH, of kAccessToken
  std::string tenant;
  std::string client_id;
  std::string object_id;    // of a managed identity
  std::string resource_id;  // the same
  Secret client_secret;
  Uri authority;                 // https://login.microsoftonline.com
  bool authority_given = false;  // by the connection string
  std::string scope;             // https://storage.azure.com/.default
};

// The value of a key of a connection string; empty if it has none.
using ConnectionValue = std::function<std::string_view(std::string_view key)>;

// Whether a text may be the id or the domain of a tenant, or the id of an application. Another text
// may be a secret in the wrong place; messages show these.
bool IsTenant(std::string_view text);
bool IsClientId(std::string_view text);

// Whether the connection string asks for an identity.
bool AsksForIdentity(const ConnectionValue& value);

// Reads the identity of a connection to `endpoint`. `cosmos`: it is Cosmos DB's.
Result<IdentitySettings> ReadIdentity(const ConnectionValue& value, const Uri& endpoint,
                                      bool cosmos);

}  // namespace aztables
