// Stored keys: see stored_key.h.
#include "stored_key.h"

#include "aztables/base/encoding.h"

namespace aztables {
namespace {

constexpr unsigned char kFourByteLead = 0xF0;
constexpr unsigned char kSurrogateLead = 0xED;

void AppendSurrogate(std::string& out, char32_t unit) {
  out += static_cast<char>(0xE0 | (unit >> 12));
  out += static_cast<char>(0x80 | ((unit >> 6) & 0x3F));
  out += static_cast<char>(0x80 | (unit & 0x3F));
}

// The surrogate in the three bytes at text[pos].
char32_t SurrogateAt(std::string_view text, size_t pos) {
  const auto byte = [&](size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[pos + i]));
  };
  return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
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
    AppendSurrogate(out, 0xD800 + (c >> 10));
    AppendSurrogate(out, 0xDC00 + (c & 0x3FF));
  }
  return out;
}

std::string KeyText(std::string_view stored) {
  std::string out;
  out.reserve(stored.size());
  for (size_t pos = 0; pos < stored.size();) {
    const bool surrogate = static_cast<unsigned char>(stored[pos]) == kSurrogateLead &&
                           pos + 6 <= stored.size() &&
                           static_cast<unsigned char>(stored[pos + 1]) >= 0xA0;
    if (!surrogate) {
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
