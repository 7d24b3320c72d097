// Keys of connection strings: see connection_keys.h.
#include "auth/connection_keys.h"

#include <algorithm>
#include <string>

#include "base/edit_distance.h"
#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kRead[] = {"AccessToken",
                                      "AccountKey",
                                      "AccountName",
                                      "Authority",
                                      "CaFile",
                                      "ClientId",
                                      "ClientSecret",
                                      "Credential",
                                      "DefaultEndpointsProtocol",
                                      "DevelopmentStorageProxyUri",
                                      "EndpointSuffix",
                                      "LocalStore",
                                      "ObjectId",
                                      "ReadOnly",
                                      "ResourceId",
                                      "Scope",
                                      "SharedAccessSignature",
                                      "Simulate",
                                      "TableEndpoint",
                                      "TenantId",
                                      "UseDevelopmentStorage"};

// Also recognized, to refuse them.
constexpr std::string_view kRefused[] = {"SecondaryReads"};

// Keys of Azure's own strings for other services or other clients.
// Source: the connection string readers of the official clients; the strings that the portal shows.
constexpr std::string_view kOthers[] = {"AccountEndpoint",
                                        "AccountKeyName",
                                        "ApiKind",
                                        "BlobEndpoint",
                                        "BlobSecondaryEndpoint",
                                        "DfsEndpoint",
                                        "DfsSecondaryEndpoint",
                                        "Endpoint",
                                        "FileEndpoint",
                                        "FileSecondaryEndpoint",
                                        "QueueEndpoint",
                                        "QueueSecondaryEndpoint",
                                        "TableSecondaryEndpoint",
                                        "WebEndpoint",
                                        "WebSecondaryEndpoint"};

// The key in lower case without ASCII blanks and punctuation, which people add or omit.
std::u32string Squeezed(std::string_view key) {
  std::u32string squeezed = FoldedCodePoints(key);
  std::erase_if(squeezed, [](char32_t c) {
    return c < 0x80 && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9');
  });
  return squeezed;
}

// Words for ReadOnly. A user who writes one does not expect a connection that writes.
constexpr std::u32string_view kReadOnlyWords[] = {
    U"access", U"accessmode", U"accessread", U"allowwrite", U"allowwrites",
    U"mode",   U"nowrite",    U"nowrites",   U"only",       U"onlyread",
    U"read",   U"readaccess", U"reads",      U"readwrite",  U"ro",
    U"rw",     U"writable",   U"write",      U"writes",     U"writeable"};

// The number of edits from `typed` to the key `name`; nothing if the two are not similar.
std::optional<size_t> EditsTo(std::string_view name, const std::u32string& typed) {
  const std::u32string key = Squeezed(name);
  const size_t longer = std::max(key.size(), typed.size());
  const size_t difference = longer - std::min(key.size(), typed.size());
  if (typed.find(key) != std::u32string::npos) return difference;
  if (difference > longer / 4) return std::nullopt;  // also: no large table for a long text
  const size_t edits = EditDistance(typed, key);
  return edits > longer / 4 ? std::nullopt : std::optional(edits);
}

// The key with an effect that `name` is or means. A path is not a key.
std::optional<std::string_view> KeyLike(std::string_view name) {
  if (name.empty() || name.find_first_of("/\\:") != std::string_view::npos) return std::nullopt;
  for (const std::string_view key : kRead) {
    if (EqualsIgnoreCase(key, name)) return key;
  }
  return MeantConnectionKey(name);
}

}  // namespace

std::span<const std::string_view> ConnectionKeys() { return kRead; }

std::optional<std::string_view> MeantConnectionKey(std::string_view key) {
  const std::span<const std::string_view> lists[] = {kRead, kRefused, kOthers};
  for (const auto& list : lists) {
    for (const std::string_view name : list) {
      if (EqualsIgnoreCase(name, key)) return std::nullopt;
    }
  }
  const std::u32string typed = Squeezed(key);
  std::optional<size_t> fewest;
  std::optional<std::string_view> meant;
  for (const auto& list : lists) {
    for (const std::string_view name : list) {
      const auto edits = EditsTo(name, typed);
      if (!edits || (fewest && *edits >= *fewest)) continue;
      fewest = edits;
      meant = list.data() == kOthers ? std::nullopt : std::optional(name);
    }
  }
  const auto* const end = std::end(kReadOnlyWords);
  const bool means_read_only = std::find(std::begin(kReadOnlyWords), end, typed) != end;
  return means_read_only && !fewest ? "ReadOnly" : meant;
}

std::optional<std::string_view> ConnectionKeyWithin(std::string_view value, bool from_beginning) {
  constexpr std::string_view kSeparators = ",&? \t\r\n";
  std::string_view name;
  bool may_begin = from_beginning;
  for (size_t i = 0, begin = 0; i < value.size(); ++i) {
    if (kSeparators.find(value[i]) != std::string_view::npos) {
      may_begin = true;
      begin = i + 1;  // blanks may follow the name: it is kept
    } else if (value[i] != '=') {
      if (may_begin) name = value.substr(begin, i + 1 - begin);
    } else {
      if (const auto meant = KeyLike(name)) return meant;
      name = {};
      may_begin = false;
    }
  }
  return std::nullopt;
}

}  // namespace aztables
