// ReadPartitions: see read_partitions.h.
#include "table/read_partitions.h"

#include <iterator>

namespace aztables {

void ReadPartitions::Add(std::string_view partition, size_t entities) {
  const auto known = entities_.find(partition);
  if (known != entities_.end()) {
    known->second += entities;
  } else {
    entities_.emplace(partition, entities);
  }
}

std::optional<size_t> ReadPartitions::EntitiesOf(std::string_view partition) const {
  const auto known = entities_.find(partition);
  return known == entities_.end() ? std::nullopt : std::optional(known->second);
}

const std::string* ReadPartitions::Next(std::string_view partition) const {
  const auto next = entities_.upper_bound(partition);
  return next == entities_.end() ? nullptr : &next->first;
}

std::optional<size_t> ReadPartitions::LeftOf(std::string_view partition) const {
  const auto own = entities_.find(partition);
  if (own == entities_.end()) return std::nullopt;
  const auto next = std::next(own);
  if (next == entities_.end() || next->second <= own->second) return std::nullopt;
  return next->second - own->second;
}

}  // namespace aztables
