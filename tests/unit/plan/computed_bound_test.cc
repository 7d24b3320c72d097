// Upper bounds that are neither literals nor parameters. Such an expression may have numeric
// affinity. Then SQLite sorts every numeric key before any text.
#include <gtest/gtest.h>

#include <string>

#include "plan/bound_plan.h"
#include "plan/planner.h"

namespace aztables {
namespace {

std::string FilterFor(ConditionOp op, bool computed, std::string_view text, bool parameter) {
  ReadPlan plan;
  plan.conditions = {{"RowKey", op, 1, computed}};
  SqlValue value = SqlValue::Text(text);
  value.as_text = parameter;
  return FilterText(BindRead(plan, {value}, {}).query.filter);
}

TEST(ComputedBoundTest, IsWidenedBehindAllNumbers) {
  for (const ConditionOp op : {ConditionOp::kLt, ConditionOp::kLe}) {
    EXPECT_EQ(FilterFor(op, true, "2024-01-01", false), "RowKey lt ':'");
    EXPECT_EQ(FilterFor(op, true, "", false), "RowKey lt ':'");
    EXPECT_EQ(FilterFor(op, true, "-", false), "RowKey lt ':'");
    EXPECT_EQ(FilterFor(op, true, " x", false), "RowKey lt ':'");
  }
}

TEST(ComputedBoundTest, OthersAreSentAsTheyAre) {
  EXPECT_EQ(FilterFor(ConditionOp::kLt, false, "2024-01-01", false), "RowKey lt '2024-01-01'");
  EXPECT_EQ(FilterFor(ConditionOp::kLt, true, "2024-01-01", true), "RowKey lt '2024-01-01'");
  EXPECT_EQ(FilterFor(ConditionOp::kLe, true, "0500", false), "RowKey le '0500'");
  EXPECT_EQ(FilterFor(ConditionOp::kLt, true, "Si", false), "RowKey lt 'Si'");
  EXPECT_EQ(FilterFor(ConditionOp::kLe, true, ":", false), "RowKey le ':'");
}

TEST(ComputedBoundTest, ThePlannerMarksUpperBoundsOfUnknownValue) {
  const Schema schema;
  PlanRequest request;
  request.schema = &schema;
  request.used.assign(static_cast<size_t>(schema.ColumnCount()), false);
  OfferedConstraint constraint;
  constraint.kind = OfferedConstraint::Kind::kCompare;
  constraint.column = Schema::kRowKey;
  constraint.usable = true;
  for (const ConditionOp op :
       {ConditionOp::kEq, ConditionOp::kLt, ConditionOp::kLe, ConditionOp::kGt, ConditionOp::kGe}) {
    const bool upper = op == ConditionOp::kLt || op == ConditionOp::kLe;
    constraint.op = op;
    constraint.value.reset();
    request.constraints = {constraint};
    EXPECT_EQ(PlanRead(request).plan.conditions.at(0).computed, upper);
    request.constraints[0].value = SqlValue::Text("t");
    EXPECT_FALSE(PlanRead(request).plan.conditions.at(0).computed);
  }
  ReadPlan plan;
  plan.conditions = {{"RowKey", ConditionOp::kLt, 1, true}};
  plan.select = {"PartitionKey", "RowKey"};
  EXPECT_EQ(EncodePlan(plan), "table scan: RowKey lt ?1*; select PartitionKey,RowKey");
  EXPECT_EQ(*DecodePlan(EncodePlan(plan)), plan);
}

}  // namespace
}  // namespace aztables
