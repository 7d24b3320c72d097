// Keys of connection strings: see connection_keys.h.
#include "auth/connection_keys.h"

#include <algorithm>
#include <string>

#include "base/edit_distance.h"
#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kRead[] = {"AccountKey",
                                      "AccountName",
                                      "CaFile",
                                      "DefaultEndpointsProtocol",
                                      "DevelopmentStorageProxyUri",
                                      "EndpointSuffix",
                                      "LocalStore",
                                      "ReadOnly",
                                      "SharedAccessSignature",
                                      "TableEndpoint",
                                      "UseDevelopmentStorage"};

// Also recognized, to refuse them.
constexpr std::string_view kRefused[] = {"Credential", "SecondaryReads"};

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

bool IsOneOf(std::span<const std::string_view> keys, std::string_view key) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view one) { return ToLowerAscii(one) == ToLowerAscii(key); });
}

// Whether `typed` contains all words of `name`, in any order. A word of two letters never counts,
// because many words contain it by chance.
bool HasWords(const std::u32string& typed, std::string_view name) {
  constexpr size_t kShortest = 3;
  while (!name.empty()) {
    size_t size = 1;
    while (size < name.size() && !(name[size] >= 'A' && name[size] <= 'Z')) ++size;
    if (size < kShortest) return false;
    if (typed.find(Squeezed(name.substr(0, size))) == std::u32string::npos) return false;
    name.remove_prefix(size);
  }
  return true;
}

// Whether the key is about reading and writing. A user who writes such a key does not expect a
// connection that writes.
bool IsAboutWriting(std::u32string_view typed) {
  constexpr std::u32string_view kWhole[] = {U"access", U"accessmode", U"mode", U"ro"};
  if (std::find(std::begin(kWhole), std::end(kWhole), typed) != std::end(kWhole)) return true;
  const auto has = [&](std::u32string_view word) { return typed.find(word) != typed.npos; };
  if (has(U"only") || has(U"writ")) return true;
  for (size_t at = 0; (at = typed.find(U"read", at)) != typed.npos; ++at) {
    const std::u32string_view before = typed.substr(0, at);
    if (!before.ends_with(U"th") && !before.ends_with(U"sp")) return true;  // thread, spread
  }
  return false;
}

// The key with the fewest edits from the typed one.
class Nearest {
 public:
  explicit Nearest(std::u32string typed) : typed_(std::move(typed)) {}

  // `meant` is the key to suggest for `name`; nothing: no suggestion.
  void Consider(std::string_view name, std::optional<std::string_view> meant) {
    const std::u32string key = Squeezed(name);
    const size_t longer = std::max(key.size(), typed_.size());
    const size_t shorter = std::min(key.size(), typed_.size());
    const bool contains = typed_.find(key) != std::u32string::npos || HasWords(typed_, name);
    if (!contains && longer - shorter > longer / 4) return;  // also: no large table for a long text
    const size_t edits = contains ? longer - shorter : EditDistance(typed_, key);
    if ((!contains && edits > longer / 4) || (found_ && edits >= edits_)) return;
    found_ = true;
    edits_ = edits;
    meant_ = meant;
  }
  bool found() const { return found_; }
  std::optional<std::string_view> meant() const { return meant_; }

 private:
  const std::u32string typed_;
  bool found_ = false;
  size_t edits_ = 0;
  std::optional<std::string_view> meant_;
};

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
  for (const std::span<const std::string_view> keys :
       {std::span<const std::string_view>(kRead), std::span<const std::string_view>(kRefused),
        std::span<const std::string_view>(kOthers)}) {
    if (IsOneOf(keys, key)) return std::nullopt;
  }
  Nearest nearest(Squeezed(key));
  for (const std::string_view name : kRead) nearest.Consider(name, name);
  for (const std::string_view name : kRefused) nearest.Consider(name, name);
  for (const std::string_view name : kOthers) nearest.Consider(name, std::nullopt);
  if (!nearest.found() && IsAboutWriting(Squeezed(key))) return "ReadOnly";
  return nearest.meant();
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
