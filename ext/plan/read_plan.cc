// ReadPlan and its text: see read_plan.h.
#include "plan/read_plan.h"

#include <algorithm>
#include <iterator>

#include "base/encoding.h"

namespace aztables {
namespace {

constexpr std::string_view kComputed = "*";
constexpr std::string_view kOfPattern = "~";
constexpr std::string_view kEnd = " to ?";
constexpr std::string_view kCheck = "; check ";
constexpr std::string_view kSelect = "; select ";
constexpr std::string_view kDistinct = "; distinct";
constexpr std::string_view kInUpTo = "; in up to ";
constexpr std::string_view kRanges = " ranges";
constexpr std::string_view kLimit = "; limit ?";
constexpr std::string_view kOffset = " offset ?";
constexpr std::string_view kRowid = "rowid eq ?";
constexpr std::string_view kRowids = "rowid in ?";

Status Malformed() { return Status::Error("the plan in idxStr is malformed"); }

std::string OrderText(ReadOrder order, bool reverse) {
  if (order == ReadOrder::kNone) return "";
  std::string text = reverse ? "; in reverse order" : "; in order";
  if (order == ReadOrder::kRows) text += " of RowKey";
  if (order == ReadOrder::kPartitions) text += " of PartitionKey";
  return text;
}

// Removes `word` from the front of `text`.
bool Take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Removes a number from 1 on from the front of `text`; 0 if there is none.
int TakeNumber(std::string_view& text) {
  size_t size = 0;
  while (size < text.size() && size < 6 && text[size] >= '0' && text[size] <= '9') ++size;
  const auto number = ParseInteger(text.substr(0, size));
  text.remove_prefix(size);
  return static_cast<int>(number.value_or(0));
}

bool TakeCondition(std::string_view& text, Condition& condition) {
  const size_t blank = text.find(' ');
  if (blank == 0 || blank == std::string_view::npos) return false;
  condition.property = text.substr(0, blank);
  text.remove_prefix(blank + 1);
  if (Take(text, ConditionOpName(ConditionOp::kNotNull))) {
    condition.op = ConditionOp::kNotNull;
    return !IsKey(condition);
  }
  for (const auto& [op, name, sql] : kConditionOps) {
    if (!Take(text, std::string(name) + " ?")) continue;
    condition.op = op;
    condition.argument = TakeNumber(text);
    condition.computed = Take(text, kComputed);
    condition.of_pattern = Take(text, kOfPattern);
    if (op == ConditionOp::kLike) {
      if (!Take(text, kEnd)) return false;
      condition.end = TakeNumber(text);
    }
    return condition.argument > 0 && (condition.end > 0) == (op == ConditionOp::kLike);
  }
  return false;
}

// `plan`: receives the comparison of rowid; null if there is none.
Status TakeConditions(std::string_view& text, std::vector<Condition>& conditions, ReadPlan* plan) {
  do {
    const bool list = plan != nullptr && Take(text, kRowids);
    if (list || (plan != nullptr && Take(text, kRowid))) {
      plan->rowid_list = list;
      plan->rowid_argument = TakeNumber(text);
      if (plan->rowid_argument == 0) return Malformed();
      continue;
    }
    Condition condition;
    if (!TakeCondition(text, condition)) return Malformed();
    conditions.push_back(std::move(condition));
  } while (Take(text, " and "));
  return {};
}

std::string ConditionText(const Condition& condition) {
  std::string text = condition.property + " " + std::string(ConditionOpName(condition.op));
  if (condition.op == ConditionOp::kNotNull) return text;
  text += " ?" + std::to_string(condition.argument);
  if (condition.computed) text += kComputed;
  if (condition.of_pattern) text += kOfPattern;
  if (condition.op == ConditionOp::kLike) text += std::string(kEnd) + std::to_string(condition.end);
  return text;
}

void AppendConditions(std::string& text, std::string_view separator,
                      const std::vector<Condition>& conditions) {
  for (const Condition& condition : conditions) {
    text += separator;
    text += ConditionText(condition);
    separator = " and ";
  }
}

}  // namespace

bool IsKey(const Condition& condition) {
  return condition.property == kPartitionKeyName || condition.property == kRowKeyName;
}

const ConditionOpEntry& EntryOf(ConditionOp op) {
  return *std::find_if(std::begin(kConditionOps), std::end(kConditionOps),
                       [op](const ConditionOpEntry& entry) { return entry.op == op; });
}

bool IsRange(ConditionOp op) { return op >= ConditionOp::kLt && op <= ConditionOp::kGe; }

bool IsEquality(ConditionOp op) {
  return op == ConditionOp::kEq || op == ConditionOp::kIs || op == ConditionOp::kIn;
}

std::string_view ReadKindName(ReadKind kind) {
  switch (kind) {
    case ReadKind::kPoint:
      return "point";
    case ReadKind::kRowRange:
      return "row range";
    case ReadKind::kPartitionRange:
      return "partition range";
    case ReadKind::kTableScan:
      break;
  }
  return "table scan";
}

ReadKind KindOf(const std::vector<Condition>& conditions) {
  bool one_partition = false;
  bool one_row = false;
  bool partitions = false;
  for (const Condition& condition : conditions) {
    const bool equal = IsEquality(condition.op);
    if (condition.property == kPartitionKeyName) {
      (equal ? one_partition : partitions) = true;
    } else if (condition.property == kRowKeyName && equal) {
      one_row = true;
    }
  }
  if (one_partition) return one_row ? ReadKind::kPoint : ReadKind::kRowRange;
  return partitions ? ReadKind::kPartitionRange : ReadKind::kTableScan;
}

ReadKind KindOf(const ReadPlan& plan) {
  return plan.rowid_argument > 0 ? ReadKind::kPoint : KindOf(plan.conditions);
}

bool MayBeDivided(const ReadPlan& plan) {
  return plan.limit_argument == 0 && KindOf(plan) != ReadKind::kPoint;
}

std::string EncodePlan(const ReadPlan& plan) {
  std::string text(ReadKindName(KindOf(plan)));
  std::string_view separator = ": ";
  if (plan.rowid_argument > 0) {
    text += separator;
    text += plan.rowid_list ? kRowids : kRowid;
    text += std::to_string(plan.rowid_argument);
    separator = " and ";
  }
  AppendConditions(text, separator, plan.conditions);
  AppendConditions(text, kCheck, plan.checked);
  text += kSelect;
  if (plan.select.empty()) text += '*';
  for (size_t i = 0; i < plan.select.size(); ++i) {
    if (i > 0) text += ',';
    text += plan.select[i];
  }
  text += OrderText(plan.order, plan.reverse);
  if (plan.distinct) text += kDistinct;
  if (plan.ranges > 1) text.append(kInUpTo).append(std::to_string(plan.ranges)).append(kRanges);
  if (plan.limit_argument > 0) {
    text += kLimit;
    text += std::to_string(plan.limit_argument);
    if (plan.offset_argument > 0) {
      text += kOffset;
      text += std::to_string(plan.offset_argument);
    }
  }
  return text;
}

Result<ReadPlan> DecodePlan(std::string_view text) {
  const std::string_view whole = text;
  ReadPlan plan;
  bool known = false;
  for (const ReadKind kind :
       {ReadKind::kPoint, ReadKind::kRowRange, ReadKind::kPartitionRange, ReadKind::kTableScan}) {
    if (!known && Take(text, ReadKindName(kind))) known = true;
  }
  if (!known) return Malformed();
  if (Take(text, ": ")) {
    AZTABLES_RETURN_IF_ERROR(TakeConditions(text, plan.conditions, &plan));
  }
  if (Take(text, kCheck)) {
    AZTABLES_RETURN_IF_ERROR(TakeConditions(text, plan.checked, nullptr));
  }
  if (!Take(text, kSelect)) return Malformed();
  std::string_view names = text.substr(0, text.find(';'));
  text.remove_prefix(names.size());
  while (!names.empty() && names != "*") {
    const size_t comma = names.find(',');
    plan.select.emplace_back(names.substr(0, comma));
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
  // The longer texts first: one is a prefix of another.
  for (const ReadOrder order : {ReadOrder::kPartitions, ReadOrder::kRows, ReadOrder::kKeys}) {
    for (const bool reverse : {false, true}) {
      if (plan.order != ReadOrder::kNone || !Take(text, OrderText(order, reverse))) continue;
      plan.order = order;
      plan.reverse = reverse;
    }
  }
  plan.distinct = Take(text, kDistinct);
  if (Take(text, kInUpTo)) {
    plan.ranges = TakeNumber(text);
    if (plan.ranges < 2 || !Take(text, kRanges)) return Malformed();
  }
  if (Take(text, kLimit)) {
    plan.limit_argument = TakeNumber(text);
    if (plan.limit_argument == 0) return Malformed();
    if (Take(text, kOffset)) {
      plan.offset_argument = TakeNumber(text);
      if (plan.offset_argument == 0) return Malformed();
    }
  }
  // One plan has one text: EncodePlan() did not write any other.
  if (EncodePlan(plan) != whole) return Malformed();
  return plan;
}

}  // namespace aztables
