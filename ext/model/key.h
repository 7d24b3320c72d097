// Keys: which texts can be a PartitionKey or a RowKey. Converts ranges of keys from SQLite's order
// (UTF-8 bytes) to the service's order (UTF-16 code units).
// Source: Microsoft, "Understanding the Table service data model" (characters disallowed in keys).
//
// The two orders differ only in one case. At the first difference, one key has a code point above
// U+FFFF and the other has one of U+E000 to U+FFFF. So a bound without code points from U+E000 on
// means the same in both orders. Any other bound is cut before its first such code point, which
// widens the range.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

// The longest key in any documentation of the service, in UTF-16 code units.
inline constexpr size_t kMaxKeyLength = 1024;

// Whether the service refuses this code point in a key: / \ # ? and the control characters.
bool IsIllegalInKey(char32_t code_point);
// The first code point of `key` that is illegal, or nothing.
std::optional<char32_t> FirstIllegalInKey(std::string_view key);

// Compares the keys in the service's order: < 0 if `a` is first, 0 if they are equal, > 0 if `b` is
// first. Texts that are invalid UTF-8 (other than lone surrogates, base/encoding.h) have an
// unspecified position in it.
int CompareKeys(std::string_view a, std::string_view b);
// The same in SQLite's order (BINARY) of the texts that SQLite sees, with U+FFFD for lone
// surrogates. Two different keys may be equal in it.
int CompareAsShown(std::string_view a, std::string_view b);

// A text that is not above `bound` in either order. It is `bound` if both orders agree on it and
// its percent-encoded form has at most `max_encoded` characters. Else it is the longest prefix of
// `bound` with these two properties.
struct KeyBound {
  std::string text;
  bool exact = true;  // text == bound
};
KeyBound LowerBound(std::string_view bound, size_t max_encoded);
// The same for the service's order only: a bound is cut only if it is too long. REQUIRES: a text
// that can be in a key
KeyBound LowerBoundOfService(std::string_view bound, size_t max_encoded);

// A text above every text that begins with `prefix`, in both orders. It is the smallest one that
// means the same in both orders and that a URL can contain. Nothing if there is no such text.
// REQUIRES: `prefix` has no code point from U+D800 on (LowerBound() returns such texts).
std::optional<std::string> PrefixEnd(std::string_view prefix);

// The smallest text above every text that begins with `prefix`, in the service's order only.
// Nothing if there is no such text. REQUIRES: valid UTF-8
std::optional<std::string> ServicePrefixEnd(std::string_view prefix);

// The smallest text above every text that begins with `prefix`, in SQLite's BINARY order only.
// Nothing if there is no such text: for the empty prefix, and for one of only U+10FFFF. REQUIRES:
// valid UTF-8
std::optional<std::string> BinaryPrefixEnd(std::string_view prefix);

}  // namespace aztables
