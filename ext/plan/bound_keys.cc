// BoundKey: see bound_keys.h.
#include "plan/bound_keys.h"

#include <algorithm>
#include <cmath>

#include "base/encoding.h"
#include "model/key.h"
#include "plan/property_filter.h"
#include "plan/text_range.h"

namespace aztables {
namespace {

using Type = SqlValue::Type;

// Texts that look like a number to SQLite begin with a blank, a sign, a point or a digit. A number
// that SQLite compares as text is one of these, or kInfinity.
constexpr std::string_view kFirstOfNumbers = " ";
constexpr std::string_view kInfinity = "Inf";

bool IsNumber(const SqlValue& value) {
  return value.type == Type::kInteger || value.type == Type::kReal;
}

bool IsInfinity(const SqlValue& value) {
  return value.type == Type::kReal && std::isinf(value.real) && value.real > 0;
}

size_t Comparisons(const std::vector<Disjunction>& clauses) {
  size_t count = 0;
  for (const Disjunction& disjunction : clauses) {
    for (const Conjunction& alternative : disjunction) count += alternative.size();
  }
  return count;
}

}  // namespace

void BoundKey::Add(const Condition& condition, const ReadArgument& argument, const SqlValue& end) {
  const SqlValue& value = argument.value;
  if (condition.op == ConditionOp::kIn) {
    AddList(argument.list);
  } else if (condition.op == ConditionOp::kLike) {
    const auto beginning = CommonBeginning(value, end);
    if (!beginning) return;
    AddComparisons(LikeRange(name_, *beginning, most_bound_));
    // A cut text would not be narrower.
    const bool all = EncodedSize(*beginning) <= most_bound_ / 4;
    like_ = all ? LikeRanges(name_, *beginning, most_bound_) : Disjunction();
  } else if (const auto op = CompareOpOf(condition.op); op == CompareOp::kEq) {
    AddEquality(value);
  } else if (op) {
    AddRange(*op, value, condition.computed);
  }
}

bool BoundKey::IsSent(std::string_view text) const {
  return EncodedSize(text) <= most_equal_ && !MayBeSeveral(text);
}

size_t BoundKey::encoded() const {
  size_t longest = 0;
  for (const std::string& text : values_) longest = std::max(longest, EncodedSize(text));
  for (const auto& bound : {low_, high_}) {
    if (bound) longest += EncodedSize(bound->literal.text);
  }
  return longest;
}

void BoundKey::Fit(size_t most) {
  if (values_.empty() || encoded() <= most) return;
  low_.reset();
  high_.reset();
  like_.clear();
}

void BoundKey::AddEquality(const SqlValue& value) {
  if (value.type == Type::kText) {
    // No entity has a key with other characters.
    if (FirstIllegalInKey(value.text) || !IsValidUtf8(value.text)) {
      empty_ = true;
    } else if (IsSent(value.text)) {
      values_ = {std::string(value.text)};
    } else {
      may_be_several_ = may_be_several_ || MayBeSeveral(value.text);
      AddRange(CompareOp::kGe, value, false);
      AddRange(CompareOp::kLe, value, false);
    }
  } else if (IsNumber(value)) {
    may_be_several_ = true;
    AddList({value});
  } else {
    empty_ = true;  // nothing equals NULL, and a text never equals a BLOB
  }
}

void BoundKey::AddList(const std::vector<SqlValue>& list) {
  bool by_range = false;
  bool numbers = false;
  std::vector<std::string> texts;
  for (const SqlValue& value : list) {
    if (value.type == Type::kText) {
      if (FirstIllegalInKey(value.text) || !IsValidUtf8(value.text)) continue;
      texts.emplace_back(value.text);
      by_range = by_range || !IsSent(value.text);
    } else if (IsNumber(value)) {
      numbers = true;
      if (IsInfinity(value)) texts.emplace_back(kInfinity);
    }
  }
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  if (texts.empty() && !numbers) {
    empty_ = true;
    return;
  }
  if (!numbers && !by_range) {
    values_ = std::move(texts);
    return;
  }
  number_like_ = number_like_ || numbers;
  std::string_view low = texts.empty() ? kFirstOfNumbers : std::string_view(texts.front());
  std::string_view high = texts.empty() ? kFirstOfNumbers : std::string_view(texts.back());
  if (numbers) low = std::min(low, kFirstOfNumbers);
  AddRange(CompareOp::kGe, SqlValue::Text(low), false);
  if (numbers && high < kAfterNumbers) {
    AddComparisons({{name_, CompareOp::kLt, Value::String(kAfterNumbers)}});
  } else {
    AddRange(CompareOp::kLe, SqlValue::Text(high), false);
  }
}

void BoundKey::AddRange(CompareOp op, const SqlValue& value, bool computed) {
  const bool upper = IsUpper(op);
  if (value.type == Type::kText) {
    const bool may_be_numeric = computed && !value.as_text;
    AddComparisons(TextRange(name_, op, value.text, may_be_numeric, most_bound_));
  } else if (value.type == Type::kNull || (value.type == Type::kBlob && !upper)) {
    empty_ = true;  // every text sorts before every BLOB
  }
  // SQLite alone may compare a number as a number.
}

// Keeps the greatest lower bound and the least upper bound. Bounds have no code point that the two
// orders sort differently.
void BoundKey::AddComparisons(Conjunction range) {
  for (Comparison& comparison : range) {
    const bool upper = IsUpper(comparison.op);
    std::optional<Comparison>& bound = upper ? high_ : low_;
    if (bound) {
      const int order = comparison.literal.text.compare(bound->literal.text);
      const bool strict = comparison.op == CompareOp::kLt || comparison.op == CompareOp::kGt;
      const bool narrower = order == 0 ? strict : (order < 0) == upper;
      if (!narrower) continue;
    }
    bound = std::move(comparison);
  }
}

bool BoundKey::limits() const {
  if (number_like_) return false;
  // > '' excludes only the empty key.
  return high_ || (low_ && (low_->op != CompareOp::kGt || !low_->literal.text.empty()));
}

void BoundKey::AddTo(Conjunction& filter, std::vector<Disjunction>& clauses,
                     size_t most_comparisons) {
  if (values_.size() == 1) {
    filter.push_back({name_, CompareOp::kEq, Value::String(values_[0])});
    return;
  }
  size_t encoded = 0;
  for (const std::string& text : values_) encoded += EncodedSize(text);
  // A few texts are listed one by one, and some comparisons are left for the properties.
  const bool few = values_.size() <= most_comparisons / 2 && encoded <= most_bound_;
  if (!values_.empty() && few) {
    Disjunction texts;
    for (const std::string& text : values_) {
      texts.push_back({{name_, CompareOp::kEq, Value::String(text)}});
    }
    clauses.push_back(std::move(texts));
  } else if (!values_.empty()) {
    AddRange(CompareOp::kGe, SqlValue::Text(values_.front()), false);
    AddRange(CompareOp::kLe, SqlValue::Text(values_.back()), false);
  }
  if (low_) filter.push_back(*low_);
  if (high_) filter.push_back(*high_);
  if (like_.size() > 1 &&
      filter.size() + Comparisons(clauses) + Comparisons({like_}) <= most_comparisons) {
    clauses.push_back(like_);
  }
}

}  // namespace aztables
