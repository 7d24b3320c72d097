// Sources of connections: see connection_source.h.
#include "auth/connection_source.h"

#include <algorithm>
#include <cstdlib>

#include "auth/ca_file.h"
#include "auth/inline_form.h"
#include "base/encoding.h"
#include "base/secret.h"
#include "platform/file.h"
#include "platform/process.h"

namespace aztables {
namespace {

constexpr std::string_view kDirect = "connection string";
constexpr std::string_view kVariable = "AZTABLES_CONNECTION_";
constexpr size_t kMaxFile = 64 * 1024;
constexpr char kNoVariable[] =
    "after env: write the name of an environment variable (letters, digits and _) that holds the "
    "connection string";
constexpr char kNoPath[] = "after file: write the path of a file that holds the connection string";

Result<ResolvedConnection> Parse(std::string_view text, std::string source,
                                 const Environment& environment) {
  auto settings = ParseConnectionString(TrimBlanks(text));
  const Status status = settings.ok() ? ChooseCaFile(*settings, environment) : settings.status();
  if (status.ok()) return ResolvedConnection{std::move(*settings), std::move(source)};
  if (source == kDirect) return status;
  return status.In(source);
}

// The error for a text without any key. The name of a file is probably a local store.
Status NotAConnectionString(std::string_view how) {
  const bool shown = IsPlainWord(how);
  const bool file =
      shown && how.find('.') != std::string_view::npos && how.find(':') == std::string_view::npos;
  return Status::Error(
      (shown ? "'" + std::string(how) + "'" : std::string("the text")) +
      " is not a connection string (Key=Value;Key=Value): for a local store write "
      "LocalStore=" +
      (file ? std::string(how) : "PATH") +
      "; for a service TableEndpoint=URL, or AccountName=NAME, with AccountKey=KEY; "
      "for a string kept elsewhere env:VARIABLE or file:PATH");
}

bool IsSet(const std::string& variable, const Environment& environment) {
  auto text = environment(variable);
  if (!text) return false;
  WipeString(*text);
  return true;
}

bool IsVariableName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](char c) { return IsAsciiLetterOrDigit(c) || c == '_'; });
}

Result<ResolvedConnection> FromVariable(const std::string& name, const Environment& environment) {
  auto text = environment(name);
  if (!text && !IsVariableName(name)) return Status::Error(kNoVariable);
  if (!text) {
    const std::string shown = IsPlainWord(name) ? name + " " : "";
    return Status::Error("the environment variable " + shown + "is not set");
  }
  auto resolved = Parse(*text, "env:" + name, environment);
  WipeString(*text);
  return resolved;
}

Result<ResolvedConnection> FromFile(const std::string& path, const Environment& environment) {
  if (MayBeSecret(path)) return Status::Error(kNoPath);
  auto text = ReadOrdinaryFile(path, kMaxFile);
  if (!text.ok()) {
    return Status::Error("the connection file " + path + " " +
                         std::string(text.status().message()));
  }
  auto resolved = Parse(*text, "file:" + path, environment);
  WipeString(*text);
  return resolved;
}

// Resolves "default" from the variables of the Azure command line and similar tools.
Result<ResolvedConnection> FromAzureVariables(const Environment& environment) {
  if (IsSet("AZURE_STORAGE_CONNECTION_STRING", environment)) {
    return FromVariable("AZURE_STORAGE_CONNECTION_STRING", environment);
  }
  const auto account = environment("AZURE_STORAGE_ACCOUNT");
  if (!account) return Status(Code::kNotFound, "no variable is set");
  if (account->find(';') != std::string::npos) {
    return Status::Error(
        "the environment variable AZURE_STORAGE_ACCOUNT is not a valid account name");
  }
  std::string source = "env:AZURE_STORAGE_ACCOUNT";
  std::string text = "AccountName=" + *account;
  if (auto key = environment("AZURE_STORAGE_KEY")) {
    text += ";AccountKey=" + *key;
    WipeString(*key);
    source += " and env:AZURE_STORAGE_KEY";
  } else if (auto sas = environment("AZURE_STORAGE_SAS_TOKEN")) {
    text += ";SharedAccessSignature=" + *sas;
    WipeString(*sas);
    source += " and env:AZURE_STORAGE_SAS_TOKEN";
  } else {
    return Status::Error(
        "AZURE_STORAGE_ACCOUNT is set without AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, and "
        "Credential=Default is not part of this version: set one of the two");
  }
  auto resolved = Parse(text, std::move(source), environment);
  WipeString(text);
  return resolved;
}

