// RowidMap: see rowid_map.h.
#include "vtab/session/rowid_map.h"

#include <algorithm>

#include "vtab/session/key_text.h"

namespace aztables {

EntityKey RowidMap::Split(const std::string& text) {
  const size_t nul = text.find('\0');
  return {text.substr(0, nul), text.substr(nul + 1)};
}

int64_t RowidMap::IdFor(EntityKeyView key) {
  std::string text = KeyText(key);
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const bool inserted = inserted_ && inserted_->second == text;
  const int64_t id = inserted ? inserted_->first : next_id_++;
  auto position = by_id_.end();
  while (position != by_id_.begin() && std::prev(position)->first > id) --position;
  // If memory runs out here, the entry has no text, and is used by the next call.
  const bool left = position != by_id_.begin() && std::prev(position)->first == id;
  position = left ? std::prev(position) : by_id_.emplace(position, id, nullptr);
  position->second = &ids_.emplace(std::move(text), id).first->first;
  return id;
}

int64_t RowidMap::IdForInserted(EntityKeyView key) {
  std::string text = KeyText(key);
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  inserted_.emplace(next_id_++, std::move(text));
  return inserted_->first;
}

std::optional<int64_t> RowidMap::IdOf(EntityKeyView key) const {
  if (ids_.empty()) return std::nullopt;
  const auto known = ids_.find(KeyText(key));
  return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<EntityKey> RowidMap::Find(int64_t id) const {
  if (inserted_ && inserted_->first == id) return Split(inserted_->second);
  const auto place =
      std::lower_bound(by_id_.begin(), by_id_.end(), id,
                       [](const auto& entry, int64_t wanted) { return entry.first < wanted; });
  if (place == by_id_.end() || place->first != id || place->second == nullptr) return std::nullopt;
  return Split(*place->second);
}

void RowidMap::Trim() {
  while (by_id_.size() > kCapacity) {
    if (by_id_.front().second != nullptr) ids_.erase(*by_id_.front().second);
    by_id_.pop_front();
  }
}

}  // namespace aztables
