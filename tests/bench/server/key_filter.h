// The entities that a $filter selects, as ranges of their indexes.
//
// Thread rule: free functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "server/generated_table.h"

namespace aztables::bench {

// Indexes from `begin` up to, but not including, `end`.
struct IndexRange {
  size_t begin = 0;
  size_t end = 0;
};

// Ordered, disjoint ranges. Understands eq, lt, le, gt and ge on PartitionKey, RowKey and N, with
// and, or and parentheses. Empty optional: any other filter.
std::optional<std::vector<IndexRange>> SelectedRanges(const GeneratedTable& table,
                                                      std::string_view filter);

}  // namespace aztables::bench