std::string VariableFor(std::string_view name) {
  std::string variable(kVariable);
  for (const char c : name) {
    variable += c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  return variable;
}

bool IsDevelopmentStorage(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ' && c != ';') plain += ToLowerAscii(c);
  }
  return plain == "usedevelopmentstorage=true";
}

// Whether the text is only LocalStore=PATH: a file of this machine, not a secret.
bool IsLocalStore(std::string_view text) {
  constexpr std::string_view kKey = "localstore=";
  return ToLowerAscii(text.substr(0, kKey.size())) == kKey && text.size() > kKey.size() &&
         text.find(';') == std::string_view::npos && !MayBeSecret(text.substr(kKey.size()));
}

}  // namespace

Environment ProcessEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == 0) return std::nullopt;
    return std::string(value);
  };
}

bool IsConnectionName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxConnectionName &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '-'; });
}

Result<ResolvedConnection> ResolveHow(std::string_view how, const Environment& environment) {
  how = TrimBlanks(how);
  if (how.starts_with(kEnvPrefix)) {
    return FromVariable(std::string(how.substr(kEnvPrefix.size())), environment);
  }
  if (how.starts_with(kFilePrefix)) {
    return FromFile(std::string(how.substr(kFilePrefix.size())), environment);
  }
  if (!how.empty() && how.find('=') == std::string_view::npos) return NotAConnectionString(how);
  return Parse(how, std::string(kDirect), environment);
}

std::vector<std::string> NamesInEnvironment() {
  std::vector<std::string> names;
  for (const std::string& variable : VariablesWithValue()) {
    if (!variable.starts_with(kVariable)) continue;
    std::string name = ToLowerAscii(std::string_view(variable).substr(kVariable.size()));
    // A variable in another case belongs to no name.
    if (IsConnectionName(name) && VariableFor(name) == variable) names.push_back(std::move(name));
  }
  return names;
}

Result<ResolvedConnection> ResolveName(std::string_view name, const Environment& environment,
                                       const std::vector<std::string>& known) {
  const std::string variable = VariableFor(name);
  if (IsSet(variable, environment)) return FromVariable(variable, environment);
  if (name == "default") {
    auto resolved = FromAzureVariables(environment);
    if (resolved.status().code() != Code::kNotFound) return resolved;
  }
  const std::string quoted = "'" + std::string(name) + "'";
  std::string ways = "connection " + quoted + " is unknown";
  if (name == "default") ways += ", and no other is named (by NAME.Table, or connection=NAME)";
  for (size_t i = 0; i < known.size(); ++i) {
    ways += (i == 0 ? "; known connections: " : ", ") + known[i];
  }
  ways += (known.empty() ? ": " : "; to name it: ") + ("SELECT aztables_connect(" + quoted) +
          ", 'env:VARIABLE'), or 'file:PATH', or a connection string; or set the "
          "environment variable " +
          variable;
  if (name == "default") ways += " or AZURE_STORAGE_CONNECTION_STRING";
  return Status::Error(ways + "; without an account: SELECT aztables_connect(" + quoted +
                       ", 'LocalStore=demo.db')");
}

Status CheckInline(std::string_view connection) {
  connection = TrimBlanks(connection);
  if (IsConnectionName(connection) || IsDevelopmentStorage(connection) ||
      IsLocalStore(connection) ||
      (connection.starts_with(kEnvPrefix) &&
       IsVariableName(connection.substr(kEnvPrefix.size()))) ||
      (connection.starts_with(kFilePrefix) && connection.size() > kFilePrefix.size() &&
       !MayBeSecret(connection.substr(kFilePrefix.size())))) {
    return {};
  }
  if (connection.empty()) {
    return Status::Error("the option connection has no value: write connection=NAME");
  }
  if (connection.find_first_of("=/;&:") == std::string_view::npos) {
    return Status::Error(ShowWord(connection) +
                         " is not the name of a connection: letters, digits, _ and -, 64 at most");
  }
  return Status::Error(
      "CREATE VIRTUAL TABLE must not contain a connection string, key or endpoint, because it is "
      "stored in the database file: write connection=NAME and SELECT aztables_connect('NAME', ...) "
      "or set AZTABLES_CONNECTION_NAME; or write connection=env:VARIABLE, connection=file:PATH or "
      "connection='LocalStore=PATH'");
}

Result<ResolvedConnection> ResolveInline(std::string_view connection,
                                         const Environment& environment) {
  connection = TrimBlanks(connection);
  AZTABLES_RETURN_IF_ERROR(CheckInline(connection));
  if (IsConnectionName(connection)) return ResolveName(connection, environment);
  return ResolveHow(connection, environment);
}

}  // namespace aztables
