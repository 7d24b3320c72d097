// Connection strings of the Azure SDKs, and the endpoint and credential that they give.
// Source: the connection string readers of the official clients. Keys may be in any case, and each
// part is split at its first "=". Unknown keys are ignored, except those that misspell a known key
// (connection_keys.h). With LocalStore every unknown key is an error.
//
// Errors never repeat a part of the string, because it may be a secret in the wrong place.
// Thread rule: values.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "auth/identity_settings.h"
#include "base/secret.h"
#include "base/status.h"
#include "base/uri.h"
#include "http/credential.h"

namespace aztables {

enum class EndpointKind { kStorage, kCosmos, kEmulator, kLocal };
std::string_view EndpointKindName(EndpointKind kind);  // "storage", "cosmos", "emulator", "local"

enum class CredentialKind { kAccountKey, kSas, kIdentity, kNone };
// "account key", "SAS", "identity", "no credential"
std::string_view CredentialKindName(CredentialKind kind);

struct ConnectionSettings {
  Uri endpoint;
  EndpointKind kind = EndpointKind::kStorage;
  CredentialKind credential = CredentialKind::kAccountKey;
  std::string account;        // empty for a SAS whose endpoint names no account
  Secret key;                 // the decoded account key, or the SAS without its "?"
  IdentitySettings identity;  // of CredentialKind::kIdentity
  bool read_only = false;
  std::string ca_file;  // see auth/ca_file.h; empty: libcurl's own
  // For kLocal: the path of the store, unchanged; ":memory:" for a store in memory. The endpoint
  // then only gives requests a form.
  std::string local_store;
  std::string simulation;  // of the store: the plan of Simulate, not checked; empty: none

  // The place of the data, for a person: the endpoint's URL, or "LocalStore=PATH".
  std::string Place() const;
};

// The account of the emulators. It is published in their documentation, so it is not a secret.
struct PublishedAccount {
  std::string_view name;
  std::string_view key;  // base64
};
PublishedAccount EmulatorAccount();

Result<ConnectionSettings> ParseConnectionString(std::string_view text);

// The credential for the settings, if it is not an identity; null if nothing is signed. `settings`
// must outlive it.
std::unique_ptr<Credential> MakeCredential(const ConnectionSettings& settings);

// The text that SharedKeyLite signs: date "\n" "/" account path, plus "?comp=..." if the query has
// one.
// Source: Microsoft, "Authorize with Shared Key". `path` is percent-encoded exactly as sent.
std::string SharedKeyLiteStringToSign(std::string_view date, std::string_view account,
                                      std::string_view path, std::string_view query);

}  // namespace aztables
