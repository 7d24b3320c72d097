// ReadArguments: see read_arguments.h.
#include "read_arguments.h"

#include <algorithm>

#include "values.h"

namespace aztables {
Status ReadArguments::Collect(const ReadPlan& plan, int count, sqlite3_value** values,
                              bool plain_parameters) {
  std::vector<bool> is_list(static_cast<size_t>(count));
  for (const Condition& condition : plan.conditions) {
    if (std::max(condition.argument, condition.end) > count)
      return Status::Error("the plan in idxStr wants more values");
    if (condition.op == ConditionOp::kIn) {
      is_list[static_cast<size_t>(condition.argument) - 1] = true;
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
    // A number may stand for a column that is equal to the parameter, with the column's affinity.
    const bool text = argument.value.type == SqlValue::Type::kText;
    argument.value.parameter = text && plain_parameters && sqlite3_value_frombind(values[i]) != 0;
  }
  return {};
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

// The value with a copy of its text: the next one takes its place.
SqlValue ReadArguments::Keep(sqlite3_value* value) {
  SqlValue kept = ToSqlValue(value);
  kept.parameter = false;
  if (kept.type == SqlValue::Type::kText || kept.type == SqlValue::Type::kBlob) {
    kept.text = texts_.emplace_back(kept.text);
  }
  return kept;
}

}  // namespace aztables
