// KeyLimits: see key_limits.h.
#include "key_limits.h"

#include <algorithm>

#include "aztables/model/key.h"

namespace aztables {
namespace {

bool Holds(int order, CompareOp op) {
  switch (op) {
    case CompareOp::kEq:
      return order == 0;
    case CompareOp::kLt:
      return order < 0;
    case CompareOp::kLe:
      return order <= 0;
    case CompareOp::kGt:
      return order > 0;
    case CompareOp::kGe:
      return order >= 0;
    case CompareOp::kNe:
      break;
  }
  return order != 0;
}

bool IsPartitionKey(const Comparison& condition) { return condition.property == "PartitionKey"; }

}  // namespace

KeyLimits::KeyLimits(const BoundRead& read) {
  if (read.point) {
    conditions_ = {{"PartitionKey", CompareOp::kEq, Value::String(read.point->first)},
                   {"RowKey", CompareOp::kEq, Value::String(read.point->second)}};
  } else {
    std::copy_if(read.filter.begin(), read.filter.end(), std::back_inserter(conditions_),
                 [](const Comparison& condition) {
                   return IsPartitionKey(condition) || condition.property == "RowKey";
                 });
  }
  for (const Comparison& condition : conditions_) {
    const bool lower = condition.op == CompareOp::kEq || condition.op == CompareOp::kGe ||
                       condition.op == CompareOp::kGt;
    if (!lower || !IsPartitionKey(condition)) continue;
    if (CompareKeys(condition.literal.text, begin_.partition_key) > 0) {
      begin_.partition_key = condition.literal.text;
    }
  }
  if (read.point) begin_.row_key = read.point->second;
}

bool KeyLimits::Contain(EntityKeyView key) const {
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const Comparison& condition) {
    const std::string_view text = IsPartitionKey(condition) ? key.partition_key : key.row_key;
    return Holds(CompareKeys(text, condition.literal.text), condition.op);
  });
}

bool KeyLimits::AreBehind(EntityKeyView key) const {
  return std::any_of(conditions_.begin(), conditions_.end(), [&](const Comparison& condition) {
    const bool upper = condition.op == CompareOp::kEq || condition.op == CompareOp::kLt ||
                       condition.op == CompareOp::kLe;
    return upper && IsPartitionKey(condition) &&
           CompareKeys(key.partition_key, condition.literal.text) > 0;
  });
}

}  // namespace aztables
