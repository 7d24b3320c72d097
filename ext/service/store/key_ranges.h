// KeyRanges: the ranges of the clustered index in which a filter can be true. They are a superset;
// FilterMatch checks each entity for the rest of the filter.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "odata/filter_tree.h"

namespace aztables {

// A position in the order of entities, as stored keys (stored_key.h).
struct KeyPoint {
  std::string partition_key;
  std::string row_key;

  bool operator==(const KeyPoint& other) const = default;
  std::strong_ordering operator<=>(const KeyPoint& other) const {
    const int compared = partition_key.compare(other.partition_key);
    return (compared != 0 ? compared : row_key.compare(other.row_key)) <=> 0;
  }
};

// From `from` (inclusive) to `to` (exclusive).
struct KeyRange {
  KeyPoint from;
  KeyPoint to;

  bool operator==(const KeyRange& other) const = default;
};

KeyRange WholeTable();
// Ascending, without overlaps; `filter` may be null.
std::vector<KeyRange> RangesOf(const FilterNode* filter);
// Removes the comparisons that are true for every entity in RangesOf(&filter). False if nothing
// remains: then `filter` is true for all of them.
bool KeepUndecided(FilterNode& filter);
// The parts of `ranges` inside of `limit`.
std::vector<KeyRange> Intersect(const std::vector<KeyRange>& ranges, const KeyRange& limit);

}  // namespace aztables
