// Connection strings: see connection_settings.h.
#include "auth/connection_settings.h"

#include <algorithm>
#include <map>

#include "auth/connection_keys.h"
#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kEmulatorAccount = "devstoreaccount1";
constexpr std::string_view kEmulatorKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
constexpr int kEmulatorPort = 10002;
constexpr int kCosmosEmulatorPort = 8902;

// The parts of a connection string by key in lower case. Wiped when destroyed.
class Parts {
 public:
  ~Parts() {
    for (auto& [key, part] : parts_) WipeString(part.value);
  }

  Status Split(std::string_view text) {
    for (int number = 1; !text.empty(); ++number) {
      const std::string_view part = TrimBlanks(TakeUntil(text, ';'));
      if (part.empty()) continue;
      const std::string which = "part " + std::to_string(number) + " of the connection string ";
      const size_t equals = part.find('=');
      if (equals == std::string_view::npos || equals == 0) {
        return Status::Error(which + "is not of the form Key=Value");
      }
      const std::string_view key = TrimBlanks(part.substr(0, equals));
      if (const auto meant = MeantConnectionKey(key)) {
        return Status::Error(which + "has an unknown key; did you mean " + std::string(*meant) +
                             "?");
      }
      const std::string_view value = TrimBlanks(part.substr(equals + 1));
      const bool list = EqualsIgnoreCase(key, "SharedAccessSignature");
      // A plan has names of its own, and its reader refuses all others.
      const bool plan = EqualsIgnoreCase(key, "Simulate");
      if (const auto within = plan ? std::nullopt : ConnectionKeyWithin(value, list)) {
        return Status::Error(which + "holds the key " + std::string(*within) +
                             ", or one like it, inside its value; separate keys by ';'");
      }
      Part kept{.number = number, .value = std::string(value)};
      const bool added = parts_.emplace(ToLowerAscii(key), std::move(kept)).second;
      if (!added) return Status::Error("the connection string gives one key twice");
    }
    return {};
  }

  bool empty() const { return parts_.empty(); }
  bool Has(std::string_view key) const { return parts_.count(ToLowerAscii(key)) > 0; }
  std::string_view Get(std::string_view key) const {
    const auto found = parts_.find(ToLowerAscii(key));
    return found == parts_.end() ? std::string_view() : std::string_view(found->second.value);
  }
  // The number of the first part whose key is not one of `known`; 0 if there is none.
  int FirstUnknown(std::span<const std::string_view> known) const {
    int first = 0;
    for (const auto& [key, part] : parts_) {
      const bool found = std::any_of(known.begin(), known.end(), [&wanted = key](auto name) {
        return ToLowerAscii(name) == wanted;
      });
      if (!found && (first == 0 || part.number < first)) first = part.number;
    }
    return first;
  }

 private:
  struct Part {
    int number = 0;
    std::string value;
  };
  std::map<std::string, Part> parts_;
};

// An empty value is an error, such as ReadOnly= from a variable that is not set.
Result<bool> GetFlag(const Parts& parts, std::string_view key) {
  if (!parts.Has(key)) return false;
  if (const auto value = ParseOnOff(parts.Get(key))) return *value;
  return Status::Error(std::string(key) + " in the connection string must be true or false");
}

// Keys of connection strings that this version does not act on: refused, never ignored.
Status CheckUnavailable(const Parts& parts) {
  auto secondary = GetFlag(parts, "SecondaryReads");
  if (!secondary.ok()) return secondary.status();
  if (*secondary) {
    return Status::Error(
        "SecondaryReads in the connection string: reading from the secondary endpoint is not part "
        "of this version");
  }
  return {};
}

// LocalStore=PATH allows no other keys than ReadOnly and Simulate: the store has no address and no
// account.
Status SetLocalStore(const Parts& parts, ConnectionSettings& settings) {
  for (const std::string_view key : ConnectionKeys()) {
    if (key == "LocalStore" || key == "ReadOnly" || key == "Simulate") continue;
    if (parts.Get(key).empty()) continue;
    return Status::Error("the connection string gives both LocalStore and " + std::string(key) +
                         ": leave one out");
  }
  if (const int unknown = parts.FirstUnknown(ConnectionKeys()); unknown != 0) {
    return Status::Error("part " + std::to_string(unknown) +
                         " of the connection string has an unknown key; only ReadOnly and "
                         "Simulate may be combined with LocalStore");
  }
  if (MayBeSecret(parts.Get("LocalStore"))) {
    return Status::Error(
        "LocalStore in the connection string is not a path: it may be a key or a SAS");
  }
  settings.kind = EndpointKind::kLocal;
  settings.credential = CredentialKind::kNone;
  settings.endpoint.scheme = "http";
  settings.endpoint.host = "localstore";
  settings.local_store = parts.Get("LocalStore");
  settings.simulation = parts.Get("Simulate");
  return {};
}

EndpointKind KindOf(const Uri& endpoint) {
  if (endpoint.host.find(".table.cosmosdb.") != std::string::npos ||
      endpoint.host.find(".table.cosmos.") != std::string::npos) {
    return EndpointKind::kCosmos;
  }
  if (!IsLoopback(endpoint.host)) return EndpointKind::kStorage;
  return endpoint.port == kCosmosEmulatorPort ? EndpointKind::kCosmos : EndpointKind::kEmulator;
}

