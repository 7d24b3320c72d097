// Checks which of the constraints that SQLite offers are sent: the whole table of key x operator x
// usable x collation x type of the value, which of several constraints wins, and what is left out.
#include "aztables/plan/planner.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace aztables {
namespace {

using Kind = OfferedConstraint::Kind;
using Type = SqlValue::Type;

constexpr CompareOp kOps[] = {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt,
                              CompareOp::kGe};
constexpr int kRowid = -1;

Schema OneProperty() {
  Schema schema;
  schema.properties.push_back({"A", "A", EdmType::kString});
  return schema;
}

OfferedConstraint Compare(int column, CompareOp op) {
  OfferedConstraint constraint;
  constraint.kind = Kind::kCompare;
  constraint.column = column;
  constraint.op = op;
  constraint.usable = true;
  return constraint;
}

PlanResult Plan(std::vector<OfferedConstraint> constraints, Pushdown pushdown = Pushdown::kAll) {
  static const Schema schema = OneProperty();
  PlanRequest request;
  request.schema = &schema;
  request.constraints = std::move(constraints);
  request.used.assign(static_cast<size_t>(schema.ColumnCount()), false);
  request.pushdown = pushdown;
  return PlanRead(request);
}

TEST(PlannerTest, TheTableOfWhatIsSent) {
  const std::optional<Type> types[] = {std::nullopt, Type::kNull, Type::kInteger,
                                       Type::kReal,  Type::kText, Type::kBlob};
  const Schema schema = OneProperty();
  int taken = 0;
  for (int column = kRowid; column < schema.ColumnCount(); ++column) {
    for (const CompareOp op : kOps) {
      for (const bool usable : {false, true}) {
        for (const bool binary : {false, true}) {
          for (const auto& type : types) {
            for (const Pushdown pushdown : {Pushdown::kAll, Pushdown::kKeys, Pushdown::kNone}) {
              OfferedConstraint offered = Compare(column, op);
              offered.usable = usable;
              offered.binary = binary;
              offered.value_type = type;
              const PlanResult result = Plan({offered}, pushdown);
              const bool number = type == Type::kInteger || type == Type::kReal;
              const bool key = column == Schema::kPartitionKey || column == Schema::kRowKey;
              const bool by_key = key && usable && binary && !number && pushdown != Pushdown::kNone;
              const bool by_rowid = column == kRowid && usable && op == CompareOp::kEq;
              ASSERT_EQ(result.argument_of, std::vector<int>{by_key || by_rowid ? 1 : 0})
                  << column << " " << OpName(op) << " usable " << usable << " binary " << binary;
              ASSERT_EQ(result.plan.rowid_argument, by_rowid ? 1 : 0);
              ASSERT_EQ(result.plan.conditions.size(), by_key ? 1U : 0U);
              if (!by_key) continue;
              ++taken;
              const Key name = column == Schema::kRowKey ? Key::kRowKey : Key::kPartitionKey;
              const bool upper = op == CompareOp::kLt || op == CompareOp::kLe;
              const KeyCondition wanted{name, op, 1, upper && !type};
              ASSERT_TRUE(result.plan.conditions[0] == wanted);
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(taken, 2 * 5 * 4 * 2) << "keys, operators, types that are no numbers, pushdown";
}

TEST(PlannerTest, OtherConstraintsAreNotSent) {
  for (const int column : {kRowid, 0, 1, 2, 3}) {
    OfferedConstraint other = Compare(column, CompareOp::kEq);
    other.kind = Kind::kOther;
    const PlanResult result = Plan({other});
    EXPECT_EQ(result.argument_of, std::vector<int>{0});
    EXPECT_EQ(EncodePlan(result.plan), "table scan; select PartitionKey,RowKey");
  }
}

TEST(PlannerTest, AnEqualityIsPreferredToRanges) {
  const PlanResult result = Plan(
      {Compare(Schema::kRowKey, CompareOp::kGe), Compare(Schema::kPartitionKey, CompareOp::kLt),
       Compare(Schema::kRowKey, CompareOp::kEq), Compare(Schema::kPartitionKey, CompareOp::kEq),
       Compare(Schema::kPartitionKey, CompareOp::kEq)});
  EXPECT_EQ(result.argument_of, (std::vector<int>{0, 0, 2, 1, 0}));
  EXPECT_EQ(EncodePlan(result.plan),
            "point: PartitionKey eq ?1 and RowKey eq ?2; select PartitionKey,RowKey");
}

TEST(PlannerTest, AnEqualityThatCannotBeSentLeavesTheRanges) {
  OfferedConstraint nocase = Compare(Schema::kRowKey, CompareOp::kEq);
  nocase.binary = false;
  const PlanResult result = Plan({nocase, Compare(Schema::kRowKey, CompareOp::kGe),
                                  Compare(Schema::kPartitionKey, CompareOp::kEq),
                                  Compare(Schema::kRowKey, CompareOp::kLt)});
  EXPECT_EQ(result.argument_of, (std::vector<int>{0, 2, 1, 3}));
  EXPECT_EQ(EncodePlan(result.plan),
            "row range: PartitionKey eq ?1 and RowKey ge ?2 and RowKey lt ?3*; "
            "select PartitionKey,RowKey");
}

TEST(PlannerTest, AFilterStaysBelowFifteenComparisons) {
  std::vector<OfferedConstraint> constraints;
  for (int i = 0; i < 20; ++i) {
    constraints.push_back(Compare(Schema::kRowKey, i % 2 == 0 ? CompareOp::kGe : CompareOp::kLt));
    constraints.push_back(Compare(Schema::kPartitionKey, CompareOp::kGt));
  }
  const PlanResult result = Plan(constraints);
  EXPECT_EQ(result.plan.conditions.size(), 12U);
  // Arguments are numbered without a gap, each given once.
  std::vector<bool> given(13);
  for (const int argument : result.argument_of) {
    ASSERT_LE(argument, 12);
    if (argument == 0) continue;
    EXPECT_FALSE(given[static_cast<size_t>(argument)]);
    given[static_cast<size_t>(argument)] = true;
  }
  for (size_t i = 1; i < given.size(); ++i) EXPECT_TRUE(given[i]) << i;
  // Each condition is asked for what SQLite offered under its argument.
  for (const KeyCondition& condition : result.plan.conditions) {
    bool found = false;
    for (size_t i = 0; i < constraints.size(); ++i) {
      if (result.argument_of[i] != condition.argument) continue;
      found = true;
      EXPECT_EQ(constraints[i].op, condition.op);
      EXPECT_EQ(constraints[i].column == Schema::kRowKey, condition.key == Key::kRowKey);
    }
    EXPECT_TRUE(found);
  }
}

TEST(PlannerTest, ARowidAnswersAlone) {
  const PlanResult result =
      Plan({Compare(Schema::kPartitionKey, CompareOp::kEq), Compare(kRowid, CompareOp::kGt),
            Compare(kRowid, CompareOp::kEq), Compare(kRowid, CompareOp::kEq)});
  EXPECT_EQ(result.argument_of, (std::vector<int>{0, 0, 1, 0}));
  EXPECT_EQ(EncodePlan(result.plan), "point: rowid eq ?1; select PartitionKey,RowKey");
}

TEST(PlannerTest, WithoutPushdownNothingButTheRowidIsTaken) {
  const PlanResult keys = Plan({Compare(Schema::kPartitionKey, CompareOp::kEq)}, Pushdown::kNone);
  EXPECT_EQ(EncodePlan(keys.plan), "table scan; select PartitionKey,RowKey");
  const PlanResult rowid = Plan({Compare(kRowid, CompareOp::kEq)}, Pushdown::kNone);
  EXPECT_EQ(EncodePlan(rowid.plan), "point: rowid eq ?1; select PartitionKey,RowKey");
}

}  // namespace
}  // namespace aztables
