// KnownKeys: keys of a table that a scan has seen, about one for each page. They divide the next
// scan from its start. If they are outdated, that scan is slower, and still right.
//
// Thread rule: values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "table/key_span.h"

namespace aztables {

class KnownKeys {
 public:
  struct Range {
    KeySpan span;
    size_t pages = 0;  // whose last entities are in it
  };

  // Adds the keys of the last entity of a page. Of many pages, only a part is kept.
  void Add(std::string_view partition_key, std::string_view row_key);
  // To be called after the last Add().
  void Sort();

  // The last PartitionKey, or RowKey, that is inside the span and is not its low end.
  std::optional<std::string> LastIn(const KeySpan& span) const;

  size_t pages() const { return keys_.size() * each_; }
  // The span, divided into about `most` ranges of equally many pages, the largest first. Empty if
  // the span seems to be small. `keeps_partitions`: no partition is divided.
  std::vector<KeySpan> Divide(const KeySpan& span, size_t most,
                              bool keeps_partitions = false) const;
  // The same, in ranges of about so many pages, in the order of keys.
  std::vector<Range> DivideInOrder(const KeySpan& span, double pages) const;

 private:
  struct Key {
    std::string partition;
    std::string row;
  };

  std::vector<const Key*> In(const KeySpan& span) const;
  // In the order of keys. Empty: the span is not divided. `large`: a partition is divided if it has
  // more than so many times the pages of a range.
  std::vector<Range> RangesOf(const KeySpan& span, size_t most, double large) const;

  std::vector<Key> keys_;
  size_t each_ = 1;  // pages for each key
  std::minstd_rand random_;
};

}  // namespace aztables
