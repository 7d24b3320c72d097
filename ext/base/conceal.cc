// Conceal: see include/aztables/base/conceal.h.
#include "aztables/base/conceal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "aztables/base/encoding.h"
#include "aztables/base/secret.h"

namespace aztables {
namespace {

constexpr size_t kShortestSignature = 8;
constexpr int kMostLayers = 4;
constexpr std::string_view kInstead = "...";

// A text after some layers of encoding were taken off, and where each byte of it stands in the
// text as it came: from `begins[i]` to `begins[i + 1]`.
struct Decoded {
  std::string text;
  std::vector<size_t> begins;

  Decoded() = default;
  Decoded(const Decoded&) = delete;
  Decoded& operator=(const Decoded&) = delete;
  Decoded(Decoded&&) = default;
  Decoded& operator=(Decoded&& other) noexcept {
    WipeString(text);
    text.swap(other.text);
    begins.swap(other.begins);
    return *this;
  }
  ~Decoded() { WipeString(text); }  // it may hold the signature
};

// A character and how many bytes stand for it; nothing where no escape begins.
using Escape = std::optional<std::pair<char, size_t>>;

// The number that all of `digits` are, if it is a character of ASCII.
std::optional<char> AsciiOf(std::string_view digits, int base) {
  unsigned code = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, code, base);
  if (error != std::errc() || stop != end || code >= 0x80) return std::nullopt;
  return static_cast<char>(code);
}

Escape PercentEscape(std::string_view text) {
  if (text.size() < 3) return std::nullopt;
  const auto c = AsciiOf(text.substr(1, 2), 16);
  return c ? Escape({*c, 3}) : std::nullopt;
}

Escape JsonEscape(std::string_view text) {
  if (text.starts_with("\\/")) return {{'/', 2}};
  if (!text.starts_with("\\u") || text.size() < 6) return std::nullopt;
  const auto c = AsciiOf(text.substr(2, 4), 16);
  return c ? Escape({*c, 6}) : std::nullopt;
}

Escape XmlEntity(std::string_view text) {
  constexpr size_t kLongest = 10;
  const size_t end = text.substr(0, kLongest).find(';');
  if (end == std::string_view::npos || end < 3) return std::nullopt;
  std::string_view name = text.substr(1, end - 1);
  if (name == "amp") return {{'&', end + 1}};
  if (name[0] != '#') return std::nullopt;
  name.remove_prefix(1);
  const bool hex = name[0] == 'x' || name[0] == 'X';
  if (hex) name.remove_prefix(1);
  const auto c = AsciiOf(name, hex ? 16 : 10);
  return c ? Escape({*c, end + 1}) : std::nullopt;
}

Escape EscapeAt(std::string_view text) {
  switch (text[0]) {
    case '%':
      return PercentEscape(text);
    case '\\':
      return JsonEscape(text);
    case '&':
      return XmlEntity(text);
    default:
      return std::nullopt;
  }
}

Decoded Undecoded(std::string_view text) {
  Decoded decoded;
  decoded.text = text;
  for (size_t i = 0; i <= text.size(); ++i) decoded.begins.push_back(i);
  return decoded;
}

Decoded TakeOneLayerOff(const Decoded& from) {
  Decoded to;
  to.text.reserve(from.text.size());
  to.begins.reserve(from.begins.size());
  for (size_t i = 0; i < from.text.size();) {
    const auto [c, size] = EscapeAt(std::string_view(from.text).substr(i))
                               .value_or(std::pair(from.text[i], size_t{1}));
    to.text += c;
    to.begins.push_back(from.begins[i]);
    i += size;
  }
  to.begins.push_back(from.begins.back());
  return to;
}

using Spans = std::vector<std::pair<size_t, size_t>>;  // from, to

void FindAll(const Decoded& decoded, std::string_view what, Spans& spans) {
  for (size_t at = decoded.text.find(what); at != std::string::npos;
       at = decoded.text.find(what, at + what.size())) {
    spans.emplace_back(decoded.begins[at], decoded.begins[at + what.size()]);
  }
}

std::string Replace(const std::string& text, Spans spans) {
  std::sort(spans.begin(), spans.end());
  std::string shown;
  size_t done = 0;
  for (const auto& [from, to] : spans) {
    if (to <= done) continue;
    if (from >= done) {
      shown += std::string_view(text).substr(done, from - done);
      shown += kInstead;
    }
    done = to;
  }
  return shown + text.substr(done);
}

}  // namespace

std::string_view SignatureOfSas(std::string_view sas) {
  constexpr std::string_view kName = "sig=";
  while (!sas.empty()) {
    const size_t end = sas.find('&');
    if (sas.starts_with(kName)) return sas.substr(0, end).substr(kName.size());
    sas.remove_prefix(end == std::string_view::npos ? sas.size() : end + 1);
  }
  return {};
}

std::string Conceal(std::string text, std::string_view signature) {
  if (signature.size() < kShortestSignature) return text;
  std::string plain = PercentDecode(signature);
  Spans spans;
  Decoded decoded = Undecoded(text);
  FindAll(decoded, signature, spans);
  for (int layer = 0; layer <= kMostLayers; ++layer) {
    FindAll(decoded, plain, spans);
    Decoded next = TakeOneLayerOff(decoded);
    if (next.text.size() == decoded.text.size()) break;
    decoded = std::move(next);
  }
  WipeString(plain);
  if (spans.empty()) return text;
  std::string shown = Replace(text, std::move(spans));
  WipeString(text);
  return shown;
}

}  // namespace aztables
