// RowidMap: see rowid_map.h.
#include "vtab/session/rowid_map.h"

#include <algorithm>

#include "read/key_text.h"

namespace aztables {

std::pair<std::string, std::string> RowidMap::Split(const std::string& key) {
  const size_t nul = key.find('\0');
  return {key.substr(0, nul), key.substr(nul + 1)};
}

int64_t RowidMap::IdFor(std::string_view partition_key, std::string_view row_key) {
  std::string key = KeyText(partition_key, row_key);
  const auto known = ids_.find(key);
  if (known != ids_.end()) return known->second;
  const bool inserted = inserted_ && inserted_->second == key;
  const int64_t id = inserted ? inserted_->first : next_id_++;
  const auto place = ids_.emplace(std::move(key), id).first;
  auto position = by_id_.end();
  while (position != by_id_.begin() && std::prev(position)->first > id) --position;
  by_id_.emplace(position, id, &place->first);
  return id;
}

int64_t RowidMap::IdForInserted(std::string_view partition_key, std::string_view row_key) {
  std::string key = KeyText(partition_key, row_key);
  const auto known = ids_.find(key);
  if (known != ids_.end()) return known->second;
  inserted_.emplace(next_id_++, std::move(key));
  return inserted_->first;
}

std::optional<int64_t> RowidMap::IdOf(std::string_view partition_key,
                                      std::string_view row_key) const {
  if (ids_.empty()) return std::nullopt;
  const auto known = ids_.find(KeyText(partition_key, row_key));
  return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::pair<std::string, std::string>> RowidMap::Find(int64_t id) const {
  if (inserted_ && inserted_->first == id) return Split(inserted_->second);
  const auto place =
      std::lower_bound(by_id_.begin(), by_id_.end(), id,
                       [](const auto& entry, int64_t wanted) { return entry.first < wanted; });
  if (place == by_id_.end() || place->first != id) return std::nullopt;
  return Split(*place->second);
}

void RowidMap::Trim() {
  while (by_id_.size() > kCapacity) {
    ids_.erase(*by_id_.front().second);
    by_id_.pop_front();
  }
}

}  // namespace aztables
