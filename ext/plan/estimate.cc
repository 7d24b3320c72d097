// Estimate: see estimate.h.
#include "plan/estimate.h"

#include <algorithm>
#include <cmath>

namespace aztables {
namespace {

// The cost unit is one fetched row. A request costs 1,000, and returns up to 1,000 rows.
constexpr double kRowsOfRequest = 1'000;
// The length of an unknown list, and the cost of its reads in units of one read. Several reads are
// under way at once. So the cost is hardly more than one read, and less than the two successive
// reads that SQLite would make of an OR. SQLite distinguishes costs above 2e9 only by a factor of
// 2.
constexpr double kListSize = 10;
constexpr double kListCost = 1.05;
// The size of a table that was never read, or of a partition of it, is unknown. SQLite prefers any
// number of points that it guesses (a million for a table without ANALYZE) to reading a partition.
// It also prefers as many partitions to reading the table.
constexpr double kUnknownPartition = 1e6;
constexpr double kUnknownTable = 1e12;
// The share that a bound of a range leaves, and that an equality of a property leaves.
constexpr double kLeftByBound = 0.25;
constexpr double kLeftByEquality = 0.1;

struct Selected {
  double lists = 1;  // reads that lists make of one read
  double cost = 1;   // the cost of these reads in that of one
  bool equal = false;
  double left = 1;  // the share that the ranges leave
};

void Select(ConditionOp op, Selected& key) {
  if (op == ConditionOp::kIn) {
    key.lists = kListSize;
    key.cost = kListCost;
  }
  if (IsEquality(op)) {
    key.equal = true;
  } else {
    key.left *= op == ConditionOp::kLike ? kLeftByBound * kLeftByBound : kLeftByBound;
  }
}

}  // namespace

Estimate EstimateOf(const ReadPlan& plan, const TableShape& shape) {
  if (plan.rowid_argument > 0) {
    Selected rowid;
    Select(plan.rowid_list ? ConditionOp::kIn : ConditionOp::kEq, rowid);
    return {rowid.cost * (kRowsOfRequest + 1), static_cast<int64_t>(rowid.lists)};
  }
  Selected partition_key;
  Selected row_key;
  double left = 1;
  for (const Condition& condition : plan.conditions) {
    if (condition.property == kPartitionKeyName) {
      Select(condition.op, partition_key);
    } else if (condition.property == kRowKeyName) {
      Select(condition.op, row_key);
    } else {
      left *= IsEquality(condition.op) ? kLeftByEquality : kLeftByBound;
    }
  }
  if (partition_key.equal && row_key.equal) {
    return {partition_key.cost * row_key.cost * (kRowsOfRequest + 1),
            static_cast<int64_t>(partition_key.lists * row_key.lists)};
  }
  // Entities that the service scans, for one value of a list.
  const auto largest = static_cast<double>(shape.largest);
  double usual = static_cast<double>(shape.entities) * partition_key.left;
  double read = std::max(usual, largest);  // the range may include the largest
  if (partition_key.equal) {
    read = largest * row_key.left;
    usual = static_cast<double>(shape.per_partition) * row_key.left;
  } else {
    // The service scans every row, and returns those that match.
    left *= row_key.equal ? kLeftByEquality : row_key.left;
  }
  const double sent = std::max(read * left, 1.0);
  const double requests = std::max(1.0, std::ceil(sent / kRowsOfRequest));
  // Entities that the service scans and leaves out have a cost too, but are not transferred.
  double cost = requests * kRowsOfRequest + sent + std::max(read - sent, 0.0) / 10;
  cost *= partition_key.cost;
  if (!shape.known) cost *= partition_key.equal ? kUnknownPartition : kUnknownTable;
  return {cost, static_cast<int64_t>(std::max(usual * left, 1.0) * partition_key.lists)};
}

}  // namespace aztables
