// KeyPredicate: see key_predicate.h.
#include "read/key_predicate.h"

#include <algorithm>

namespace aztables {
namespace {

bool LimitsBelow(CompareOp op) { return op != CompareOp::kNe && !IsUpper(op); }
bool LimitsAbove(CompareOp op) { return op == CompareOp::kEq || IsUpper(op); }

bool IsPartitionKey(const Comparison& condition) { return condition.property == "PartitionKey"; }

}  // namespace

KeyPredicate::KeyPredicate(const EntityQuery& query) : conditions_(query.Conditions()) {
  std::erase_if(conditions_, [](const Comparison& condition) {
    return !IsPartitionKey(condition) && condition.property != "RowKey";
  });
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

bool KeyPredicate::Matches(EntityKeyView key) const {
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const Comparison& condition) {
    const std::string_view text = IsPartitionKey(condition) ? key.partition_key : key.row_key;
    return Holds(condition.op, text <=> condition.literal.text);
  });
}

bool KeyPredicate::EndsBefore(EntityKeyView key) const {
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