Status SetEmulator(const Parts& parts, ConnectionSettings& settings) {
  settings.endpoint.scheme = "http";
  settings.endpoint.host = "127.0.0.1";
  if (const std::string_view proxy = parts.Get("DevelopmentStorageProxyUri"); !proxy.empty()) {
    auto uri = ParseEndpoint(proxy);
    if (!uri.ok()) return uri.status().In("DevelopmentStorageProxyUri");
    settings.endpoint = std::move(*uri);
  }
  if (settings.endpoint.port == 0) settings.endpoint.port = kEmulatorPort;
  settings.endpoint.path = "/" + std::string(kEmulatorAccount);
  settings.kind = EndpointKind::kEmulator;
  settings.account = kEmulatorAccount;
  std::string key;
  Base64Decode(kEmulatorKey, key);
  settings.key = Secret(std::move(key));
  return {};
}

bool IsAccountName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](char c) { return IsAsciiLetterOrDigit(c) || c == '-'; });
}

// Drops the name of a table at the end of an endpoint: the portal and Storage Explorer write it
// there. The hosts of the service have no path; a path on this machine is the account's name.
void DropTable(Uri& endpoint) {
  const bool own = endpoint.host.find(".table.") != std::string::npos;
  const size_t account = own ? 0 : endpoint.path.find('/', 1);
  if (!own && !IsLoopback(endpoint.host)) return;
  if (account < endpoint.path.size()) endpoint.path.resize(account);
}

// The portal lists the addresses of all services of an account, each with the same SAS.
Status CheckIsTableService(const Uri& endpoint) {
  for (const std::string service : {".blob.", ".file.", ".queue.", ".dfs."}) {
    if (endpoint.host.find(service + "core.") == std::string::npos) continue;
    return Status::Error("the endpoint is not that of a table service; write .table. in place of " +
                         service);
  }
  return {};
}

// The connection string for a URL with a SAS, and what follows it after a ';'.
Result<std::string> FromUrl(std::string_view text) {
  const std::string_view url = TrimBlanks(TakeUntil(text, ';'));
  const size_t query = url.find('?');
  if (query == std::string_view::npos) {
    return Status::Error(
        "the URL has no SAS: write https://ACCOUNT.table.core.windows.net/?sv=...&sig=..., or "
        "AccountName=ACCOUNT;AccountKey=...");
  }
  std::string parts;
  parts.reserve(url.size() + text.size() + 64);  // no part of the SAS is left in other memory
  parts.append("TableEndpoint=").append(url.substr(0, query));
  parts.append(";SharedAccessSignature=").append(url.substr(query + 1)).append(";").append(text);
  return parts;
}

bool IsUrl(std::string_view text) {
  const std::string begin = ToLowerAscii(text.substr(0, 8));
  return begin.starts_with("https://") || begin.starts_with("http://");
}

