// Conceal: see include/aztables/base/conceal.h.
#include "aztables/base/conceal.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "aztables/base/encoding.h"
#include "aztables/base/secret.h"

namespace aztables {
namespace {

constexpr size_t kFewestLetters = 6;
constexpr size_t kLettersInCommon = 12;
constexpr std::string_view kInstead = "...";
constexpr char kOther = 0;  // what no escape can be made of

bool IsHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// A text in lower case without its escapes, or its letters and digits alone, and where each
// character of it stands in the text as it came: from `first` to `second`.
struct Plain {
  std::string text;
  std::vector<std::pair<size_t, size_t>> places;

  explicit Plain(size_t size) {
    text.reserve(size);  // at once: no copy of a secret is left behind where the text grew
    places.reserve(size);
  }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;
  ~Plain() { WipeString(text); }
};

// How many of the last characters are an escape, 0 if they are none, and what it stands for.
struct Escape {
  size_t size = 0;
  char character = kOther;
};

// What the number stands for that all of `digits` are; nothing if they are none.
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

// &#43; &#x2B; &plus; &equals;. A name stands for no letter and no digit, so that what it stands
// for matters only if it is padding or begins another escape. REQUIRES: text ends with ';'
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

Escape EscapeAtEnd(std::string_view text) {
  constexpr std::string_view kControls = "bfnrt";  // \n and the like
  if (text.back() == ';') return HtmlEntity(text);
  const bool escaped = text.size() > 1 && text[text.size() - 2] == '\\';
  if (escaped && kControls.find(text.back()) != std::string_view::npos) return {2};
  return IsHexDigit(text.back()) ? HexEscape(text) : Escape();
}

// Undoes every escape, and those that come of it, in one pass: what was undone is the end of the
// next one.
void Unescape(std::string_view text, Plain& plain) {
  for (size_t i = 0; i < text.size(); ++i) {
    plain.text += ToLowerAscii(text[i]);
    plain.places.emplace_back(i, i + 1);
    for (Escape escape; (escape = EscapeAtEnd(plain.text)).size > 0;) {
      const size_t begin = plain.text.size() - escape.size;
      plain.text.resize(begin);
      plain.text += escape.character;
      plain.places[begin].second = i + 1;
      plain.places.resize(begin + 1);
    }
  }
}

// Keeps the letters and digits, so that it does not matter what the others were made: '+' may be
// '-' or a blank. Those that base64 has belong to the letter before them, as its padding does.
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

}  // namespace

std::string_view SignatureOfSas(std::string_view sas) {
  constexpr std::string_view kName = "sig=";
  size_t at = sas.find(kName);
  // Not at the end of another name; it may stand after "&amp;".
  while (at != std::string_view::npos && at > 0 && IsLetter(ToLowerAscii(sas[at - 1]))) {
    at = sas.find(kName, at + 1);
  }
  if (at == std::string_view::npos) return {};
  sas.remove_prefix(at + kName.size());
  return sas.substr(0, sas.find('&'));
}

std::string Conceal(std::string text, std::string_view secrets) {
  Plain sought(secrets.size());
  Unescape(secrets, sought);
  KeepLetters(sought);
  if (sought.text.size() < kFewestLetters) return text;
  const size_t size = std::min(kLettersInCommon, sought.text.size());
  Plain plain(text.size());
  Unescape(text, plain);
  KeepLetters(plain);
  const std::string_view letters = plain.text;
  std::string shown;
  size_t done = 0;
  for (size_t i = 0; i + size <= letters.size(); ++i) {
    if (sought.text.find(letters.substr(i, size)) == std::string::npos) continue;
    const size_t begin = plain.places[i].first;
    if (begin >= done) shown += text.substr(done, begin - done) + std::string(kInstead);
    done = plain.places[i + size - 1].second;
  }
  if (done == 0) return text;
  shown += text.substr(done);
  WipeString(text);
  return shown;
}

}  // namespace aztables
