// Encodings: see encoding.h.
#include "base/encoding.h"

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace aztables {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUpperHex = "0123456789ABCDEF";
constexpr size_t kSurrogateSize = 3;  // bytes of a lone one

constexpr std::array<int8_t, 256> MakeBase64Values() {
  std::array<int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (size_t i = 0; i < kBase64.size(); ++i) {
    values[static_cast<unsigned char>(kBase64[i])] = static_cast<int8_t>(i);
  }
  return values;
}
constexpr std::array<int8_t, 256> kBase64Values = MakeBase64Values();

constexpr std::array<bool, 256> MakeUnreserved() {
  std::array<bool, 256> unreserved{};
  for (unsigned c = 'a'; c <= 'z'; ++c) unreserved[c] = true;
  for (unsigned c = 'A'; c <= 'Z'; ++c) unreserved[c] = true;
  for (unsigned c = '0'; c <= '9'; ++c) unreserved[c] = true;
  for (char c : {'-', '.', '_', '~'}) unreserved[static_cast<unsigned char>(c)] = true;
  return unreserved;
}
constexpr std::array<bool, 256> kUnreserved = MakeUnreserved();

// Length of the UTF-8 sequence at text[pos]; 0 if it is not valid. `code_point` receives its value,
// which may be a surrogate.
size_t DecodeUtf8(std::string_view text, size_t pos, char32_t& code_point) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[pos + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    code_point = first;
    return 1;
  }
  size_t size = 0;
  char32_t least = 0;
  if ((first & 0xE0) == 0xC0) {
    size = 2, least = 0x80, code_point = first & 0x1F;
  } else if ((first & 0xF0) == 0xE0) {
    size = 3, least = 0x800, code_point = first & 0x0F;
  } else if ((first & 0xF8) == 0xF0) {
    size = 4, least = 0x10000, code_point = first & 0x07;
  } else {
    return 0;
  }
  if (text.size() - pos < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code_point = (code_point << 6) | (byte(i) & 0x3F);
  }
  return code_point < least || code_point > 0x10FFFF ? 0 : size;
}

// The position of the first byte from `pos` on that is not ASCII.
size_t SkipAscii(std::string_view text, size_t pos) {
  constexpr uint64_t kNotAscii = 0x8080808080808080;
  for (uint64_t bytes = 0; pos + sizeof bytes <= text.size(); pos += sizeof bytes) {
    std::memcpy(&bytes, text.data() + pos, sizeof bytes);
    if ((bytes & kNotAscii) != 0) break;
  }
  while (pos < text.size() && static_cast<unsigned char>(text[pos]) < 0x80) ++pos;
  return pos;
}

}  // namespace

std::string Base64Encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  size_t i = 0;
  const auto byte = [&](size_t at) {
    return static_cast<uint32_t>(static_cast<unsigned char>(bytes[at]));
  };
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) out += kBase64[group >> shift & 63];
  }
  if (const size_t rest = bytes.size() - i; rest != 0) {
    const uint32_t group = byte(i) << 16 | (rest == 2 ? byte(i + 1) << 8 : 0);
    out += kBase64[group >> 18 & 63];
    out += kBase64[group >> 12 & 63];
    out += rest == 2 ? kBase64[group >> 6 & 63] : '=';
    out += '=';
  }
  return out;
}

bool Base64Decode(std::string_view text, std::string& out) {
  if (text.size() % 4 != 0) return false;
  const size_t before = out.size();
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const size_t symbols = text.size() - padding;
  uint32_t group = 0;
  for (size_t i = 0; i < symbols; ++i) {
    const int value = kBase64Values[static_cast<unsigned char>(text[i])];
    if (value < 0) {
      out.resize(before);
      return false;
    }
    group = group << 6 | static_cast<uint32_t>(value);
    if (i % 4 == 3) {
      for (int shift = 16; shift >= 0; shift -= 8) out += static_cast<char>(group >> shift & 255);
      group = 0;
    }
  }
  if (padding == 1) {
    out += static_cast<char>(group >> 10 & 255);
    out += static_cast<char>(group >> 2 & 255);
  } else if (padding == 2) {
    out += static_cast<char>(group >> 4 & 255);
  }
  return true;
}

std::optional<std::string> Base64UrlDecode(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string base64;
  base64.reserve(text.size() + 3);
  for (const char c : text) {
    if (c == '+' || c == '/') return std::nullopt;
    base64 += c == '-' ? '+' : c == '_' ? '/' : c;
  }
  base64.append((4 - base64.size() % 4) % 4, '=');
  std::string bytes;
  if (!Base64Decode(base64, bytes)) return std::nullopt;
  return bytes;
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void AppendPercentEncoded(std::string& out, std::string_view text) {
  const size_t begin = out.size();
  out.resize(begin + PercentEncodedSize(text));
  char* to = out.data() + begin;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (kUnreserved[byte]) {
      *to++ = c;
    } else {
      *to++ = '%';
      *to++ = kUpperHex[byte >> 4];
      *to++ = kUpperHex[byte & 15];
    }
  }
}

