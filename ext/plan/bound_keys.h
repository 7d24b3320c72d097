// BoundKey: the conditions on one key, once their values are known. The result is one or several
// texts that the key must equal, or else a range.
//
// Thread rule: pure; one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "odata/filter.h"
#include "plan/bound_plan.h"

namespace aztables {

class BoundKey {
 public:
  // The most percent-encoded characters that its literals may have in a filter. `equal`: of one
  // text that the key equals. `ranges`: of both bounds of a range together.
  BoundKey(std::string_view name, size_t equal, size_t ranges)
      : name_(name), most_equal_(equal), most_bound_(ranges / 2) {}

  // `end`: for kLike the other bound.
  void Add(const Condition& condition, const ReadArgument& argument, const SqlValue& end);

  // No key satisfies the conditions.
  bool empty() const { return empty_; }
  // The texts that the key must equal, in SQLite's order and without duplicates; empty: no
  // equality.
  const std::vector<std::string>& values() const { return values_; }
  std::vector<std::string> TakeValues() { return std::move(values_); }
  // The value of an equality is a number, or a text with U+FFFD. Several texts may equal it.
  bool may_be_several() const { return may_be_several_; }
  // Whether a range excludes more than the empty key.
  bool limits() const;
  // Drops the ranges if with them the literals would take more than `most`: the equalities are
  // narrower.
  void Fit(size_t most);
  // The percent-encoded characters of its literals in one query.
  size_t encoded() const;

  // Adds `values()` or the ranges to a filter that may have `most_comparisons`.
  void AddTo(Conjunction& filter, std::vector<Disjunction>& clauses, size_t most_comparisons);

 private:
  void AddEquality(const SqlValue& value);
  void AddList(const std::vector<SqlValue>& list);
  void AddRange(CompareOp op, const SqlValue& value, bool computed);
  void AddComparisons(Conjunction range);
  bool IsSent(std::string_view text) const;

  std::string name_;
  size_t most_equal_;
  size_t most_bound_;
  bool empty_ = false;
  bool may_be_several_ = false;
  std::vector<std::string> values_;
  std::optional<Comparison> low_;
  std::optional<Comparison> high_;
  Disjunction like_;          // narrower than both bounds
  bool number_like_ = false;  // the bounds are those of every text that looks like a number
};

}  // namespace aztables
