// TableKeys: see table_keys.h.
#include "support/table_keys.h"

#include <algorithm>

#include "base/encoding.h"

namespace aztables::support {

std::u16string Utf16Units(std::string_view text) {
  std::u16string units;
  for (size_t pos = 0; pos < text.size();) {
    const char32_t c = NextCodePoint(text, pos);
    if (c >= 0x10000) units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
    units += static_cast<char16_t>(c < 0x10000 ? c : 0xDC00 + ((c - 0x10000) & 0x3FF));
  }
  return units;
}

size_t TableKeys::Partitions() const {
  return starts.empty() ? (entities + per_partition - 1) / per_partition : starts.size();
}

size_t TableKeys::PartitionOf(size_t entity) const {
  if (starts.empty()) return entity / per_partition;
  const auto behind = std::upper_bound(starts.begin(), starts.end(), entity);
  return static_cast<size_t>(behind - starts.begin()) - 1;
}

size_t TableKeys::Begin(size_t partition) const {
  if (partition >= Partitions()) return entities;
  return starts.empty() ? partition * per_partition : starts[partition];
}

size_t TableKeys::Search(const KeyForm& key, size_t count, const std::string& bound, bool above) {
  const std::u16string units = Utf16Units(bound);
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const std::u16string at = Utf16Units(key(middle));
    if (at < units || (above && at == units)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace aztables::support
