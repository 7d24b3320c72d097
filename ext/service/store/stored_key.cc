// Stored keys: see stored_key.h.
#include "service/store/stored_key.h"

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr unsigned char kFourByteLead = 0xF0;

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

std::string KeyText(std::string_view stored) {
  std::string out;
  out.reserve(stored.size());
  for (size_t pos = 0; pos < stored.size();) {
    char32_t c = NextCodePoint(stored, pos);
    size_t end = pos;
    if (IsFirstHalf(c) && end < stored.size()) {
      const char32_t second = NextCodePoint(stored, end);
      if (IsSecondHalf(second)) {
        c = 0x10000 + ((c - 0xD800) << 10 | (second - 0xDC00));
        pos = end;
      }
    }
    AppendUtf8(out, c);
  }
  return out;
}

}  // namespace aztables
