// Keys: which texts can be a PartitionKey or a RowKey, and how ranges over them are carried from
// SQLite's order (UTF-8 bytes) into the service's (UTF-16 code units).
// Source: Microsoft, "Understanding the Table service data model" (characters disallowed in keys).
//
// The two orders differ only where one key has a code point above U+FFFF and the other one of
// U+E000 to U+FFFF at the first place in which they differ. A bound without any code point from
// U+E000 on therefore means the same in both; the others are cut in front of their first such code
// point, which widens the range.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

// The longest key that any document of the service names, in UTF-16 code units.
inline constexpr size_t kMaxKeyLength = 1024;

// Whether the service refuses this code point in a key: / \ # ? and the control characters.
bool IsIllegalInKey(char32_t code_point);
// The first code point of `key` that is illegal, or nothing.
std::optional<char32_t> FirstIllegalInKey(std::string_view key);

// Whether key `a` stands before (< 0), with (0) or behind (> 0) key `b` in the service's order.
// Texts that are not valid UTF-8, but for lone surrogates (base/encoding.h), have some place of
// their own in it.
int CompareKeys(std::string_view a, std::string_view b);
// The same in SQLite's order (BINARY) of what it is shown, U+FFFD in place of lone surrogates: two
// keys may be one there.
int CompareAsShown(std::string_view a, std::string_view b);

// A text that is not above `bound` in either order: `bound` itself where both orders agree on it
// and its percent-encoded form has at most `max_encoded` characters, else the longest beginning of
// `bound` for which that holds.
struct KeyBound {
  std::string text;
  bool exact = true;  // text == bound
};
KeyBound LowerBound(std::string_view bound, size_t max_encoded);
// The same for the service's order alone: only its size cuts the text. REQUIRES: a text that can be
// in a key
KeyBound LowerBoundOfService(std::string_view bound, size_t max_encoded);

// The smallest text above every text that begins with `prefix`, in both orders, or nothing if there
// is none such. REQUIRES: `prefix` has no code point from U+E000 on (LowerBound() gives such
// texts).
std::optional<std::string> PrefixEnd(std::string_view prefix);

// The smallest text above every text that begins with `prefix`, in the service's order alone, or
// nothing if there is none such. REQUIRES: valid UTF-8
std::optional<std::string> ServicePrefixEnd(std::string_view prefix);

// The smallest text above every text that begins with `prefix`, in SQLite's BINARY order alone, or
// nothing if there is none such: for the empty prefix and one of U+10FFFF only. REQUIRES: valid
// UTF-8
std::optional<std::string> BinaryPrefixEnd(std::string_view prefix);

}  // namespace aztables
