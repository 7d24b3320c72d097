// RewrittenEntity: see rewritten_entity.h.
#include "odata/rewritten_entity.h"

#include <utility>

#include "model/key.h"

namespace aztables {

RewrittenEntity::RewrittenEntity(std::string_view name, size_t expected_size) : name_(name) {
  text_.reserve(expected_size);
}

void RewrittenEntity::Keep(const EntityMember& member) {
  Separate();
  const bool metadata = member.role == EntityMember::Role::kMetadata;
  if (!place_ && !metadata && CompareKeys(member.property, name_) > 0) place_ = text_.size();
  text_ += member.written;
}

void RewrittenEntity::Append(std::string_view written) {
  if (written.empty()) return;
  Separate();
  text_ += written;
}

void RewrittenEntity::Insert(const std::string& written) {
  if (!place_ || written.empty()) return Append(written);
  text_.insert(*place_, written + ',');
}

std::string RewrittenEntity::Text() && {
  text_ += '}';
  return std::move(text_);
}

void RewrittenEntity::Separate() {
  if (text_.size() > 1) text_ += ',';
}

}  // namespace aztables
