// Secret: see secret.h.
#include "base/secret.h"

#include <string.h>

#include <algorithm>
#include <utility>

#include "base/encoding.h"

namespace aztables {

bool MayBeSecret(std::string_view text) {
  std::string plain = ToLowerAscii(PercentDecode(text));
  std::erase(plain, ' ');
  const auto has = [&](std::string_view part) { return plain.find(part) != std::string::npos; };
  const bool may_be = has("=") && (has(";") || has("&") || has("==") || plain.ends_with('=') ||
                                   has("key=") || has("signature=") || has("sig="));
  WipeString(plain);
  return may_be;
}

bool HoldsSecret(std::string_view text) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const std::string plain = ToLowerAscii(PercentDecode(text));
  for (const std::string_view key :
       {"accountkey", "sharedaccesssignature", "sig", "clientsecret"}) {
    for (size_t at = plain.find(key); at != std::string::npos; at = plain.find(key, at + 1)) {
      const size_t end = plain.find_first_not_of(" \t\r\n'\"`]", at + key.size());
      const bool begins = at == 0 || !is_word(plain[at - 1]);
      if (begins && end != std::string::npos && plain[end] == '=') return true;
    }
  }
  return false;
}

namespace {

constexpr size_t kMostShown = 64;

bool IsPlain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ':';
}

// A key, a SAS and a URL contain none of these.
bool IsBlankOrBeyondAscii(char c) { return c == ' ' || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

bool IsPlainWord(std::string_view text) {
  return !text.empty() && text.size() <= kMostShown &&
         std::all_of(text.begin(), text.end(), IsPlain);
}

std::string ShowWord(std::string_view word) {
  const bool shown = word.size() <= kMostShown && IsValidUtf8(word) &&
                     std::all_of(word.begin(), word.end(),
                                 [](char c) { return IsPlain(c) || IsBlankOrBeyondAscii(c); });
  return shown ? "'" + std::string(word) + "'" : std::string(kNotShown);
}

void WipeString(std::string& text) {
  explicit_bzero(text.data(), text.capacity());
  text.clear();
}

void Secret::Wipe() { WipeString(bytes_); }

void WipedString::Wipe() { WipeString(text_); }

WipedString& WipedString::operator=(std::string_view text) {
  std::string copy(text);  // `text` may be a part of the wiped text
  Wipe();
  text_.swap(copy);
  WipeString(copy);
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    Wipe();
    bytes_ = std::move(other.bytes_);
    other.Wipe();  // a short text was copied
  }
  return *this;
}

}  // namespace aztables
