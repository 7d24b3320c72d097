// Conceal: see conceal.h.
#include "base/conceal.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr size_t kFewestLetters = 6;
constexpr size_t kLettersInCommon = 12;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// The character of `count` hexadecimal digits; another one than a letter if it is not ASCII.
// Nothing: they are no digits.
std::optional<char> HexCharacter(std::string_view text, size_t count) {
  if (text.size() < count) return std::nullopt;
  unsigned code = 0;
  for (const char c : text.substr(0, count)) {
    const int digit = HexValue(c);
    if (digit < 0) return std::nullopt;
    code = code * 16 + static_cast<unsigned>(digit);
  }
  return code < 0x80 ? static_cast<char>(code) : ' ';
}

// Takes one character from `text`, without its escapes.
char TakeCharacter(std::string_view& text) {
  char c = text.front();
  text.remove_prefix(1);
  while ((c == '\\' || c == '%') && !text.empty()) {
    const bool json = c == '\\' && text.front() == 'u';
    const auto escaped = json       ? HexCharacter(text.substr(1), 4)
                         : c == '%' ? HexCharacter(text, 2)
                                    : std::nullopt;
    if (c == '%' && !escaped) break;
    c = escaped.value_or(text.front());
    text.remove_prefix(json && escaped ? 5 : escaped ? 2 : 1);
  }
  return ToLowerAscii(c);
}

// A letter or digit of a text, and its place there.
struct Place {
  size_t begin;
  size_t end;
};

// The letters and digits of a text. Other characters of base64 belong to the letter before them.
void TakeLetters(std::string_view text, std::string& letters, std::vector<Place>& places) {
  letters.reserve(text.size());  // at once: growing would leave a copy of a secret
  places.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    const size_t begin = text.size() - rest.size();
    const char c = TakeCharacter(rest);
    const size_t end = text.size() - rest.size();
    if (IsLetter(c)) {
      letters += c;
      places.push_back({begin, end});
    } else if ((c == '+' || c == '/' || c == '=') && !places.empty() &&
               places.back().end == begin) {
      places.back().end = end;
    }
  }
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

Concealer::Concealer(std::string_view secrets) {
  std::string letters;
  std::vector<Place> places;
  TakeLetters(secrets, letters, places);
  letters_ = letters;
  WipeString(letters);
}

std::string Concealer::Conceal(std::string text) const {
  const std::string_view sought = letters_.view();
  const size_t size = std::min(kLettersInCommon, sought.size());
  if (sought.size() < kFewestLetters || text.size() < size) return text;
  std::string letters;
  std::vector<Place> places;
  TakeLetters(text, letters, places);
  // `size` letters in common contain a whole block of half of them.
  const size_t block = (size + 1) / 2;
  bool may_show = false;
  for (size_t at = 0; at + block <= letters.size() && !may_show; at += block) {
    may_show = sought.find(std::string_view(letters).substr(at, block)) != std::string::npos;
  }
  std::string shown;
  size_t done = 0;
  for (size_t i = 0; may_show && i + size <= letters.size(); ++i) {
    if (sought.find(std::string_view(letters).substr(i, size)) == std::string::npos) continue;
    if (places[i].begin >= done) shown += text.substr(done, places[i].begin - done) + "...";
    done = places[i + size - 1].end;
  }
  WipeString(letters);
  if (done == 0) return text;
  shown += text.substr(done);
  WipeString(text);
  return shown;
}

}  // namespace aztables
