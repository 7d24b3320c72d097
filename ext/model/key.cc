// Keys: see key.h.
#include "model/key.h"

#include <algorithm>
#include <utility>

#include "base/encoding.h"

namespace aztables {
namespace {

// Removes the last code point of a text that is not empty, and returns it.
char32_t TakeLast(std::string& text) {
  size_t last = text.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  size_t pos = last;
  const char32_t c = NextCodePoint(text, pos);
  text.resize(last);
  return c;
}

// Whether, at the first difference `place`, one text has a lone surrogate and the other a code
// point above U+FFFF. Such a code point begins with a surrogate in UTF-16, too.
bool IsLoneAgainstPair(std::string_view a, std::string_view b, size_t place) {
  const auto first = static_cast<unsigned char>(a[place]);
  const auto second = static_cast<unsigned char>(b[place]);
  if (std::max(first, second) < 0xF0) return false;
  return FindLoneSurrogate(a.substr(place, 3)) == 0 || FindLoneSurrogate(b.substr(place, 3)) == 0;
}

// The next code unit of `text` from `pos` on. `low` is the second half of a pair if the last unit
// was the first half; else 0.
char32_t NextUnit(std::string_view text, size_t& pos, char32_t& low) {
  if (low != 0) return std::exchange(low, 0);
  const char32_t c = NextCodePoint(text, pos);
  if (c < 0x10000) return c;
  low = 0xDC00 + (c & 0x3FF);
  return 0xD800 + ((c - 0x10000) >> 10);
}

int CompareUnits(std::string_view a, std::string_view b) {
  size_t at = 0;
  size_t other = 0;
  char32_t low = 0;
  char32_t other_low = 0;
  for (;;) {
    const bool end = at == a.size() && low == 0;
    const bool other_end = other == b.size() && other_low == 0;
    if (end || other_end) return static_cast<int>(other_end) - static_cast<int>(end);
    const char32_t unit = NextUnit(a, at, low);
    const char32_t other_unit = NextUnit(b, other, other_low);
    if (unit != other_unit) return unit < other_unit ? -1 : 1;
  }
}

}  // namespace

int CompareAsShown(std::string_view a, std::string_view b) {
  const int order = a.compare(b);
  if (order == 0 || !(HasLoneSurrogate(a) || HasLoneSurrogate(b))) return order;
  return WithoutLoneSurrogates(a).compare(WithoutLoneSurrogates(b));
}

bool IsIllegalInKey(char32_t c) {
  return IsControl(c) || c == '/' || c == '\\' || c == '#' || c == '?';
}

std::optional<char32_t> FirstIllegalInKey(std::string_view key) {
  for (size_t pos = 0; pos < key.size();) {
    const char32_t c = NextCodePoint(key, pos);
    if (IsIllegalInKey(c)) return c;
  }
  return std::nullopt;
}

int CompareKeys(std::string_view a, std::string_view b) {
  const size_t shorter = std::min(a.size(), b.size());
  const auto [at, other] = std::mismatch(a.begin(), a.begin() + shorter, b.begin());
  if (at == a.begin() + shorter) return (a.size() > b.size()) - (a.size() < b.size());
  const auto place = static_cast<size_t>(at - a.begin());
  if (IsLoneAgainstPair(a, b, place)) return CompareUnits(a.substr(place), b.substr(place));
  // U+E000 to U+FFFF begin with the byte EE or EF, higher code points with F0 to F4. Higher code
  // points are surrogates in UTF-16, which sort before U+E000. Later bytes of a code point never
  // have such values.
  const auto rank = [](char c) {
    const int byte = static_cast<unsigned char>(c);
    if (byte < 0xEE) return byte;
    return byte <= 0xEF ? byte + 0x10 : byte - 2;
  };
  return rank(*at) < rank(*other) ? -1 : 1;
}

namespace {

// Cuts `bound` before the first code point that is `unsafe` or that exceeds `max_encoded`.
template <typename Unsafe>
KeyBound Cut(std::string_view bound, size_t max_encoded, Unsafe unsafe) {
  size_t encoded = 0;
  size_t pos = 0;
  while (pos < bound.size()) {
    size_t next = pos;
    const char32_t c = NextCodePoint(bound, next);
    // In a filter a quote is doubled.
    encoded += PercentEncodedSize(bound.substr(pos, next - pos)) * (c == '\'' ? 2 : 1);
    if (unsafe(c) || encoded > max_encoded) break;
    pos = next;
  }
  return {std::string(bound.substr(0, pos)), pos == bound.size()};
}

// The text without its last code points that have no next one, and with the next of the one before
// them. `next` returns 0 if there is none. Nothing if no code point has a next one.
template <typename Next>
std::optional<std::string> Successor(std::string_view text, Next next) {
  std::string end(text);
  while (!end.empty()) {
    const char32_t c = next(TakeLast(end));
    if (c == 0) continue;
    AppendUtf8(end, c);
    return end;
  }
  return std::nullopt;
}

}  // namespace

KeyBound LowerBound(std::string_view bound, size_t max_encoded) {
  // Servers refuse a URL with a control character before they read the filter. An invalid byte
  // shows as U+FFFD.
  return Cut(bound, max_encoded, [](char32_t c) { return c >= 0xD800 || IsControl(c); });
}

KeyBound LowerBoundOfService(std::string_view bound, size_t max_encoded) {
  return Cut(bound, max_encoded, [](char32_t) { return false; });
}

std::optional<std::string> PrefixEnd(std::string_view prefix) {
  // U+D7FF has no successor that means the same in both orders. So the range is widened to the code
  // point before it. The successor of U+007E..U+009E is a control character, which a URL must not
  // contain: skip it.
  return Successor(prefix, [](char32_t c) -> char32_t {
    if (c >= 0xD7FF) return 0;
    return c < 0x1F ? 0x20 : c >= 0x7E && c <= 0x9E ? 0xA0 : c + 1;
  });
}

std::optional<std::string> ServicePrefixEnd(std::string_view prefix) {
  // The order of code units: U+D7FF, the surrogates of U+10000 to U+10FFFF, U+E000.
  return Successor(prefix, [](char32_t c) -> char32_t {
    if (c == 0xFFFF) return 0;
    return c == 0xD7FF ? 0x10000 : c == 0x10FFFF ? 0xE000 : c + 1;
  });
}

std::optional<std::string> BinaryPrefixEnd(std::string_view prefix) {
  return Successor(prefix, [](char32_t c) -> char32_t {
    if (c == 0x10FFFF) return 0;
    return c == 0xD7FF ? 0xE000 : c + 1;  // no text has surrogates
  });
}

}  // namespace aztables
