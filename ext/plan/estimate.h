// Estimate: what a plan costs, so that SQLite chooses lookups for a few keys and one scan for many.
//
// Thread rule: pure; any thread.
#pragma once

#include "plan/planner.h"
#include "plan/read_plan.h"

namespace aztables {

struct Estimate {
  double cost = 0;   // in units of one row that is here already
  int64_t rows = 0;  // that SQLite gets
};

// Of each time that the plan is carried out.
Estimate EstimateOf(const ReadPlan& plan, const TableShape& shape);

}  // namespace aztables
