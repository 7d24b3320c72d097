// Connection strings of the Azure SDKs, and what they come to: an endpoint and a credential.
// Source: the connection string readers of the official clients; keys in any case, each part split
// at its first "=". Unknown keys are ignored, but for those that misspell a known one
// (connection_keys.h); with LocalStore every unknown key is an error.
//
// Errors never repeat a part of the string: it may be a secret in the wrong place.
// Thread rule: values.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "base/status.h"
#include "base/uri.h"
#include "http/signer.h"

namespace aztables {

enum class EndpointKind { kStorage, kCosmos, kEmulator, kLocal };
std::string_view EndpointKindName(EndpointKind kind);  // "storage", "cosmos", "emulator", "local"

enum class CredentialKind { kAccountKey, kSas, kNone };
std::string_view CredentialKindName(CredentialKind kind);  // "account key", "SAS", "no credential"

struct ConnectionSettings {
  Uri endpoint;
  EndpointKind kind = EndpointKind::kStorage;
  CredentialKind credential = CredentialKind::kAccountKey;
  std::string account;  // empty where a SAS stands alone with an endpoint that names none
  Secret key;           // the decoded account key, or the SAS without its "?"
  bool read_only = false;
  std::string ca_file;  // certificates to trust in place of the system's; empty: the system's
  // Of kLocal: the path of the store, as given; ":memory:" for one in memory. The endpoint then
  // only gives requests a form.
  std::string local_store;

  // Where it leads to, for a person: the endpoint's URL, or "LocalStore=PATH".
  std::string Place() const;
};

// The account that the emulators serve, published in their documentation: no secret.
struct PublishedAccount {
  std::string_view name;
  std::string_view key;  // base64
};
PublishedAccount EmulatorAccount();

Result<ConnectionSettings> ParseConnectionString(std::string_view text);

// The signer that the settings ask for; null where nothing is signed. `settings` outlives it.
std::unique_ptr<Signer> MakeSigner(const ConnectionSettings& settings);

// date "\n" "/" account path, plus "?comp=..." where the query has one: what SharedKeyLite signs.
// Source: Microsoft, "Authorize with Shared Key". `path` is percent-encoded exactly as sent.
std::string SharedKeyLiteStringToSign(std::string_view date, std::string_view account,
                                      std::string_view path, std::string_view query);

}  // namespace aztables
