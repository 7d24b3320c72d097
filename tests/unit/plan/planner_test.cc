// Checks which of SQLite's constraints the planner accepts: the table of operators, columns,
// collations and types, lists, LIKE, UTF-16 databases, ambiguous names, and their number.
#include "plan/planner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/strict_comparison.h"

namespace aztables {
namespace {

using Kind = OfferedConstraint::Kind;
using Collation = OfferedConstraint::Collation;
using Type = SqlValue::Type;

// kLike consists of two constraints.
constexpr ConditionOp kOps[] = {ConditionOp::kEq, ConditionOp::kLt, ConditionOp::kLe,
                                ConditionOp::kGt, ConditionOp::kGe, ConditionOp::kIs,
                                ConditionOp::kIn};
constexpr EdmType kTypes[] = {EdmType::kNull,     EdmType::kString, EdmType::kInt32,
                              EdmType::kInt64,    EdmType::kDouble, EdmType::kBoolean,
                              EdmType::kDateTime, EdmType::kGuid,   EdmType::kBinary};
constexpr int kRowid = -1;

bool IsBound(ConditionOp op) { return op >= ConditionOp::kLt && op <= ConditionOp::kGe; }

OfferedConstraint Compare(int column, ConditionOp op) {
  OfferedConstraint constraint;
  constraint.kind = Kind::kCompare;
  constraint.column = column;
  constraint.op = op;
  constraint.usable = true;
  return constraint;
}

OfferedConstraint NoCase(int column, ConditionOp op) {
  OfferedConstraint constraint = Compare(column, op);
  constraint.collation = Collation::kNoCase;
  return constraint;
}

// A column of every type, in order.
Schema EveryType() {
  Schema schema;
  for (const EdmType type : kTypes) {
    const std::string name(ColumnTypeName(type));
    schema.properties.push_back({name, name, type});
  }
  return schema;
}

PlanRequest RequestOf(const Schema& schema, std::vector<OfferedConstraint> constraints) {
  PlanRequest request;
  request.schema = &schema;
  request.constraints = std::move(constraints);
  request.used.assign(static_cast<size_t>(schema.ColumnCount()), false);
  return request;
}

PlanResult Plan(std::vector<OfferedConstraint> constraints, Pushdown pushdown = Pushdown::kAll) {
  static const Schema schema = EveryType();
  PlanRequest request = RequestOf(schema, std::move(constraints));
  request.pushdown = pushdown;
  return PlanRead(request);
}

SqlValue ValueOf(Type type) {
  switch (type) {
    case Type::kInteger:
      return SqlValue::Integer(5);
    case Type::kReal:
      return SqlValue::Real(5.5);
    case Type::kText:
      return SqlValue::Text("t");
    case Type::kBlob:
      return SqlValue::Blob("b");
    case Type::kNull:
      break;
  }
  return SqlValue::Null();
}

// Whether a property's constraint is accepted: the type must support the operator and the value, if
// it is known.
bool PropertyIsTaken(EdmType type, ConditionOp op, const std::optional<Type>& value) {
  const bool number = type >= EdmType::kInt32 && type <= EdmType::kDouble;
  const bool text = type == EdmType::kString || type == EdmType::kDateTime;
  if (op == ConditionOp::kIn) return true;
  const bool upper = op == ConditionOp::kLt || op == ConditionOp::kLe;
  const bool any = type == EdmType::kNull;
  if (IsBound(op) && !number && !text && !(any && upper)) return false;
  if (!value) return true;
  if (value == Type::kNull) return op != ConditionOp::kIs;  // true for no entity, as others below
  if (number || type == EdmType::kBoolean) {
    return value == Type::kInteger || value == Type::kReal || !upper;
  }
  if (type == EdmType::kBinary) return value == Type::kBlob;
  if (type == EdmType::kString) return value == Type::kText || (value == Type::kBlob && !upper);
  if (any) return !upper || value == Type::kInteger || value == Type::kReal;
  if (type == EdmType::kDateTime) return value == Type::kText && !IsBound(op);
  return value == Type::kText;  // 't' is neither a date nor a GUID
}

// Whether xFilter checks a comparison that is not sent. A literal is checked before. SQLite shows
// the literal 5.0 as 5, so integers of keys are checked again.
bool IsChecked(const Schema& schema, int column, const std::optional<Type>& value) {
  const Column* const property = schema.PropertyAt(column);
  if (column == Schema::kPartitionKey || column == Schema::kRowKey) {
    return !value || value == Type::kInteger;
  }
  const EdmType type = property ? property->type : EdmType::kNull;
  return !value && (column == Schema::kTimestamp || type == EdmType::kDateTime ||
                    type == EdmType::kGuid || type == EdmType::kBoolean);
}

TEST(PlannerTest, TheTableOfWhatIsSent) {
  const std::optional<Type> values[] = {std::nullopt, Type::kNull, Type::kInteger,
                                        Type::kReal,  Type::kText, Type::kBlob};
  const Schema schema = EveryType();
  int keys = 0;
  int properties = 0;
  int checks = 0;
  for (int column = kRowid; column < schema.ColumnCount(); ++column) {
    for (const ConditionOp op : kOps) {
      for (const bool usable : {false, true}) {
        for (const Collation collation :
             {Collation::kBinary, Collation::kNoCase, Collation::kOther}) {
          for (const auto& value : values) {
            for (const Pushdown pushdown : {Pushdown::kAll, Pushdown::kKeys, Pushdown::kNone}) {
              OfferedConstraint offered = Compare(column, op);
              offered.usable = usable;
              offered.collation = collation;
              if (value) offered.value = ValueOf(*value);
              const PlanResult result = Plan({offered}, pushdown);
              const bool binary = collation == Collation::kBinary;
              const bool key = column == Schema::kPartitionKey || column == Schema::kRowKey;
              bool taken = usable && binary;
              if (column == kRowid) {
                taken = usable && (op == ConditionOp::kEq || op == ConditionOp::kIn);
              } else if (key) {
                taken =
                    taken && pushdown != Pushdown::kNone && (value != Type::kReal || !IsBound(op));
                keys += taken ? 1 : 0;
              } else {
                const Column* const property = schema.PropertyAt(column);
                const EdmType type = property ? property->type : EdmType::kDateTime;
                taken = taken && pushdown == Pushdown::kAll && column < schema.EtagColumn() &&
                        PropertyIsTaken(type, op, value);
                properties += taken ? 1 : 0;
              }
              const bool checked = usable && binary && !taken && IsChecked(schema, column, value);
              checks += checked ? 1 : 0;
              ASSERT_EQ(result.plan.checked.size(), checked ? 1U : 0U);
              ASSERT_EQ(result.argument_of, std::vector<int>{taken || checked ? 1 : 0})
                  << column << " " << ConditionOpName(op) << " usable " << usable << " binary "
                  << binary << " value " << (value ? static_cast<int>(*value) : -1);
              ASSERT_EQ(result.plan.rowid_argument, column == kRowid && taken ? 1 : 0);
              ASSERT_EQ(result.plan.conditions.size(), column != kRowid && taken ? 1U : 0U)
                  << column << " " << ConditionOpName(op);
              if (column == kRowid || !taken) continue;
              const bool upper = op == ConditionOp::kLt || op == ConditionOp::kLe;
              const Condition wanted{std::string(schema.RemoteName(column)), op, 1,
                                     upper && !value};
              ASSERT_EQ(result.plan.conditions[0], wanted);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(checks, 60);
  EXPECT_EQ(keys, 2 * 2 * (3 * 6 + 4 * 5)) << "keys, pushdown, operators, values";
  EXPECT_GT(properties, 140);
}

TEST(PlannerTest, OtherConstraintsAreNotSent) {
  for (const int column : {kRowid, 0, 1, 2, 3, 4}) {
    OfferedConstraint other = Compare(column, ConditionOp::kEq);
    other.kind = Kind::kOther;
    const PlanResult result = Plan({other});
    EXPECT_EQ(result.argument_of, std::vector<int>{0});
    EXPECT_EQ(EncodePlan(result.plan), "table scan; select PartitionKey,RowKey");
  }
}

TEST(PlannerTest, AnEqualityIsPreferredToRanges) {
  const PlanResult result = Plan(
      {Compare(Schema::kRowKey, ConditionOp::kGe), Compare(Schema::kPartitionKey, ConditionOp::kLt),
       Compare(Schema::kRowKey, ConditionOp::kEq), Compare(Schema::kPartitionKey, ConditionOp::kEq),
       Compare(Schema::kPartitionKey, ConditionOp::kEq)});
  EXPECT_EQ(result.argument_of, (std::vector<int>{3, 4, 2, 1, 5}));
  EXPECT_EQ(EncodePlan(result.plan),
            "point: PartitionKey eq ?1 and RowKey eq ?2; check RowKey ge ?3 and PartitionKey lt ?4 "
            "and PartitionKey eq ?5; select PartitionKey,RowKey");
}

TEST(PlannerTest, OneValueIsPreferredToAList) {
  const PlanResult result = Plan({Compare(Schema::kPartitionKey, ConditionOp::kIn),
                                  Compare(Schema::kPartitionKey, ConditionOp::kIs),
                                  Compare(Schema::kRowKey, ConditionOp::kGt),
                                  Compare(Schema::kRowKey, ConditionOp::kIn)});
  EXPECT_EQ(result.argument_of, (std::vector<int>{3, 1, 4, 2}));
  EXPECT_EQ(
      EncodePlan(result.plan),
      "point: PartitionKey is ?1 and RowKey in ?2; check PartitionKey in ?3 and RowKey gt ?4; "
      "select PartitionKey,RowKey");
}

TEST(PlannerTest, AnEqualityThatCannotBeSentLeavesTheRanges) {
  const PlanResult result =
      Plan({NoCase(Schema::kRowKey, ConditionOp::kEq), Compare(Schema::kRowKey, ConditionOp::kGe),
            Compare(Schema::kPartitionKey, ConditionOp::kEq),
            Compare(Schema::kRowKey, ConditionOp::kLt)});
  EXPECT_EQ(result.argument_of, (std::vector<int>{0, 2, 1, 3}));
  EXPECT_EQ(EncodePlan(result.plan),
            "row range: PartitionKey eq ?1 and RowKey ge ?2 and RowKey lt ?3*; "
            "select PartitionKey,RowKey");
}

TEST(PlannerTest, AFilterStaysBelowFifteenComparisons) {
  std::vector<OfferedConstraint> constraints;
  for (int i = 0; i < 20; ++i) {
    constraints.push_back(
        Compare(Schema::kRowKey, i % 2 == 0 ? ConditionOp::kGe : ConditionOp::kLt));
    constraints.push_back(Compare(Schema::kPartitionKey, ConditionOp::kGt));
    constraints.push_back(Compare(Schema::kFirstProperty + 1, ConditionOp::kGt));
  }
  const PlanResult result = Plan(constraints);
  EXPECT_EQ(result.plan.conditions.size(), 12U);
  // The comparisons of keys that are not sent are checked: 10 and 10 ranges of RowKey, 20 of
  // PartitionKey.
  const size_t checked = result.plan.checked.size();
  EXPECT_EQ(checked, 40U - 12U);
  // Argument numbers have no gaps or duplicates.
  std::vector<bool> given(12 + checked + 1);
  for (const int argument : result.argument_of) {
    ASSERT_LT(argument, static_cast<int>(given.size()));
    if (argument == 0) continue;
    EXPECT_FALSE(given[static_cast<size_t>(argument)]);
    given[static_cast<size_t>(argument)] = true;
  }
  for (size_t i = 1; i < given.size(); ++i) EXPECT_TRUE(given[i]) << i;
  // Each condition matches the constraint with its argument number.
  for (const Condition& condition : result.plan.conditions) {
    bool found = false;
    for (size_t i = 0; i < constraints.size(); ++i) {
      if (result.argument_of[i] != condition.argument) continue;
      found = true;
      EXPECT_EQ(constraints[i].op, condition.op);
      EXPECT_EQ(constraints[i].column == Schema::kRowKey, condition.property == kRowKeyName);
    }
    EXPECT_TRUE(found);
  }
}

TEST(PlannerTest, ARowidAnswersAlone) {
  const PlanResult result =
      Plan({Compare(Schema::kPartitionKey, ConditionOp::kEq), Compare(kRowid, ConditionOp::kGt),
            Compare(kRowid, ConditionOp::kEq), Compare(kRowid, ConditionOp::kEq)});
  EXPECT_EQ(result.argument_of, (std::vector<int>{2, 0, 1, 0}));
  EXPECT_EQ(EncodePlan(result.plan),
            "point: rowid eq ?1; check PartitionKey eq ?2; select PartitionKey,RowKey");
}

TEST(PlannerTest, WithoutPushdownNothingButTheRowidIsTaken) {
  const PlanResult keys = Plan({Compare(Schema::kPartitionKey, ConditionOp::kEq)}, Pushdown::kNone);
  EXPECT_EQ(EncodePlan(keys.plan),
            "table scan; check PartitionKey eq ?1; select PartitionKey,RowKey");
  const PlanResult rowid = Plan({Compare(kRowid, ConditionOp::kEq)}, Pushdown::kNone);
  EXPECT_EQ(EncodePlan(rowid.plan), "point: rowid eq ?1; select PartitionKey,RowKey");
}

}  // namespace
}  // namespace aztables
