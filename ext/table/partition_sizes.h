// PartitionSizes: the pages of the partitions that a scan reads by ranges of RowKeys. They show how
// much of a partition is probably unread.
//
// Thread rule: values; any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace aztables {

class PartitionSizes {
 public:
  // Pages of the partition came. Negative: they will be read again.
  void Add(const std::string& partition, ptrdiff_t pages) { pages_of_[partition] += pages; }
  // The partition was read to its end.
  void End(const std::string& partition);

  // How many pages a partition has after so many, on average. Nothing: none had more so far.
  std::optional<double> LeftAfter(ptrdiff_t pages) const;
  // The pages so far of a partition that has not ended.
  ptrdiff_t PagesOf(const std::string& partition) const;
  // The pages of the last partition that ended; 0: none has.
  ptrdiff_t Last() const { return sizes_.empty() ? 0 : sizes_.back(); }

 private:
  static constexpr size_t kMost = 64;

  std::map<std::string, ptrdiff_t> pages_of_;
  std::deque<ptrdiff_t> sizes_;  // of the last partitions that ended
};

}  // namespace aztables
