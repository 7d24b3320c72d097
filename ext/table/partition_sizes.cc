// PartitionSizes: see partition_sizes.h.
#include "table/partition_sizes.h"

#include <algorithm>

namespace aztables {

void PartitionSizes::End(const std::string& partition) {
  const auto pages = pages_of_.find(partition);
  if (pages == pages_of_.end()) return;
  sizes_.push_back(pages->second);
  if (sizes_.size() > kMost) sizes_.pop_front();
  pages_of_.erase(pages);
}

std::optional<double> PartitionSizes::LeftAfter(ptrdiff_t pages) const {
  ptrdiff_t left = 0;
  ptrdiff_t count = 0;
  ptrdiff_t largest = 0;
  for (const ptrdiff_t size : sizes_) {
    largest = std::max(largest, size);
    if (size <= pages) continue;
    left += size - pages;
    ++count;
  }
  if (count > 0) return static_cast<double>(left) / static_cast<double>(count);
  // The next page shows whether this partition is larger than all of them.
  return pages <= largest ? std::optional<double>(0) : std::nullopt;
}

ptrdiff_t PartitionSizes::PagesOf(const std::string& partition) const {
  const auto pages = pages_of_.find(partition);
  return pages == pages_of_.end() ? 0 : pages->second;
}

}  // namespace aztables
