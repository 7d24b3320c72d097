// ReadArguments: see read_arguments.h.
#include "vtab/scan/read_arguments.h"

#include <algorithm>

#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

bool IsIntegerOfKey(const Condition& condition, const std::vector<ReadArgument>& arguments) {
  return IsKey(condition) && condition.op != ConditionOp::kIn &&
         arguments[static_cast<size_t>(condition.argument) - 1].value.type ==
             SqlValue::Type::kInteger;
}

}  // namespace

Status ReadArguments::Collect(const ReadPlan& plan, int count, sqlite3_value** values,
                              const std::function<bool()>& is_plain) {
  std::vector<bool> is_list(static_cast<size_t>(count));
  for (const auto* conditions : {&plan.conditions, &plan.checked}) {
    for (const Condition& condition : *conditions) {
      if (std::max(condition.argument, condition.end) > count)
        return Status::Error("the plan in idxStr wants more values");
      if (condition.op == ConditionOp::kIn) {
        is_list[static_cast<size_t>(condition.argument) - 1] = true;
      }
    }
  }
  arguments_.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    ReadArgument& argument = arguments_[static_cast<size_t>(i)];
    if (is_list[static_cast<size_t>(i)]) {
      AZTABLES_RETURN_IF_ERROR(CollectList(values[i], argument.list));
      continue;
    }
    argument.value = ToSqlValue(values[i]);
  }
  const bool matters =
      std::any_of(plan.conditions.begin(), plan.conditions.end(), [&](const Condition& condition) {
        return condition.computed || IsIntegerOfKey(condition, arguments_);
      });
  if (matters && is_plain()) CompareAsText(plan);
  return {};
}

// A TEXT column applies its affinity to a value without one. The text of a REAL differs between
// versions of SQLite, so a REAL stays a number.
void ReadArguments::CompareAsText(const ReadPlan& plan) {
  for (const Condition& condition : plan.conditions) {
    if (condition.argument == 0) continue;
    SqlValue& value = arguments_[static_cast<size_t>(condition.argument) - 1].value;
    if (IsIntegerOfKey(condition, arguments_)) {
      value = SqlValue::Text(texts_.emplace_back(std::to_string(value.integer)));
    }
    value.as_text = value.type == SqlValue::Type::kText;
  }
}

Status ReadArguments::CollectList(sqlite3_value* list, std::vector<SqlValue>& out) {
  sqlite3_value* value = nullptr;
  int code = sqlite3_vtab_in_first(list, &value);
  while (code == SQLITE_OK && value != nullptr) {
    out.push_back(Keep(value));
    code = sqlite3_vtab_in_next(list, &value);
  }
  if (code == SQLITE_OK || code == SQLITE_DONE) return {};
  return Status::Error("SQLite does not give the values of an IN list (code " +
                       std::to_string(code) + ")");
}

// The value with a copy of its text: the next value reuses the memory.
SqlValue ReadArguments::Keep(sqlite3_value* value) {
  SqlValue kept = ToSqlValue(value);
  if (kept.type == SqlValue::Type::kText || kept.type == SqlValue::Type::kBlob) {
    kept.text = texts_.emplace_back(kept.text);
  }
  return kept;
}

}  // namespace aztables
