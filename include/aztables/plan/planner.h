// Planner: which of the constraints that SQLite offers are sent to the service, and what that
// costs. A constraint is sent only where the service then returns a superset of what SQLite would
// keep; SQLite checks every row again. The truth table is in ARCHITECTURE.md.
//
// Thread rule: pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "aztables/model/edm.h"
#include "aztables/model/schema.h"
#include "aztables/plan/read_plan.h"

namespace aztables {

// One constraint of sqlite3_index_info, told without SQLite's constants.
struct OfferedConstraint {
  enum class Kind : uint8_t { kCompare, kLimit, kOffset, kOther };
  Kind kind = Kind::kOther;
  int column = 0;                 // -1: rowid
  CompareOp op = CompareOp::kEq;  // of kCompare
  bool usable = false;
  bool binary = true;                        // compared with collation BINARY
  std::optional<SqlValue::Type> value_type;  // where the value is known while planning
};

// What the option `pushdown` allows to be sent as $filter.
enum class Pushdown : uint8_t { kAll, kKeys, kNone };

struct PlanRequest {
  const Schema* schema = nullptr;
  std::vector<OfferedConstraint> constraints;
  std::vector<bool> used;  // per column of the schema: it is read
  bool ordered = false;    // the rows will be sorted or grouped: LIMIT says nothing of what is read
  Pushdown pushdown = Pushdown::kAll;
};

struct PlanResult {
  ReadPlan plan;
  std::vector<int> argument_of;  // per constraint: its place among xFilter's values; 0: not wanted
  double cost = 0;               // in units of one row read locally
  int64_t rows = 0;
};

PlanResult PlanRead(const PlanRequest& request);

}  // namespace aztables
