// Identities of connection strings: see identity_settings.h.
#include "auth/identity_settings.h"

#include <algorithm>
#include <array>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr auto kKeys =
    std::to_array<std::string_view>({"AccessToken", "Authority", "ClientId", "ClientSecret",
                                     "Credential", "ObjectId", "ResourceId", "Scope", "TenantId"});

struct Kind {
  IdentityKind kind;
  std::string_view name;
  std::string_view needs;     // keys, separated by blanks
  std::string_view may_have;  // keys
};
constexpr std::array<Kind, 5> kKinds = {
    Kind{IdentityKind::kManagedIdentity, "ManagedIdentity", "",
         "ClientId ObjectId ResourceId Scope"},
    Kind{IdentityKind::kEnvironment, "Environment", "", "Authority Scope"},
    Kind{IdentityKind::kWorkloadIdentity, "WorkloadIdentity", "",
         "TenantId ClientId Authority Scope"},
    Kind{IdentityKind::kClientSecret, "ClientSecret", "TenantId ClientId ClientSecret",
         "Authority Scope"},
    Kind{IdentityKind::kAccessToken, "AccessToken", "AccessToken", ""}};

bool Has(std::string_view keys, std::string_view key) {
  while (!keys.empty()) {
    if (TakeUntil(keys, ' ') == key) return true;
  }
  return false;
}

Status Wrong(std::string_view key, std::string_view why) {
  return Status::Error(std::string(key) + " in the connection string " + std::string(why));
}

Result<const Kind*> FindKind(const ConnectionValue& value) {
  std::string_view name = value("Credential");
  if (name.empty()) name = "AccessToken";
  std::string names;
  for (const Kind& kind : kKinds) {
    if (EqualsIgnoreCase(kind.name, name)) return &kind;
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  return Wrong("Credential", "names no identity; write one of " + names);
}

Status CheckKeys(const ConnectionValue& value, const Kind& kind) {
  for (const std::string_view key : kKeys) {
    if (Has(kind.needs, key) && value(key).empty()) {
      return Status::Error("Credential=" + std::string(kind.name) +
                           " in the connection string needs " + std::string(key));
    }
  }
  for (const std::string_view key : kKeys) {
    if (key == "Credential" || value(key).empty()) continue;
    if (!Has(kind.needs, key) && !Has(kind.may_have, key)) {
      return Wrong(key, "does not belong to Credential=" + std::string(kind.name));
    }
  }
  return {};
}

std::string_view UsualAuthority(std::string_view host) {
  if (host.ends_with(".core.usgovcloudapi.net") || host.ends_with(".cosmos.azure.us")) {
    return "https://login.microsoftonline.us";
  }
  if (host.ends_with(".core.chinacloudapi.cn") || host.ends_with(".cosmos.azure.cn")) {
    return "https://login.chinacloudapi.cn";
  }
  return "https://login.microsoftonline.com";
}

Status SetAuthority(std::string_view given, const Uri& endpoint, IdentitySettings& identity) {
  auto uri = ParseEndpoint(given.empty() ? UsualAuthority(endpoint.host) : given);
  if (!uri.ok()) return uri.status().In("Authority");
  // Secrets are sent there.
  if (uri->scheme != "https" && !IsLoopback(uri->host)) {
    return Wrong("Authority", "is not an address of https");
  }
  identity.authority = std::move(*uri);
  identity.authority_given = !given.empty();
  return {};
}

Status CheckTokenSource(std::string_view source) {
  if (source.starts_with("env:") || source.starts_with("file:")) return {};
  return Wrong("AccessToken",
               "must not be the token itself: write AccessToken=env:VARIABLE or "
               "AccessToken=file:PATH");
}

}  // namespace

std::string_view IdentityKindName(IdentityKind kind) {
  for (const Kind& known : kKinds) {
    if (known.kind == kind) return known.name;
  }
  return "";
}

// All clients accept only these characters in a tenant, which is a part of a URL.
bool IsTenant(std::string_view text) {
  constexpr size_t kLongest = 253;  // of a domain
  return !text.empty() && text.size() <= kLongest &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return IsAsciiLetterOrDigit(c) || c == '.' || c == '-'; });
}

bool IsClientId(std::string_view text) {
  constexpr size_t kGuid = 36;
  return text.size() == kGuid &&
         text.find_first_not_of("0123456789abcdefABCDEF-") == std::string_view::npos;
}

bool AsksForIdentity(const ConnectionValue& value) {
  return !value("Credential").empty() || !value("AccessToken").empty();
}

Result<IdentitySettings> ReadIdentity(const ConnectionValue& value, const Uri& endpoint,
                                      bool cosmos) {
  const auto kind = FindKind(value);
  if (!kind.ok()) return kind.status();
  AZTABLES_RETURN_IF_ERROR(CheckKeys(value, **kind));
  if (!value("TenantId").empty() && !IsTenant(value("TenantId"))) {
    return Wrong("TenantId", "is not the id or the domain of a tenant");
  }
  for (const std::string_view key : {"ClientId", "ObjectId"}) {
    if (!value(key).empty() && !IsClientId(value(key))) {
      return Wrong(key, "is not the id of an application or of an identity");
    }
  }
  if (!value("ResourceId").empty() && !value("ResourceId").starts_with("/subscriptions/")) {
    return Wrong("ResourceId", "does not begin with /subscriptions/");
  }
  if ((value("ClientId").empty() ? 0 : 1) + (value("ObjectId").empty() ? 0 : 1) +
          (value("ResourceId").empty() ? 0 : 1) >
      1) {
    return Status::Error(
        "the connection string gives more than one of ClientId, ObjectId and ResourceId");
  }
  // A token is as good as a key, and not bound to one request.
  if (endpoint.scheme != "https" && !IsLoopback(endpoint.host)) {
    return Status::Error("a token is sent only over https: write https in the connection string");
  }
  IdentitySettings identity;
  identity.kind = (*kind)->kind;
  identity.tenant = value("TenantId");
  identity.client_id = value("ClientId");
  identity.object_id = value("ObjectId");
  identity.resource_id = value("ResourceId");
  identity.client_secret = Secret(std::string(value("ClientSecret")));
  identity.token_source = value("AccessToken");
  identity.scope = value("Scope");
  if (identity.scope.empty()) {
    identity.scope =
        cosmos ? "https://cosmos.azure.com/.default" : "https://storage.azure.com/.default";
  }
  if (identity.kind == IdentityKind::kAccessToken) {
    AZTABLES_RETURN_IF_ERROR(CheckTokenSource(identity.token_source));
  }
  AZTABLES_RETURN_IF_ERROR(SetAuthority(value("Authority"), endpoint, identity));
  return identity;
}

}  // namespace aztables