std::string PercentEncode(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  AppendPercentEncoded(out, text);
  return out;
}

size_t PercentEncodedSize(std::string_view text) {
  size_t size = 0;
  for (const char c : text) size += kUnreserved[static_cast<unsigned char>(c)] ? 1 : 3;
  return size;
}

std::string PercentDecode(std::string_view text, char plus) {
  std::string decoded(text.size(), '\0');
  char* out = decoded.data();
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i] == '+' ? plus : text[i];
    if (c == '%' && i + 2 < text.size()) {
      const int high = HexValue(text[i + 1]);
      const int low = HexValue(text[i + 2]);
      if (high >= 0 && low >= 0) {
        c = static_cast<char>(high << 4 | low);
        i += 2;
      }
    }
    *out++ = c;
  }
  decoded.resize(static_cast<size_t>(out - decoded.data()));
  return decoded;
}

void AppendHex(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    out += kUpperHex[static_cast<unsigned char>(c) >> 4];
    out += kUpperHex[static_cast<unsigned char>(c) & 15];
  }
}

char32_t NextCodePoint(std::string_view text, size_t& pos) {
  char32_t code_point = 0;
  const size_t size = DecodeUtf8(text, pos, code_point);
  if (size == 0) {
    ++pos;
    return 0xFFFD;
  }
  pos += size;
  return code_point;
}

void AppendUtf8(std::string& out, char32_t code_point) {
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0 | code_point >> 6);
    out += static_cast<char>(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0 | code_point >> 12);
    out += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code_point & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code_point >> 18);
    out += static_cast<char>(0x80 | (code_point >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code_point & 0x3F));
  }
}

bool IsValidUtf8(std::string_view text) {
  for (size_t pos = SkipAscii(text, 0); pos < text.size(); pos = SkipAscii(text, pos)) {
    char32_t code_point = 0;
    const size_t size = DecodeUtf8(text, pos, code_point);
    if (size == 0 || IsSurrogate(code_point)) return false;
    pos += size;
  }
  return true;
}

size_t FindLoneSurrogate(std::string_view text, size_t begin) {
  constexpr char kLead = '\xED';
  for (size_t at = begin; (at = text.find(kLead, at)) != std::string_view::npos; ++at) {
    const bool whole = at + kSurrogateSize <= text.size();
    if (whole && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return at;
  }
  return std::string_view::npos;
}

std::string WithoutLoneSurrogates(std::string_view text) {
  std::string shown(text);
  size_t at = 0;
  while ((at = FindLoneSurrogate(shown, at)) != std::string::npos) {
    shown.replace(at, kSurrogateSize, "\xEF\xBF\xBD");
    at += kSurrogateSize;
  }
  return shown;
}

size_t Utf16Length(std::string_view text) {
  size_t length = 0;
  for (size_t pos = 0;;) {
    const size_t end = SkipAscii(text, pos);
    length += end - std::exchange(pos, end);
    if (pos == text.size()) return length;
    length += NextCodePoint(text, pos) >= 0x10000 ? 2 : 1;
  }
}

std::string PrintableLine(std::string_view text, size_t most) {
  text = TrimBlanks(text);
  text = text.substr(0, text.find_first_of("\r\n"));
  std::string line;
  for (size_t pos = 0; pos < text.size() && line.size() < most;) {
    const size_t start = pos;
    const char32_t c = NextCodePoint(text, pos);
    if (!IsControl(c) && c != 0xFFFD && !IsSurrogate(c)) line += text.substr(start, pos - start);
  }
  return line;
}

std::string QuoteText(std::string_view text, char quote) {
  std::string quoted;
  quoted.reserve(text.size() + 2);
  quoted += quote;
  for (size_t at = text.find(quote); at != text.npos; at = text.find(quote)) {
    quoted.append(text.substr(0, at + 1)) += quote;
    text.remove_prefix(at + 1);
  }
  quoted.append(text) += quote;
  return quoted;
}

std::string ToLowerAscii(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = ToLowerAscii(c);
  return out;
}

bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (ToLowerAscii(a[i]) != ToLowerAscii(b[i])) return false;
  }
  return true;
}

bool IsAsciiLetterOrDigit(char c) {
  const char lower = ToLowerAscii(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

std::string_view TakeUntil(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view front = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return front;
}

std::string_view TrimBlanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<bool> ParseOnOff(std::string_view text) {
  for (const std::string_view word : {"on", "yes", "true", "1"}) {
    if (EqualsIgnoreCase(text, word)) return true;
  }
  for (const std::string_view word : {"off", "no", "false", "0"}) {
    if (EqualsIgnoreCase(text, word)) return false;
  }
  return std::nullopt;
}

std::optional<int64_t> ParseInteger(std::string_view text) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return std::nullopt;
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace aztables
