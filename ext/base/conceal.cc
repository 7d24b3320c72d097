// Conceal: see conceal.h.
#include "base/conceal.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "base/secret.h"

namespace aztables {
namespace {

constexpr size_t kFewestLetters = 6;
constexpr size_t kLettersInCommon = 12;
constexpr std::string_view kInstead = "...";
constexpr char kOther = 0;  // a character that cannot be a part of an escape
// The most characters that are searched for the start of an escape without a fixed size.
constexpr size_t kMostDigits = 40;

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// The position of a character in the original text: from `first` to `second`. `depth`: the number
// of nested escapes that contained the character; 0: it was not escaped.
struct Place {
  size_t first = 0;
  size_t second = 0;
  size_t depth = 0;
};

// A text in lower case without its escapes, or only its letters and digits, with their places.
struct Plain {
  std::string text;
  std::vector<Place> places;

  explicit Plain(size_t size) {
    text.reserve(size);  // at once: growing would leave a copy of a secret
    places.reserve(size);
  }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;
  ~Plain() { WipeString(text); }

  void Append(char c, const Place& place) {
    text += c;
    places.push_back(place);
  }
  size_t Depth(size_t count) const {  // of the deepest of the last `count` characters
    size_t depth = 0;
    for (size_t i = places.size() - count; i < places.size(); ++i) {
      depth = std::max(depth, places[i].depth);
    }
    return depth;
  }
  // Removes the last `count` characters and returns the place that covers them.
  Place Remove(size_t count) {
    const Place place{places[places.size() - count].first, places.back().second, Depth(count) + 1};
    text.resize(text.size() - count);
    places.resize(text.size());
    return place;
  }
};

// An escape at the end of a text. `size`: its characters; 0: there is no escape. `character`: the
// escaped character.
struct Escape {
  size_t size = 0;
  char character = kOther;
};

// The character whose code is the number `digits`. Nothing if `digits` is not a number.
std::optional<char> Character(std::string_view digits, int base) {
  unsigned code = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, code, base);
  if (digits.empty() || stop != end) return std::nullopt;
  return error != std::errc() || code >= 0x80 ? kOther : ToLowerAscii(static_cast<char>(code));
}

// %2B, \u002B and the like.
Escape HexEscape(std::string_view text) {
  constexpr std::pair<std::string_view, size_t> kForms[] = {
      {"%", 2}, {"\\x", 2}, {"\\u", 4}, {"%u", 4}};
  for (const auto& [mark, digits] : kForms) {
    const size_t size = mark.size() + digits;
    if (text.size() < size) continue;
    const std::string_view tail = text.substr(text.size() - size);
    if (!tail.starts_with(mark)) continue;
    if (const auto c = Character(tail.substr(mark.size()), 16)) return {size, *c};
  }
  return {};
}

// &#43; &#x2B; &plus; &equals;. A name never means a letter or a digit. So its character
// matters only if it is padding or starts another escape. REQUIRES: text ends with ';'
Escape HtmlEntity(std::string_view text) {
  constexpr size_t kLongestName = 8;
  constexpr std::pair<std::string_view, char> kMatter[] = {
      {"amp", '&'}, {"num", '#'}, {"semi", ';'}, {"percnt", '%'}, {"bsol", '\\'}, {"equals", '='}};
  const std::string_view before = text.substr(0, text.size() - 1);
  const size_t begin = before.find_last_not_of("#0123456789abcdefghijklmnopqrstuvwxyz");
  if (begin == std::string_view::npos || text[begin] != '&') return {};
  const std::string_view name = before.substr(begin + 1);
  Escape escape{text.size() - begin};
  if (name.starts_with('#')) {
    const bool hex = name.starts_with("#x");
    const auto c = Character(name.substr(hex ? 2 : 1), hex ? 16 : 10);
    if (!c) return {};
    escape.character = *c;
    return escape;
  }
  for (const auto& [known, c] : kMatter) {
    if (name == known) escape.character = c;
  }
  return name.empty() || name.size() > kLongestName ? Escape() : escape;
}

// Such as \u{2B}. REQUIRES: text ends with '}'
Escape BracedEscape(std::string_view text) {
  const std::string_view before = text.substr(0, text.size() - 1);
  const std::string_view tail = before.substr(before.size() - std::min(before.size(), kMostDigits));
  const size_t brace = tail.rfind('{');
  if (brace == std::string_view::npos || brace < 2 || tail[brace - 2] != '\\') return {};
  if (tail[brace - 1] != 'u' && tail[brace - 1] != 'x') return {};
  const auto c = Character(tail.substr(brace + 1), 16);
  return c ? Escape{tail.size() - brace + 3, *c} : Escape();
}

Escape EscapeAtEnd(std::string_view text) {
  constexpr std::string_view kControls = "bfnrt";  // \n and the like
  if (text.back() == ';') return HtmlEntity(text);
  if (text.back() == '}') return BracedEscape(text);
  const bool escaped = text.size() > 1 && text[text.size() - 2] == '\\';
  if (escaped && kControls.find(text.back()) != std::string_view::npos) return {2};
  return IsHexDigit(text.back()) ? HexEscape(text) : Escape();
}

// An escape such as \r or \u002B does not count if its letter was nested deeper than its backslash.
// Then the letter and its own backslashes were escaped: in \\u0072 the \u0072 is an r.
Escape EscapeAtEnd(const Plain& plain) {
  const Escape escape = EscapeAtEnd(std::string_view(plain.text));
  if (escape.size < 2) return {};
  const size_t mark = plain.text.size() - escape.size;
  const bool backslash = plain.text[mark] == '\\';
  const bool deeper = plain.places[mark + 1].depth > plain.places[mark].depth;
  return backslash && deeper ? Escape() : escape;
}

// A numeric HTML entity without a final ';'. It ends because `next` is not a digit, as in browsers.
// A character that may start an escape of an outer layer may still become a digit, so it does not
// end the entity.
Escape OpenEntity(const Plain& plain, char next, size_t depth) {
  constexpr std::string_view kBegins = "&%\\";
  if (next == ';' || plain.text.empty() || !IsHexDigit(plain.text.back())) return {};
  const std::string_view text = plain.text;
  const std::string_view tail = text.substr(text.size() - std::min(text.size(), kMostDigits));
  const size_t begin = tail.rfind("&#");
  if (begin == std::string_view::npos) return {};
  const std::string_view name = tail.substr(begin + 2);
  const bool hex = name.starts_with('x');
  if (hex ? IsHexDigit(next) : next >= '0' && next <= '9') return {};
  const auto c = Character(name.substr(hex ? 1 : 0), hex ? 16 : 10);
  const size_t size = tail.size() - begin;
  const bool outer = depth < plain.Depth(size) && kBegins.find(next) != std::string_view::npos;
  return !c || outer ? Escape() : Escape{size, *c};
}

// Undoes every escape in one pass. A decoded character may end another escape, which is undone too.
void Unescape(std::string_view text, Plain& plain) {
  std::vector<std::pair<char, Place>> next;  // the last element is taken first
  for (size_t i = 0; i <= text.size(); ++i) {
    next.emplace_back(i < text.size() ? ToLowerAscii(text[i]) : kOther, Place{i, i + 1, 0});
    while (!next.empty()) {
      const auto [c, place] = next.back();
      if (const Escape open = OpenEntity(plain, c, place.depth); open.size > 0) {
        next.emplace_back(open.character, plain.Remove(open.size));
        continue;
      }
      next.pop_back();
      plain.Append(c, place);
      if (const Escape escape = EscapeAtEnd(plain); escape.size > 0) {
        next.emplace_back(escape.character, plain.Remove(escape.size));
      }
    }
  }
}

// Keeps only the letters and digits, because the other characters may have been replaced: '+' may
// be '-' or a blank. The other characters of base64 and its padding belong to the letter before
// them.
void KeepLetters(Plain& plain) {
  size_t kept = 0;
  for (size_t i = 0; i < plain.text.size(); ++i) {
    const char c = plain.text[i];
    if (IsLetter(c)) {
      plain.text[kept] = c;
      plain.places[kept++] = plain.places[i];
    } else if ((c == '+' || c == '/' || c == '=') && kept > 0 &&
               plain.places[kept - 1].second == plain.places[i].first) {
      plain.places[kept - 1].second = plain.places[i].second;
    }
  }
  plain.text.resize(kept);
  plain.places.resize(kept);
}

// What a character is in a search for letters and digits: these in lower case; 0: skipped.
constexpr char kBeginsEscape = 1;
constexpr std::array<char, 256> kLetterOf = [] {
  std::array<char, 256> letters{};
  for (size_t i = 0; i < letters.size(); ++i) {
    const char lower = ToLowerAscii(static_cast<char>(i));
    if (IsLetter(lower)) letters[i] = lower;
  }
  for (const char c : {'%', '\\', '&'}) letters[static_cast<unsigned char>(c)] = kBeginsEscape;
  return letters;
}();

constexpr size_t kPairs = 64 * 64;
// A number below kPairs. Different pairs may have the same.
size_t PairOf(char first, char second) {
  return static_cast<size_t>((first & 63) << 6 | (second & 63));
}

// Sets `letters` to the letters and digits of a text in lower case. False: the text may have other
// escapes than %XX for characters that are neither letters nor a part of an escape.
bool TakeLetters(std::string_view text, std::string& letters) {
  letters.resize(text.size());
  char* end = letters.data();
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = kLetterOf[static_cast<unsigned char>(text[i])];
    if (c == kBeginsEscape) {
      const std::string_view digits = text.substr(i + 1, 2);
      if (text[i] != '%' || digits.size() < 2) return false;
      const auto escaped = Character(digits, 16);
      if (!escaped || kLetterOf[static_cast<unsigned char>(*escaped)] != 0) return false;
      i += 2;
    } else {
      *end = c;
      end += c != 0;
    }
  }
  letters.resize(static_cast<size_t>(end - letters.data()));
  return true;
}

}  // namespace

