// ScanRecord: see scan_record.h.
#include "read/scan_record.h"

#include <algorithm>
#include <utility>

namespace aztables {

void ScanRecord::Add(size_t range, const KeySpan& span, const EntityPage& page,
                     const RowsOfSpan& rows, bool token) {
  if (rows.end == rows.begin) return;
  const auto key = [&](size_t row, EntityPage::BuiltIn column) {
    return page.At(row, column).view();
  };
  const auto entities = static_cast<int64_t>(rows.end - rows.begin);
  const std::string_view last = key(rows.end - 1, EntityPage::kPartitionKey);
  if (token) full_ = page.size();
  keys_.Add(page, rows, full_);
  if (span.partition) {
    partitions_[*span.partition] += entities;
    return;
  }
  ShapeCount& count = ranges_[range];
  if (key(rows.begin, EntityPage::kPartitionKey) == last) {  // rows are in the order of their keys
    count.Add(last, entities);
    return;
  }
  for (size_t row = rows.begin; row < rows.end; ++row) {
    count.Add(key(row, EntityPage::kPartitionKey));
  }
}

TableShape ScanRecord::Shape() const {
  int64_t entities = 0;
  int64_t partitions = static_cast<int64_t>(partitions_.size());
  int64_t largest = 0;
  std::map<std::string, int64_t> rest = partitions_;
  for (const auto& [range, count] : ranges_) {
    entities += count.entities();
    partitions += count.partitions();
    largest = std::max(largest, count.largest());
    // A range may have become one of its last partition only.
    const auto last = rest.find(count.last());
    if (last == rest.end()) continue;
    --partitions;
    entities += last->second;
    largest = std::max(largest, count.of_last() + last->second);
    rest.erase(last);
  }
  for (const auto& [key, of_partition] : rest) {
    entities += of_partition;
    largest = std::max(largest, of_partition);
  }
  const int64_t per_partition = entities / std::max<int64_t>(partitions, 1);
  return {true, entities, std::max<int64_t>(per_partition, 1), std::max<int64_t>(largest, 1)};
}

KnownKeys ScanRecord::TakeKeys() {
  keys_.Sort();
  return std::move(keys_);
}

}  // namespace aztables
