// WriteSnapshot: see write_log.h.
#include <set>

#include "write/write_log.h"

namespace aztables {

WriteSnapshot WriteLog::Snapshot() const { return SnapshotAt(next_sequence_); }

WriteSnapshot WriteLog::SnapshotAt(int64_t sequence) const {
  WriteSnapshot snapshot;
  if (empty()) return snapshot;
  snapshot.contents_ = contents_;
  snapshot.reader_ = reader_;
  snapshot.sequence_ = sequence;
  return snapshot;
}

bool WriteLog::DependsOn(int64_t owner, int64_t sequence) const {
  WriteSnapshot then = SnapshotAt(sequence);
  std::set<const Writes*> of_others;
  for (const Entry& entry : contents_->entries) {
    if (entry.owner != owner) of_others.insert(&entry.entity->second);
  }
  for (const Entry& entry : contents_->entries) {
    if (entry.sequence >= sequence) break;
    if (entry.owner != owner) continue;
    const auto seen = then.Seen(entry.entity->second.versions);
    if (!seen.ok() || *seen != nullptr || of_others.contains(&entry.entity->second)) return true;
  }
  return false;
}

Result<const EntityWrite*> WriteSnapshot::Seen(const EntityVersions& versions) {
  auto seen = versions.Before(sequence_, scratch_, *reader_);
  if (seen.ok() && *seen && (*seen)->verb == WriteVerb::kNothing) return nullptr;
  return seen;
}

Result<const EntityWrite*> WriteSnapshot::Find(EntityKeyView key) {
  if (empty()) return nullptr;
  const auto place = contents_->entities.find(key);
  if (place == contents_->entities.end()) return nullptr;
  return Seen(place->second.versions);
}

Result<std::optional<WriteSnapshot::Item>> WriteSnapshot::Next(EntityKeyView key, bool after) {
  if (empty()) return std::optional<Item>();
  const auto& entities = contents_->entities;
  auto place = after ? entities.upper_bound(key) : entities.lower_bound(key);
  for (; place != entities.end(); ++place) {
    const auto seen = Seen(place->second.versions);
    if (!seen.ok()) return seen.status();
    if (*seen != nullptr) return std::optional<Item>(Item{place->first, *seen});
  }
  return std::optional<Item>();
}

Result<std::optional<WriteSnapshot::Item>> WriteSnapshot::Previous(
    const std::optional<EntityKey>& key) {
  if (empty()) return std::optional<Item>();
  const auto& entities = contents_->entities;
  auto place = key ? entities.lower_bound(*key) : entities.end();
  while (place != entities.begin()) {
    --place;
    const auto seen = Seen(place->second.versions);
    if (!seen.ok()) return seen.status();
    if (*seen != nullptr) return std::optional<Item>(Item{place->first, *seen});
  }
  return std::optional<Item>();
}

size_t WriteSnapshot::CountDeleted(size_t most) const {
  if (empty()) return 0;
  size_t count = 0;
  for (const auto& [key, writes] : contents_->entities) {
    if (writes.versions.All().verb == WriteVerb::kDelete && ++count == most) break;
  }
  return count;
}

}  // namespace aztables
