// The keys of a JSON object that belong to one property: its own and the key of its annotation.
//
// Thread rule: values; any thread.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "odata/json_document.h"

namespace aztables {

// Distinguishes the keys of one property from all others, mostly by one byte.
class KeyMatcher {
 public:
  enum class Role : uint8_t { kOther, kValue, kType };

  // `body` is the whole text: keys point into it.
  KeyMatcher(std::string_view name, std::string_view body)
      : name_(name),
        end_(body.data() + body.size()),
        // A key with an escape, or a name that would need one, cannot be compared as written.
        plain_(body.find('\\') == std::string_view::npos &&
               name.find_first_of("\"\\") == std::string_view::npos) {}

  Role RoleOf(const char* raw) const {
    if (plain_ && !Begins(raw)) return Role::kOther;
    const std::string_view key = RawString(raw);
    if (key.find('\\') == std::string_view::npos) return Compare(key);
    return Compare(UnescapeJson(key));
  }

 private:
  bool Begins(const char* raw) const {
    if (static_cast<size_t>(end_ - raw) <= name_.size()) return false;
    const char after = raw[name_.size()];
    return (after == '"' || after == '@') && std::memcmp(raw, name_.data(), name_.size()) == 0;
  }
  Role Compare(std::string_view key) const {
    if (!key.starts_with(name_)) return Role::kOther;
    key.remove_prefix(name_.size());
    if (key.empty()) return Role::kValue;
    return key == kAnnotation ? Role::kType : Role::kOther;
  }

  const std::string_view name_;
  const char* const end_;
  const bool plain_;
};

}  // namespace aztables
