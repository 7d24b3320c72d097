// Planner: decides which of SQLite's constraints are sent to the service, in which order the rows
// are, and what that costs. A constraint is sent only if the service then returns a superset of
// what SQLite would keep. SQLite checks every row again. The truth table is in PUSHDOWN.md.
//
// Thread rule: pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/edm.h"
#include "model/schema.h"
#include "plan/read_plan.h"
#include "plan/table_shape.h"

namespace aztables {

// One constraint of sqlite3_index_info, without SQLite's constants.
struct OfferedConstraint {
  // kPattern: GLOB or LIKE, never sent. SQLite offers it in addition to the bounds that it makes of
  // it.
  enum class Kind : uint8_t { kCompare, kLimit, kOffset, kPattern, kOther };
  enum class Collation : uint8_t { kBinary, kNoCase, kOther };
  Kind kind = Kind::kOther;
  int column = 0;                     // -1: rowid
  ConditionOp op = ConditionOp::kEq;  // of kCompare; kIn if a whole list is available
  bool usable = false;
  Collation collation = Collation::kBinary;
  std::optional<SqlValue> value;  // a literal, if known while planning; outlives the call
};

struct OrderTerm {
  int column = 0;
  bool descending = false;
};

// What the option `pushdown` allows in $filter.
enum class Pushdown : uint8_t { kAll, kKeys, kNone };

struct PlanRequest {
  const Schema* schema = nullptr;  // not null; outlives the call
  std::vector<OfferedConstraint> constraints;
  std::vector<bool> used;           // per column of the schema: the statement reads it
  std::vector<OrderTerm> order_by;  // the order or grouping that SQLite asks for
  bool grouped = false;             // by GROUP BY: SQLite may have taken DESC from ORDER BY
  bool distinct = false;            // rows that are equal in the terms of order_by may be left out
  bool any_order = false;           // if so: rows that are equal in them need only be adjacent
  bool keeps_order = true;          // the service returns entities in the order of their keys
  bool utf8 = true;                 // SQLite's BINARY is the order of UTF-8 bytes
  Pushdown pushdown = Pushdown::kAll;
  int ranges = 1;  // the number of ranges of keys into which a read may be divided
  TableShape shape;
};

struct PlanResult {
  ReadPlan plan;
  std::vector<int> argument_of;  // per constraint: its place among xFilter's values; 0: not used
  bool ordered = false;          // the rows are in the order of order_by
  double cost = 0;               // the cost unit is one fetched row
  int64_t rows = 0;
};

PlanResult PlanRead(const PlanRequest& request);

}  // namespace aztables
