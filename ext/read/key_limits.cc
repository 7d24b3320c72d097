// KeyLimits: see key_limits.h.
#include "read/key_limits.h"

#include <algorithm>

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

bool LimitsBelow(CompareOp op) {
  return op == CompareOp::kEq || op == CompareOp::kGe || op == CompareOp::kGt;
}
bool LimitsAbove(CompareOp op) {
  return op == CompareOp::kEq || op == CompareOp::kLe || op == CompareOp::kLt;
}

bool IsPartitionKey(const Comparison& condition) { return condition.property == "PartitionKey"; }

}  // namespace

KeyLimits::KeyLimits(const BoundQuery& read) {
  if (read.point) {
    conditions_ = {{"PartitionKey", CompareOp::kEq, Value::String(read.point->first)},
                   {"RowKey", CompareOp::kEq, Value::String(read.point->second)}};
  } else {
    std::copy_if(read.filter.begin(), read.filter.end(), std::back_inserter(conditions_),
                 [](const Comparison& condition) {
                   return IsPartitionKey(condition) || condition.property == "RowKey";
                 });
  }
  one_partition_ = std::any_of(conditions_.begin(), conditions_.end(), [](const auto& condition) {
    return IsPartitionKey(condition) && condition.op == CompareOp::kEq;
  });
  for (const Comparison& condition : conditions_) {
    if (!LimitsBelow(condition.op)) continue;
    if (!IsPartitionKey(condition) && !one_partition_) continue;
    std::string& begin = IsPartitionKey(condition) ? begin_.partition_key : begin_.row_key;
    if (condition.literal.text > begin) begin = condition.literal.text;
  }
}

bool KeyLimits::Contain(EntityKeyView key) const {
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const Comparison& condition) {
    const std::string_view text = IsPartitionKey(condition) ? key.partition_key : key.row_key;
    return Holds(text.compare(condition.literal.text), condition.op);
  });
}

bool KeyLimits::AreBehind(EntityKeyView key) const {
  return std::any_of(conditions_.begin(), conditions_.end(), [&](const Comparison& condition) {
    if (!LimitsAbove(condition.op)) return false;
    if (IsPartitionKey(condition)) {
      return key.partition_key > condition.literal.text;
    }
    // After the last row of the only partition, or after that partition.
    return one_partition_ && key.row_key > condition.literal.text &&
           key.partition_key >= begin_.partition_key;
  });
}

}  // namespace aztables
