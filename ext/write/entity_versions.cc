// EntityVersions: see entity_versions.h.
#include "write/entity_versions.h"

#include <algorithm>

namespace aztables {

EntityVersions::EntityVersions(const EntityVersions& other)
    : first_(other.first_), more_(other.more_ ? std::make_unique<More>(*other.more_) : nullptr) {}

Status EntityVersions::Add(int64_t sequence, EntityWrite write, EntityReader& reader) {
  auto merged = Coalesce(All(), write, reader);
  if (!merged.ok()) return merged.status();
  std::unique_ptr<More> made = more_ ? nullptr : std::make_unique<More>();
  More& more = more_ ? *more_ : *made;
  // All steps that can fail are before the first change.
  if (more.versions.size() == more.versions.capacity()) {
    more.versions.reserve(2 * more.versions.size() + 1);
  }
  if ((more.versions.size() + 1) % kStep == 0) more.parts.push_back(*merged);
  more.versions.push_back({sequence, std::move(write)});
  more.merged = std::move(*merged);
  if (made) more_ = std::move(made);
  return {};
}

Result<EntityWrite> EntityVersions::Coalesced(size_t count, EntityReader& reader) const {
  const size_t parts = count / kStep;
  EntityWrite merged = parts == 0 ? first_.write : more_->parts[parts - 1];
  for (size_t i = parts * kStep; i < count; ++i) {
    auto next = Coalesce(merged, more_->versions[i].write, reader);
    if (!next.ok()) return next.status();
    merged = std::move(*next);
  }
  return merged;
}

Result<const EntityWrite*> EntityVersions::Before(int64_t sequence, EntityWrite& scratch,
                                                  EntityReader& reader) const {
  if (first_.sequence >= sequence) return nullptr;
  if (!more_ || more_->versions.back().sequence < sequence) return &All();
  const auto end =
      std::partition_point(more_->versions.begin(), more_->versions.end(),
                           [&](const Version& version) { return version.sequence < sequence; });
  auto merged = Coalesced(static_cast<size_t>(end - more_->versions.begin()), reader);
  if (!merged.ok()) return merged.status();
  scratch = std::move(*merged);
  return &scratch;
}

EntityVersions::Version& EntityVersions::Find(int64_t sequence) {
  if (!more_ || first_.sequence == sequence) return first_;
  return *std::partition_point(more_->versions.begin(), more_->versions.end(),
                               [&](const Version& version) { return version.sequence < sequence; });
}

void EntityVersions::CoalesceFrom(size_t index, EntityReader& reader) {
  More& more = *more_;
  more.parts.resize(std::min(more.parts.size(), index / kStep));
  // No step fails, because the same texts were coalesced before.
  if (auto before = Coalesced(index, reader); before.ok()) more.merged = std::move(*before);
  for (size_t i = index; i < more.versions.size(); ++i) {
    auto next = Coalesce(more.merged, more.versions[i].write, reader);
    if (next.ok()) more.merged = std::move(*next);
    if ((i + 1) % kStep == 0) more.parts.push_back(more.merged);
  }
}

void EntityVersions::Void(int64_t sequence, EntityReader& reader) {
  Version& version = Find(sequence);
  version.write = {};
  if (more_) {
    CoalesceFrom(&version == &first_ ? 0 : static_cast<size_t>(&version - more_->versions.data()),
                 reader);
  }
}

void EntityVersions::Drop(int64_t sequence) {
  Version& version = Find(sequence);
  version.dropped = true;
  if (more_ && &version != &first_) {
    const auto index = static_cast<size_t>(&version - more_->versions.data());
    more_->intact = std::min(more_->intact, index);
  }
}

bool EntityVersions::Settle(EntityReader& reader) {
  if (!more_) return !first_.dropped;
  auto& versions = more_->versions;
  size_t intact = std::min(more_->intact, versions.size());
  more_->intact = SIZE_MAX;
  const auto begin = versions.begin() + static_cast<std::ptrdiff_t>(intact);
  versions.erase(
      std::remove_if(begin, versions.end(), [](const Version& version) { return version.dropped; }),
      versions.end());
  if (first_.dropped) {
    if (versions.empty()) return false;
    first_ = std::move(versions.front());
    versions.erase(versions.begin());
    intact = 0;
  }
  if (versions.empty()) {
    more_ = nullptr;
  } else {
    CoalesceFrom(intact, reader);
  }
  return true;
}

}  // namespace aztables
