// The keys of connection strings: which are read, and which was meant by a key that is misspelled.
//
// Thread rule: constants and free functions, callable on any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace aztables {

// The keys that have an effect, by name.
std::span<const std::string_view> ConnectionKeys();

// The key with an effect that `key` is a misspelling of: equal but for case, blanks and
// punctuation, at most one edit in four characters away, or with all words of that key inside it,
// in any order. Another key with "read", "only" or "writ" in it means ReadOnly, but for "thread"
// and "spread"; so do Access, AccessMode, Mode and RO. Nothing for a key with an effect, for a key
// that strings of Azure carry for other services, and for a key like one of those.
std::optional<std::string_view> MeantConnectionKey(std::string_view key);

// The key with an effect that stands inside `value`, in front of '=' and after ',', '&', '?' or a
// blank; one that is misspelled, too. A value that is a list of its own has one at its beginning,
// too: `from_beginning`. Nothing if there is none.
std::optional<std::string_view> ConnectionKeyWithin(std::string_view value, bool from_beginning);

}  // namespace aztables
