// RewrittenEntity: a text in `_entity`'s form, made of another one. Its members are kept as
// written, except for those of one property.
//
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aztables {

// One member of a text, as written.
struct EntityMember {
  enum class Role : uint8_t { kValue, kType, kMetadata };  // kType: the annotation of a property
  Role role = Role::kValue;
  std::string_view property;  // of kMetadata: the key
  std::string_view value;
  std::string_view written;  // from the key to the value
  bool null = false;

  bool IsStored() const { return role == Role::kValue && !null; }
};

class RewrittenEntity {
 public:
  // `name`: the property that Insert() adds. REQUIRES: it outlives this object
  RewrittenEntity(std::string_view name, size_t expected_size);

  void Keep(const EntityMember& member);
  // Adds `written` at the end. An empty one adds nothing.
  void Append(std::string_view written);
  // The same before the first kept property with a greater name (CompareKeys).
  void Insert(const std::string& written);
  std::string Text() &&;

 private:
  void Separate();

  const std::string_view name_;
  std::string text_ = "{";
  std::optional<size_t> place_;  // where the first property with a greater name begins
};

}  // namespace aztables
