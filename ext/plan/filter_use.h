// FilterUse: what a filter uses of its limits.
//
// Thread rule: values.
#pragma once

#include <cstddef>

#include "odata/filter.h"
#include "plan/text_range.h"

namespace aztables {

// The most comparisons of a filter. The service accepts 15, and reading adds some.
inline constexpr size_t kMostComparisons = 12;
// The most percent-encoded characters of all literals of a filter together.
inline constexpr size_t kLiteralBudget = 7'600;

struct FilterUse {
  size_t comparisons = 0;
  size_t encoded = 0;

  void Add(const Conjunction& conjunction) {
    comparisons += conjunction.size();
    encoded += EncodedSize(conjunction);
  }
  void Add(const Disjunction& disjunction) {
    for (const Conjunction& alternative : disjunction) Add(alternative);
  }
  void Add(const EntityQuery& query) {
    Add(query.filter);
    for (const Disjunction& clause : query.clauses) Add(clause);
  }
  bool Fits() const { return comparisons <= kMostComparisons && encoded <= kLiteralBudget; }
};

}  // namespace aztables
