// Secret: see include/aztables/base/secret.h.
#include "aztables/base/secret.h"

#include "aztables/base/encoding.h"

namespace aztables {

bool MayBeSecret(std::string_view text) {
  if (text.find('=') == std::string_view::npos) return false;
  if (text.find_first_of(";&") != std::string_view::npos || text.ends_with("==")) return true;
  const std::string lower = ToLowerAscii(text);
  for (const std::string_view part : {"key=", "signature=", "sig="}) {
    if (lower.find(part) != std::string::npos) return true;
  }
  return false;
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
