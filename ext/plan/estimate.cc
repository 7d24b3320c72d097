// Estimate: see estimate.h.
#include "plan/estimate.h"

#include <algorithm>
#include <cmath>

namespace aztables {
namespace {

// One request costs about as much as a thousand rows that are already here, and brings as many.
constexpr double kRowsOfRequest = 1'000;
// How long a list is that nothing is known of; and what its reads cost: several are under way at
// once, so hardly more than one, and less than two that come one after another, as SQLite would do
// it for an OR. Costs above 2e9 it tells apart by a factor of 2 alone.
constexpr double kListSize = 10;
constexpr double kListCost = 1.05;
// Nobody knows how large a table is that was never read, or a partition of it: any number of points
// that SQLite guesses (a million for a table without ANALYZE) is preferred to reading a partition,
// and as many partitions to reading the table.
constexpr double kUnknownPartition = 1e6;
constexpr double kUnknownTable = 1e12;
// What a bound of a range leaves, and a condition on a property.
constexpr double kLeftByBound = 0.25;
constexpr double kLeftByEquality = 0.1;

struct Selected {
  double lists = 1;  // reads that lists of values make of one
  double cost = 1;   // of these, in that of one
  bool equal = false;
  double left = 1;  // share that the ranges leave
};

void Select(const Condition& condition, Selected& key) {
  switch (condition.op) {
    case ConditionOp::kIn:
      key.lists = kListSize;
      key.cost = kListCost;
      key.equal = true;
      break;
    case ConditionOp::kEq:
    case ConditionOp::kIs:
      key.equal = true;
      break;
    case ConditionOp::kLike:
      key.left *= kLeftByBound * kLeftByBound;
      break;
    default:
      key.left *= kLeftByBound;
  }
}

double LeftByProperty(ConditionOp op) {
  const bool equal = op == ConditionOp::kEq || op == ConditionOp::kIs || op == ConditionOp::kIn;
  return equal ? kLeftByEquality : kLeftByBound;
}

}  // namespace

Estimate EstimateOf(const ReadPlan& plan, const TableShape& shape) {
  if (plan.rowid_argument > 0) return {kRowsOfRequest + 1, 1};
  Selected partition_key;
  Selected row_key;
  double left = 1;
  for (const Condition& condition : plan.conditions) {
    if (condition.property == kPartitionKeyName) {
      Select(condition, partition_key);
    } else if (condition.property == kRowKeyName) {
      Select(condition, row_key);
    } else {
      left *= LeftByProperty(condition.op);
    }
  }
  if (partition_key.equal && row_key.equal) {
    return {partition_key.cost * row_key.cost * (kRowsOfRequest + 1),
            static_cast<int64_t>(partition_key.lists * row_key.lists)};
  }
  // Entities that the service looks at, for one value of a list.
  const auto largest = static_cast<double>(shape.largest);
  double usual = static_cast<double>(shape.entities) * partition_key.left;
  double read = std::max(usual, largest);  // which may be among them
  if (partition_key.equal) {
    read = largest * row_key.left;
    usual = static_cast<double>(shape.per_partition) * row_key.left;
  } else {
    // The service looks at every row of a scan, and sends what fits.
    left *= row_key.equal ? kLeftByEquality : row_key.left;
  }
  const double sent = std::max(read * left, 1.0);
  const double requests = std::max(1.0, std::ceil(sent / kRowsOfRequest));
  // What is looked at and left out costs, too, but no transfer.
  double cost = requests * kRowsOfRequest + sent + std::max(read - sent, 0.0) / 10;
  cost *= partition_key.cost;
  if (!shape.known) cost *= partition_key.equal ? kUnknownPartition : kUnknownTable;
  return {cost, static_cast<int64_t>(std::max(usual * left, 1.0) * partition_key.lists)};
}

}  // namespace aztables
