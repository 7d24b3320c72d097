// ReadArguments: the values of xFilter in the form for the plan. Lists of IN are expanded. In a
// plain statement, integers that are compared with keys become texts.
//
// Ownership: keeps what it had to copy; the rest points into the sqlite3_values.
// Thread rule: the thread of the database connection.
//
// Ownership: keeps what it had to copy; the rest points into the sqlite3_values.
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "plan/bound_read.h"
#include "plan/read_plan.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

class ReadArguments {
 public:
  // `is_plain`: whether the statement is plain (statement_shape.h). It is called only if needed.
  Status Collect(const ReadPlan& plan, int count, sqlite3_value** values,
                 const std::function<bool()>& is_plain);
  const std::vector<ReadArgument>& get() const { return arguments_; }

 private:
  void CompareAsText(const ReadPlan& plan);
  Status CollectList(sqlite3_value* list, std::vector<SqlValue>& out);
  SqlValue Keep(sqlite3_value* value);

  std::vector<ReadArgument> arguments_;
  std::deque<std::string> texts_;
};

}  // namespace aztables
