// Checks the orders that plans promise, for every combination of terms, equal keys and services,
// against sorted rows. It also checks DISTINCT, LIMIT, and keys that turn out to equal several
// texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "plan/bound_plan.h"
#include "plan/planner.h"

namespace aztables {
namespace {

using Kind = OfferedConstraint::Kind;
using Terms = std::vector<OrderTerm>;

constexpr int kPartition = Schema::kPartitionKey;
constexpr int kRow = Schema::kRowKey;
constexpr int kOther = Schema::kFirstProperty;

const Schema& OneProperty() {
  static const Schema schema = [] {
    Schema one;
    one.properties = {{"a", "A", EdmType::kInt32}};
    return one;
  }();
  return schema;
}

OfferedConstraint Compare(int column, ConditionOp op) {
  OfferedConstraint constraint;
  constraint.kind = Kind::kCompare;
  constraint.column = column;
  constraint.op = op;
  constraint.usable = true;
  return constraint;
}

PlanRequest Request(Terms terms) {
  PlanRequest request;
  request.schema = &OneProperty();
  request.used.assign(static_cast<size_t>(request.schema->ColumnCount()), false);
  request.order_by = std::move(terms);
  return request;
}

// Every list of up to three terms.
std::vector<Terms> AllTerms() {
  std::vector<Terms> all = {{}};
  for (size_t begin = 0, length = 1; length <= 3; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const int column : {kPartition, kRow, Schema::kTimestamp, kOther, -1}) {
        for (const bool descending : {false, true}) {
          Terms longer = all[begin];
          longer.push_back({column, descending});
          all.push_back(longer);
        }
      }
    }
  }
  return all;
}

using RowOf = std::array<int, 5>;  // PartitionKey, RowKey, Timestamp, a, rowid

// The rows in a plan's order, of one partition or one row key if these equal one value.
std::vector<RowOf> RowsInOrder(const ReadPlan& plan, bool one_partition, bool one_row) {
  const ReadOrder order = plan.order;
  std::vector<RowOf> rows;
  for (int p = 0; p < (one_partition ? 1 : 3); ++p) {
    for (int r = 0; r < (one_row ? 1 : 3); ++r) {
      // Other columns are in no order.
      const int mixed = (p * 7 + r * 5) % 4;
      rows.push_back({p, r, mixed, (mixed * 3 + 1) % 4, (mixed * 5 + r) % 3});
    }
  }
  std::sort(rows.begin(), rows.end(), [&](const RowOf& a, const RowOf& b) {
    if (order == ReadOrder::kRows) return a[1] < b[1];
    if (order == ReadOrder::kPartitions) return a[0] < b[0];
    return std::pair(a[0], a[1]) < std::pair(b[0], b[1]);
  });
  if (plan.reverse) std::reverse(rows.begin(), rows.end());
  return rows;
}

bool AreSorted(const std::vector<RowOf>& rows, const Terms& terms) {
  return std::is_sorted(rows.begin(), rows.end(), [&](const RowOf& a, const RowOf& b) {
    for (const OrderTerm& term : terms) {
      const auto column = static_cast<size_t>(term.column < 0 ? 4 : std::min(term.column, 3));
      if (a[column] == b[column]) continue;
      return (a[column] < b[column]) != term.descending;
    }
    return false;
  });
}

TEST(OrderTest, WhatIsPromisedIsKept) {
  const std::optional<ConditionOp> conditions[] = {std::nullopt, ConditionOp::kEq, ConditionOp::kIs,
                                                   ConditionOp::kIn, ConditionOp::kGe};
  size_t promised[4] = {};
  size_t reversed = 0;
  for (const Terms& terms : AllTerms()) {
    for (const auto& on_partition : conditions) {
      for (const auto& on_row : conditions) {
        for (int service = 0; service < 4; ++service) {
          PlanRequest request = Request(terms);
          if (on_partition) request.constraints.push_back(Compare(kPartition, *on_partition));
          if (on_row) request.constraints.push_back(Compare(kRow, *on_row));
          request.keeps_order = (service & 1) == 0;
          request.utf8 = (service & 2) == 0;
          const PlanResult result = PlanRead(request);
          const ReadOrder order = result.plan.order;
          ASSERT_EQ(result.ordered, order != ReadOrder::kNone);
          ++promised[static_cast<size_t>(order)];
          if (!result.ordered) continue;
          reversed += result.plan.reverse;
          ASSERT_EQ(service, 0);
          const bool one_partition = on_partition && *on_partition != ConditionOp::kGe &&
                                     *on_partition != ConditionOp::kIn;
          const bool one_row = on_row && *on_row != ConditionOp::kGe && *on_row != ConditionOp::kIn;
          ASSERT_TRUE(AreSorted(RowsInOrder(result.plan, one_partition, one_row), terms))
              << EncodePlan(result.plan);
        }
      }
    }
  }
  for (const size_t count : promised) EXPECT_GT(count, 10U);
  EXPECT_GT(reversed, 10U);
}

std::string OrderOf(Terms terms, std::vector<OfferedConstraint> constraints = {}) {
  PlanRequest request = Request(std::move(terms));
  request.constraints = std::move(constraints);
  const std::string text = EncodePlan(PlanRead(request).plan);
  const size_t at = text.find("; in order");
  return at == std::string::npos ? "" : text.substr(at + 2);
}

