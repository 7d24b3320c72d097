// Keys of a JSON object that belong to one property: its own and that of its annotation.
//
// Thread rule: values; any thread.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "json_document.h"

namespace aztables {

inline constexpr std::string_view kAnnotation = "@odata.type";

// The characters of a key up to its closing quote. REQUIRES: valid JSON
inline std::string_view RawKey(const char* raw) {
  size_t size = 0;
  while (raw[size] != '"') size += raw[size] == '\\' ? 2 : 1;
  return {raw, size};
}

// Tells the keys of one property from all others, mostly without looking at more than one byte.
class KeyMatcher {
 public:
  enum class Role : uint8_t { kOther, kValue, kType };

  KeyMatcher(std::string_view name, std::string_view body)
      : name_(name),
        end_(body.data() + body.size()),
        // A key with an escape, or a name that would need one, cannot be compared as it is written.
        plain_(body.find('\\') == std::string_view::npos &&
               name.find_first_of("\"\\") == std::string_view::npos) {}

  Role RoleOf(const char* raw) const {
    if (plain_) {
      if (static_cast<size_t>(end_ - raw) <= name_.size()) return Role::kOther;
      const char after = raw[name_.size()];
      if (after != '"' && after != '@') return Role::kOther;
      if (std::memcmp(raw, name_.data(), name_.size()) != 0) return Role::kOther;
      if (after == '"') return Role::kValue;
    }
    const std::string key = UnescapeJson(RawKey(raw));
    if (!key.starts_with(name_)) return Role::kOther;
    const std::string_view rest = std::string_view(key).substr(name_.size());
    if (rest.empty()) return Role::kValue;
    return rest == kAnnotation ? Role::kType : Role::kOther;
  }

 private:
  const std::string_view name_;
  const char* const end_;
  const bool plain_;
};

}  // namespace aztables
