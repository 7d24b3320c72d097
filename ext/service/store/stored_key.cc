// Stored keys: see stored_key.h.
#include "service/store/stored_key.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr unsigned char kFourByteLead = 0xF0;
constexpr char kSurrogateLead = '\xED';  // the first byte of a surrogate

bool IsFirstHalf(char32_t c) { return c >= 0xD800 && c < 0xDC00; }
bool IsSecondHalf(char32_t c) { return c >= 0xDC00 && c < 0xE000; }

}  // namespace

std::string StoredKey(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (size_t pos = 0; pos < utf8.size();) {
    if (static_cast<unsigned char>(utf8[pos]) < kFourByteLead) {
      out += utf8[pos++];
      continue;
    }
    const char32_t c = NextCodePoint(utf8, pos) - 0x10000;
    AppendUtf8(out, 0xD800 + (c >> 10));
    AppendUtf8(out, 0xDC00 + (c & 0x3FF));
  }
  return out;
}

void SetKeyText(std::string_view stored, std::string& text) {
  text.clear();
  for (size_t pos = 0; pos < stored.size();) {
    // UTF-8 up to the next surrogate stays unchanged.
    const size_t plain = std::min(stored.find(kSurrogateLead, pos), stored.size());
    text += stored.substr(pos, plain - pos);
    if (plain == stored.size()) return;
    pos = plain;
    char32_t c = NextCodePoint(stored, pos);
    size_t end = pos;
    if (IsFirstHalf(c) && end < stored.size()) {
      const char32_t second = NextCodePoint(stored, end);
      if (IsSecondHalf(second)) {
        c = 0x10000 + ((c - 0xD800) << 10 | (second - 0xDC00));
        pos = end;
      }
    }
    AppendUtf8(text, c);
  }
}

std::string KeyText(std::string_view stored) {
  std::string text;
  SetKeyText(stored, text);
  return text;
}

}  // namespace aztables
