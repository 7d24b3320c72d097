// ReadArguments: what xFilter got, as the plan wants it: lists of IN read out, and texts that come
// from parameters told from others.
//
// Ownership: keeps what it had to copy; the rest points into the sqlite3_values.
// Thread rule: the thread of the database connection.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "aztables/plan/bound_read.h"
#include "aztables/plan/read_plan.h"
#include "sqlite_api.h"

namespace aztables {

class ReadArguments {
 public:
  // `plain_parameters`: a value that comes from a parameter is compared as it is, nothing between
  // the two changes its affinity.
  Status Collect(const ReadPlan& plan, int count, sqlite3_value** values, bool plain_parameters);
  const std::vector<ReadArgument>& get() const { return arguments_; }

 private:
  Status CollectList(sqlite3_value* list, std::vector<SqlValue>& out);
  SqlValue Keep(sqlite3_value* value);

  std::vector<ReadArgument> arguments_;
  std::deque<std::string> texts_;
};

}  // namespace aztables
