// Messages: see message.h.
#include "http/message.h"

#include "base/encoding.h"

namespace aztables {

const std::string* Headers::Find(std::string_view name) const {
  for (const Header& header : all_) {
    if (EqualsIgnoreCase(header.name, name)) return &header.value;
  }
  return nullptr;
}

std::string_view Headers::Get(std::string_view name) const {
  const std::string* value = Find(name);
  return value ? std::string_view(*value) : std::string_view();
}

void Headers::Set(std::string_view name, std::string value) {
  std::erase_if(all_, [&](const Header& header) { return EqualsIgnoreCase(header.name, name); });
  all_.push_back({std::string(name), std::move(value)});
}

void Headers::Add(std::string name, std::string value) {
  all_.push_back({std::move(name), std::move(value)});
}

}  // namespace aztables