std::string_view WithoutQuotes(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == text.back() &&
                      (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// The SAS in a value: a SAS, or a URL with it, perhaps in quotes. A signature that is not
// percent-encoded is encoded: its '+' would mean a blank.
std::string SasIn(std::string_view value) {
  value = WithoutQuotes(value);
  if (IsUrl(value)) TakeUntil(value, '?');
  if (value.starts_with('?')) value.remove_prefix(1);
  std::string sas;
  sas.reserve(3 * value.size());
  while (!value.empty()) {
    std::string_view parameter = TakeUntil(value, '&');
    if (!sas.empty()) sas += '&';
    constexpr std::string_view kSignature = "sig=";
    constexpr std::string_view kBase64 =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    if (parameter.starts_with(kSignature) &&
        parameter.find_first_not_of(kBase64, kSignature.size()) == std::string_view::npos) {
      sas += kSignature;
      AppendPercentEncoded(sas, parameter.substr(kSignature.size()));
    } else {
      sas += parameter;
    }
  }
  return sas;
}

Status SetEndpoint(const Parts& parts, ConnectionSettings& settings) {
  settings.account = parts.Get("AccountName");
  if (!settings.account.empty() && !IsAccountName(settings.account)) {
    return Status::Error("AccountName in the connection string is not a valid account name");
  }
  const std::string_view given = parts.Get("TableEndpoint");
  if (given.empty() && settings.account.empty()) {
    return Status::Error("the connection string names neither AccountName nor TableEndpoint");
  }
  std::string text(given);
  if (given.empty()) {
    std::string_view protocol = parts.Get("DefaultEndpointsProtocol");
    std::string_view suffix = parts.Get("EndpointSuffix");
    if (protocol.empty()) protocol = "https";
    if (suffix.empty()) suffix = "core.windows.net";
    text = std::string(protocol) + "://" + settings.account + ".table." + std::string(suffix);
  }
  auto uri = ParseEndpoint(text);
  if (!uri.ok()) return uri.status();
  AZTABLES_RETURN_IF_ERROR(CheckIsTableService(*uri));
  settings.endpoint = std::move(*uri);
  DropTable(settings.endpoint);
  settings.kind = KindOf(settings.endpoint);
  return {};
}

Status SetCredential(const Parts& parts, ConnectionSettings& settings) {
  const std::string_view key = parts.Get("AccountKey");
  const std::string_view given = parts.Get("SharedAccessSignature");
  const ConnectionValue value = [&parts](std::string_view name) { return parts.Get(name); };
  const bool identity = AsksForIdentity(value);
  if ((identity && !(key.empty() && given.empty())) || (!key.empty() && !given.empty())) {
    return Status::Error(
        "the connection string gives more than one of AccountKey, SharedAccessSignature and "
        "Credential: leave one");
  }
  if (identity) {
    auto read = ReadIdentity(value, settings.endpoint, settings.kind == EndpointKind::kCosmos);
    if (!read.ok()) return read.status();
    settings.identity = std::move(*read);
    settings.credential = CredentialKind::kIdentity;
    return {};
  }
  if (!key.empty()) {
    if (settings.account.empty()) {
      return Status::Error("the connection string gives AccountKey without AccountName");
    }
    std::string bytes;
    if (!Base64Decode(key, bytes) || bytes.empty()) {
      return Status::Error("AccountKey in the connection string is not base64: copy it whole");
    }
    settings.key = Secret(std::move(bytes));
    return {};
  }
  if (given.empty()) {
    return Status::Error(
        "the connection string gives none of AccountKey, SharedAccessSignature and Credential");
  }
  std::string sas = SasIn(given);
  for (const char c : sas) {
    if (static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7F || c == '#') {
      return Status::Error(
          "SharedAccessSignature in the connection string holds a character that no SAS has");
    }
  }
  if (sas.find("sig=") == std::string::npos) {
    return Status::Error(
        "SharedAccessSignature in the connection string has no sig: copy it whole");
  }
  settings.credential = CredentialKind::kSas;
  settings.key = Secret(std::move(sas));
  return {};
}

}  // namespace

std::string_view EndpointKindName(EndpointKind kind) {
  switch (kind) {
    case EndpointKind::kStorage:
      return "storage";
    case EndpointKind::kCosmos:
      return "cosmos";
    case EndpointKind::kEmulator:
      return "emulator";
    case EndpointKind::kLocal:
      return "local";
  }
  return "";
}

std::string_view CredentialKindName(CredentialKind kind) {
  switch (kind) {
    case CredentialKind::kAccountKey:
      return "account key";
    case CredentialKind::kSas:
      return "SAS";
    case CredentialKind::kIdentity:
      return "identity";
    case CredentialKind::kNone:
      return "no credential";
  }
  return "";
}

std::string ConnectionSettings::Place() const {
  return kind == EndpointKind::kLocal ? "LocalStore=" + local_store : endpoint.ToString();
}

PublishedAccount EmulatorAccount() { return {.name = kEmulatorAccount, .key = kEmulatorKey}; }

Result<ConnectionSettings> ParseConnectionString(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // written by Windows editors
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text = WithoutQuotes(TrimBlanks(text));
  Parts parts;
  if (IsUrl(text)) {
    auto expanded = FromUrl(text);
    if (!expanded.ok()) return expanded.status();
    const Status split = parts.Split(*expanded);
    WipeString(*expanded);
    AZTABLES_RETURN_IF_ERROR(split);
  } else {
    AZTABLES_RETURN_IF_ERROR(parts.Split(text));
  }
  if (parts.empty()) return Status::Error("the connection string is empty");
  AZTABLES_RETURN_IF_ERROR(CheckUnavailable(parts));
  ConnectionSettings settings;
  auto read_only = GetFlag(parts, "ReadOnly");
  if (!read_only.ok()) return read_only.status();
  settings.read_only = *read_only;
  settings.ca_file = parts.Get("CaFile");
  for (const std::string_view key : {"CaFile", "LocalStore", "Simulate"}) {
    if (!parts.Has(key) || !parts.Get(key).empty()) continue;
    return Status::Error(std::string(key) + " in the connection string is empty");
  }
  if (!parts.Get("LocalStore").empty()) {
    AZTABLES_RETURN_IF_ERROR(SetLocalStore(parts, settings));
    return settings;
  }
  if (parts.Has("Simulate")) {
    return Status::Error("Simulate in the connection string needs LocalStore");
  }
  auto emulator = GetFlag(parts, "UseDevelopmentStorage");
  if (!emulator.ok()) return emulator.status();
  if (*emulator) {
    AZTABLES_RETURN_IF_ERROR(SetEmulator(parts, settings));
  } else {
    AZTABLES_RETURN_IF_ERROR(SetEndpoint(parts, settings));
    AZTABLES_RETURN_IF_ERROR(SetCredential(parts, settings));
  }
  if (!settings.ca_file.empty() && settings.endpoint.scheme != "https") {
    return Status::Error(
        "the connection string gives CaFile for an endpoint of http, where no certificate is "
        "checked: use https or leave CaFile out");
  }
  return settings;
}

}  // namespace aztables
