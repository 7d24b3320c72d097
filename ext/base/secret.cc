// Secret: see include/aztables/base/secret.h.
#include "aztables/base/secret.h"

namespace aztables {

void WipeString(std::string& text) {
  volatile char* bytes = text.data();
  for (size_t i = 0; i < text.capacity(); ++i) bytes[i] = 0;
  text.clear();
}

void Secret::Wipe() { WipeString(bytes_); }

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    Wipe();
    bytes_.assign(other.bytes_);
    other.Wipe();
  }
  return *this;
}

}  // namespace aztables
