// BoundKey: what the conditions on one key come to once their values are known: one or several
// texts that it has to be equal to, else a range.
//
// Thread rule: pure; one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "odata/filter.h"
#include "plan/bound_read.h"

namespace aztables {

class BoundKey {
 public:
  // Percent-encoded characters that its literals may have in a filter: `equal` a text that the key
  // is equal to, `ranges` both bounds of a range together.
  BoundKey(std::string_view name, size_t equal, size_t ranges)
      : name_(name), most_equal_(equal), most_bound_(ranges / 2) {}

  // `end`: of kLike the other bound.
  void Add(const Condition& condition, const ReadArgument& argument, const SqlValue& end);

  // No key satisfies the conditions.
  bool empty() const { return empty_; }
  // The texts that the key has to be equal to, in SQLite's order, none twice; empty: no such.
  const std::vector<std::string>& values() const { return values_; }
  std::vector<std::string> TakeValues() { return std::move(values_); }
  // An equality is with a number, or with a text that stands for others: several may be equal to
  // it.
  bool may_be_several() const { return may_be_several_; }
  // Whether a range leaves out more than the empty key.
  bool limits() const;
  // Leaves the ranges out where its literals would take more than `most` with them: what the key is
  // equal to is narrower.
  void Fit(size_t most);
  // Percent-encoded characters of its literals in one query.
  size_t encoded() const;

  // Adds what `values()` or the ranges come to in a filter that may have `most_comparisons`.
  void AddTo(Conjunction& filter, std::vector<Alternatives>& any, size_t most_comparisons);

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
  Alternatives like_;         // narrower than both bounds
  bool number_like_ = false;  // the bounds are those of every text that looks like a number
};

}  // namespace aztables