std::string_view SignatureOfSas(std::string_view sas) {
  constexpr std::string_view kName = "sig=";
  size_t at = sas.find(kName);
  // Not a match at the end of another name. The name may follow "&amp;".
  while (at != std::string_view::npos && at > 0 && IsLetter(ToLowerAscii(sas[at - 1]))) {
    at = sas.find(kName, at + 1);
  }
  if (at == std::string_view::npos) return {};
  sas.remove_prefix(at + kName.size());
  return sas.substr(0, sas.find('&'));
}

struct Concealer::Sought : Plain {
  using Plain::Plain;
  std::bitset<kPairs> pairs;  // PairOf() two neighbors in the text
};

Concealer::Concealer(std::string_view secrets)
    : sought_(std::make_unique<Sought>(secrets.size() + 1)) {
  if (!TakeLetters(secrets, sought_->text)) {
    WipeString(sought_->text);
    Unescape(secrets, *sought_);
    KeepLetters(*sought_);
  }
  const std::string& letters = sought_->text;
  for (size_t i = 1; i < letters.size(); ++i)
    sought_->pairs.set(PairOf(letters[i - 1], letters[i]));
}

Concealer::~Concealer() = default;

bool Concealer::MayShow(std::string_view text, size_t size) const {
  if (text.size() < size) return false;
  // So many letters in common contain a whole block.
  const size_t block = (size + 1) / 2;
  std::string letters;
  bool found = !TakeLetters(text, letters);
  for (size_t at = 0; at + block <= letters.size() && !found; at += block) {
    found = sought_->pairs.test(PairOf(letters[at], letters[at + 1])) &&
            sought_->text.find(std::string_view(letters).substr(at, block)) != std::string::npos;
  }
  WipeString(letters);
  return found;
}

std::string Conceal(std::string text, std::string_view secrets) {
  return Concealer(secrets).Conceal(std::move(text));
}

std::string Concealer::Conceal(std::string text) const {
  const Plain& sought = *sought_;
  if (sought.text.size() < kFewestLetters) return text;
  const size_t size = std::min(kLettersInCommon, sought.text.size());
  if (!MayShow(text, size)) return text;
  Plain plain(text.size() + 1);
  Unescape(text, plain);
  KeepLetters(plain);
  const std::string_view letters = plain.text;
  std::string shown;
  size_t done = 0;
  for (size_t i = 0; i + size <= letters.size(); ++i) {
    if (sought.text.find(letters.substr(i, size)) == std::string::npos) continue;
    size_t begin = plain.places[i].first;
    // Backslashes of outer layers are removed: a JSON string cannot have one before the dots.
    while (begin > done && text[begin - 1] == '\\') --begin;
    if (begin >= done) shown += text.substr(done, begin - done) + std::string(kInstead);
    done = plain.places[i + size - 1].second;
  }
  if (done == 0) return text;
  shown += text.substr(done);
  WipeString(text);
  return shown;
}

}  // namespace aztables
