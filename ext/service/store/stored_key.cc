// Stored keys: see stored_key.h.
#include "service/store/stored_key.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr unsigned char kFourByteLead = 0xF0;
// The surrogate in the three bytes at text[pos].
char32_t SurrogateAt(std::string_view text, size_t pos) {
  const auto byte = [&](size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[pos + i]));
  };
  return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
}

// Whether a surrogate pair begins at text[pos].
bool IsPairAt(std::string_view text, size_t pos) {
  return FindLoneSurrogate(text.substr(pos, 3)) == 0 && SurrogateAt(text, pos) < 0xDC00 &&
         FindLoneSurrogate(text.substr(std::min(pos + 3, text.size()), 3)) == 0 &&
         SurrogateAt(text, pos + 3) >= 0xDC00;
}

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
    if (!IsPairAt(stored, pos)) {
      out += stored[pos++];
      continue;
    }
    const char32_t high = SurrogateAt(stored, pos) - 0xD800;
    const char32_t low = SurrogateAt(stored, pos + 3) - 0xDC00;
    AppendUtf8(out, 0x10000 + (high << 10 | low));
    pos += 6;
  }
  return out;
}

}  // namespace aztables