TEST(OrderTest, WhatIsPromised) {
  EXPECT_EQ(OrderOf({}), "") << "no order";
  EXPECT_EQ(OrderOf({{kPartition}}), "in order");
  EXPECT_EQ(OrderOf({{kPartition}, {kRow}}), "in order");
  EXPECT_EQ(OrderOf({{kPartition}, {kRow}, {kOther, true}}), "in order");
  EXPECT_EQ(OrderOf({{kRow}}, {Compare(kPartition, ConditionOp::kEq)}), "in order of RowKey");
  EXPECT_EQ(OrderOf({{kRow}, {kPartition}}, {Compare(kPartition, ConditionOp::kIs)}),
            "in order of RowKey");
  EXPECT_EQ(OrderOf({{kRow}}, {Compare(kRow, ConditionOp::kEq)}), "in order of PartitionKey");
  for (const Terms& terms :
       {Terms{{kPartition, true}}, Terms{{kPartition}, {kRow, true}}, Terms{{kPartition}, {kOther}},
        Terms{{kRow}}, Terms{{kOther}}, Terms{{-1}}, Terms{{kRow}, {kPartition}}}) {
    EXPECT_EQ(OrderOf(terms), "");
  }
  EXPECT_EQ(OrderOf({{kRow}}, {Compare(kPartition, ConditionOp::kIn)}), "");
  EXPECT_EQ(OrderOf({{kPartition}}, {Compare(-1, ConditionOp::kEq)}), "") << "one row";
}

TEST(OrderTest, OneRowOfEachPartitionWhereNothingElseIsRead) {
  const auto is_distinct = [](Terms terms, std::vector<int> used, bool distinct = true,
                              bool keeps_order = true) {
    PlanRequest request = Request(std::move(terms));
    for (const int column : used) request.used[static_cast<size_t>(column)] = true;
    request.distinct = distinct;
    request.keeps_order = keeps_order;
    return PlanRead(request).plan.distinct;
  };
  EXPECT_TRUE(is_distinct({{kPartition}}, {kPartition}));
  EXPECT_TRUE(is_distinct({{kPartition}}, {}));
  EXPECT_FALSE(is_distinct({{kPartition}}, {kPartition}, false));
  EXPECT_FALSE(is_distinct({{kPartition}}, {kPartition}, true, false));
  EXPECT_FALSE(is_distinct({{kPartition}, {kRow}}, {kPartition}));
  EXPECT_FALSE(is_distinct({{kPartition}, {kPartition}}, {kPartition}));
  EXPECT_FALSE(is_distinct({{kRow}}, {kRow}));
  EXPECT_FALSE(is_distinct({{kPartition, true}}, {kPartition}));
  for (int column = kRow; column < OneProperty().ColumnCount(); ++column) {
    EXPECT_FALSE(is_distinct({{kPartition}}, {kPartition, column})) << column;
  }
}

TEST(OrderTest, PartitionsComeInAnyOrderIfSqliteDoesNotSort) {
  for (const bool any_order : {false, true}) {
    PlanRequest request = Request({{kPartition}});
    request.distinct = true;
    request.any_order = any_order;
    request.ranges = 8;
    const PlanResult result = PlanRead(request);
    EXPECT_TRUE(result.ordered);
    EXPECT_EQ(EncodePlan(result.plan),
              any_order ? "table scan; select PartitionKey,RowKey; distinct; in up to 8 ranges"
                        : "table scan; select PartitionKey,RowKey; in order; distinct; "
                          "in up to 8 ranges");
    request.distinct = false;
    EXPECT_EQ(PlanRead(request).plan.order, ReadOrder::kKeys) << "rows of a group";
  }
}

TEST(OrderTest, ALimitIsTakenWhereTheRowsComeInOrderOrNobodyAsks) {
  OfferedConstraint limit;
  limit.kind = Kind::kLimit;
  limit.usable = true;
  for (const Terms& terms : AllTerms()) {
    PlanRequest request = Request(terms);
    request.constraints = {limit, Compare(kPartition, ConditionOp::kEq)};
    const PlanResult result = PlanRead(request);
    ASSERT_EQ(result.plan.limit_argument > 0, terms.empty() || result.ordered);
  }
}

// Several texts may equal a number, so it is not a single value.
TEST(OrderTest, ANumberLeavesTheRowsOfOnePartitionUnordered) {
  const auto unordered = [](std::string_view key, ConditionOp op, SqlValue value, ReadOrder order) {
    ReadPlan plan;
    plan.conditions = {{std::string(key), op, 1}};
    plan.order = order;
    return BindRead(plan, {value}, {}).unordered;
  };
  for (const ConditionOp op : {ConditionOp::kEq, ConditionOp::kIs}) {
    for (const std::string_view key : {kPartitionKeyName, kRowKeyName}) {
      const ReadOrder other = key == kPartitionKeyName ? ReadOrder::kRows : ReadOrder::kPartitions;
      EXPECT_TRUE(unordered(key, op, SqlValue::Integer(5), other));
      EXPECT_TRUE(unordered(key, op, SqlValue::Real(0.5), other));
      EXPECT_FALSE(unordered(key, op, SqlValue::Integer(5), ReadOrder::kKeys));
      EXPECT_FALSE(unordered(key, op, SqlValue::Integer(5), ReadOrder::kNone));
      EXPECT_FALSE(unordered(key, op, SqlValue::Text("5"), other));
      EXPECT_FALSE(unordered(key, op, SqlValue::Text(std::string(9'000, 'k')), other));
    }
  }
}

}  // namespace
}  // namespace aztables
