// Secret: see include/aztables/base/secret.h.
#include "aztables/base/secret.h"

#include "aztables/base/encoding.h"

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

void WipeString(std::string& text) {
  volatile char* bytes = text.data();
  for (size_t i = 0; i < text.capacity(); ++i) bytes[i] = 0;
  text.clear();
}

void Secret::Wipe() { WipeString(bytes_); }

void WipedString::Wipe() { WipeString(text_); }

WipedString& WipedString::operator=(std::string_view text) {
  std::string copy(text);  // `text` may be a part of what is wiped
  Wipe();
  text_.swap(copy);
  WipeString(copy);
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    Wipe();
    bytes_.assign(other.bytes_);
    other.Wipe();
  }
  return *this;
}

}  // namespace aztables
