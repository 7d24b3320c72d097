// StoredKey: keys as bytes in the service's order, which is by UTF-16 code unit. They are UTF-8,
// except that each code point above U+FFFF is two surrogates (CESU-8). memcmp then yields the
// service's order. A lone surrogate (base/encoding.h) stays unchanged.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace aztables {

// REQUIRES: valid UTF-8, except for lone surrogates
std::string StoredKey(std::string_view utf8);
// The text of a stored key.
std::string KeyText(std::string_view stored);
// The same in place of `text`, whose memory is used again.
void SetKeyText(std::string_view stored, std::string& text);

// The smallest stored key above `key`.
inline std::string KeySuccessor(std::string_view key) { return std::string(key) + '\0'; }
inline bool IsKeySuccessor(std::string_view next, std::string_view key) {
  return next.size() == key.size() + 1 && next.starts_with(key) && next.back() == '\0';
}
// Above every stored key: UTF-8 never contains this byte.
inline constexpr std::string_view kAboveAllKeys = "\xFF";

}  // namespace aztables
