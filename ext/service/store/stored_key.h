// StoredKey: keys as the store holds them, bytes whose order is the service's. The service orders
// keys by UTF-16 code unit; UTF-8 with each code point above U+FFFF written as its two surrogates
// (CESU-8) sorts so by memcmp, and equals UTF-8 for all other texts. A lone surrogate
// (base/encoding.h) stays as it is.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

// REQUIRES: valid UTF-8 but for lone surrogates
std::string StoredKey(std::string_view utf8);
// The text of a stored key.
std::string KeyText(std::string_view stored);

// Below and not below every key with these bytes at its front: the smallest stored key above `key`.
inline std::string KeySuccessor(std::string_view key) { return std::string(key) + '\0'; }
// Above every stored key: no encoded text has this byte.
inline constexpr std::string_view kAboveAllKeys = "\xFF";

}  // namespace aztables
