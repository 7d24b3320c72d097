// UTF-16 for tests, independent of the code under test.
//
// Thread rule: free functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/encoding.h"

namespace aztables {

// A text in the service's form; its order is by these units.
inline std::u16string Utf16(std::string_view text) {
  std::u16string units;
  for (size_t pos = 0; pos < text.size();) {
    const char32_t c = NextCodePoint(text, pos);
    if (c < 0x10000) {
      units += static_cast<char16_t>(c);
    } else {
      units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      units += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return units;
}

// The text of code units. Adjacent halves of a pair become one code point.
inline std::string TextOf(std::u16string_view units) {
  std::string text;
  for (size_t i = 0; i < units.size(); ++i) {
    const bool pair = units[i] >= 0xD800 && units[i] < 0xDC00 && i + 1 < units.size() &&
                      units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000;
    char32_t c = units[i];
    if (pair) c = 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00);
    AppendUtf8(text, c);
  }
  return text;
}

}  // namespace aztables
