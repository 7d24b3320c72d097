// Estimate: the cost of a plan. With it SQLite chooses lookups for a few keys and one scan for
// many.
//
// Thread rule: pure; any thread.
#pragma once

#include "plan/planner.h"
#include "plan/read_plan.h"

namespace aztables {

struct Estimate {
  double cost = 0;   // the cost unit is one fetched row
  int64_t rows = 0;  // rows that SQLite receives
};

// For each execution of the plan.
Estimate EstimateOf(const ReadPlan& plan, const TableShape& shape);

}  // namespace aztables
