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
#include <utility>
#include <vector>

#include "odata/entity_page.h"
#include "table/key_span.h"

namespace aztables {

class KnownKeys {
 public:
  struct Range {
    KeySpan span;
    double pages = 0;
  };

  // Adds the keys of the last of these rows of a page. Of many pages, only a part is kept. `full`:
  // the entities of a whole page. REQUIRES: there is a row
  void Add(const EntityPage& page, const RowsOfSpan& rows, size_t full);
  // `pages`: what the rows are of a whole page. `of_partition`: the same of those in the last
  // partition. Entities of any size make a whole page, so it may have any number of them.
  void Add(std::string_view partition_key, std::string_view row_key, double pages = 1,
           double of_partition = 0);
  // To be called after the last Add().
  void Sort();

  // The last PartitionKey, or RowKey, that is inside the span and is not its low end.
  std::optional<std::string> LastIn(const KeySpan& span) const;

  // All functions from here on count full pages. REQUIRES: Sort()
  double pages() const { return Sum(keys_.end()); }
  bool empty() const { return keys_.empty(); }
  // The pages of the span that are behind the entity.
  double PagesBehind(const KeySpan& span, std::string_view partition_key,
                     std::string_view row_key) const;
  // The key in the span that divides these pages, apart from the first one, in two parts. Each part
  // has at least so many pages. Nothing: no such key is known.
  std::optional<std::string> MiddleBehind(KeySpan span, std::string_view partition_key,
                                          std::string_view row_key, double least) const;
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
    double pages;
    double of_partition;
  };
  using Place = std::vector<Key>::const_iterator;
  // A place where the span may be divided: the begin of the key's partition, or the key itself.
  struct Border {
    const Key* key;
    double before;  // the pages of all keys up to there
  };

  static int Compare(const Key& key, std::string_view partition, std::string_view row);
  // The first key that is not before the entity.
  Place At(std::string_view partition, std::string_view row) const;
  // The first key behind the partition, or behind the entity.
  Place Behind(std::string_view partition) const;
  Place Behind(std::string_view partition, std::string_view row) const;
  // The keys inside the span, without its low end.
  std::pair<Place, Place> KeysIn(const KeySpan& span) const;
  // The pages of the keys before `end`.
  double Sum(Place end) const;
  // The pages before the partition, or before an end of the span.
  double SumBefore(std::string_view partition) const;
  double SumBelow(const KeySpan& span) const;
  double SumUpTo(const KeySpan& span) const;
  // In the order of keys. `rows`: at the keys; else at the begins of partitions.
  std::vector<Border> BordersIn(const KeySpan& span, bool rows) const;
  // Null: there are no borders.
  static const Border* Nearest(const std::vector<Border>& borders, double pages);
  double PagesIn(const KeySpan& span) const;
  // Ranges of about so many pages, in the order of keys. One begins with a partition, if one begins
  // within `apart` pages. `in_order`: the mean is so many pages, and the last page is a range too.
  // Else each range makes up for those before it.
  std::vector<Range> RangesOf(const KeySpan& span, double each, double apart, bool in_order) const;

  std::vector<Key> keys_;
  size_t each_ = 1;  // pages for each key that is kept
  std::minstd_rand random_;
};

}  // namespace aztables
