// The keys of connection strings: the known keys, and the intended key for a misspelled one.
//
// Thread rule: constants and free functions, callable on any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace aztables {

// The names of the keys that have an effect.
std::span<const std::string_view> ConnectionKeys();

// The key with an effect that `key` is a misspelling of. It is equal except for case, blanks and
// punctuation, contained in `key`, or at most one edit in four characters away. Some other words
// mean ReadOnly: Read, Write, Mode, RO and the like. Nothing for a key with an effect. Nothing for
// a key of Azure's strings that other services use, or for a key similar to one of those.
std::optional<std::string_view> MeantConnectionKey(std::string_view key);

// The key with an effect inside `value`, before '=' and after ',', '&', '?' or a blank. It may be
// misspelled. If `from_beginning`, `value` is a list of its own, and a key may also be at its
// beginning. Nothing if there is no such key.
std::optional<std::string_view> ConnectionKeyWithin(std::string_view value, bool from_beginning);

}  // namespace aztables
