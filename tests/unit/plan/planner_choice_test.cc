// Checks the planner's special cases: bounds of LIKE, UTF-16 databases, properties of two columns,
// ambiguous names, and IS NOT NULL.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/planner.h"

namespace aztables {
namespace {

using Kind = OfferedConstraint::Kind;
using Collation = OfferedConstraint::Collation;

constexpr int kString = Schema::kFirstProperty;

OfferedConstraint Compare(int column, ConditionOp op, Collation collation = Collation::kBinary) {
  OfferedConstraint constraint;
  constraint.kind = Kind::kCompare;
  constraint.column = column;
  constraint.op = op;
  constraint.usable = true;
  constraint.collation = collation;
  return constraint;
}

Schema StringAndOthers() {
  Schema schema;
  schema.properties = {{"s", "S", EdmType::kString},
                       {"n", "N", EdmType::kInt32},
                       {"d", "D", EdmType::kDateTime},
                       {"a", "A", EdmType::kNull}};
  return schema;
}

std::string PlanText(const Schema& schema, std::vector<OfferedConstraint> constraints,
                     bool utf8 = true) {
  PlanRequest request;
  request.schema = &schema;
  request.constraints = std::move(constraints);
  request.used.assign(static_cast<size_t>(schema.ColumnCount()), false);
  request.utf8 = utf8;
  std::string text = EncodePlan(PlanRead(request).plan);
  return text.substr(0, text.find(';'));
}

std::string PlanText(std::vector<OfferedConstraint> constraints, bool utf8 = true) {
  return PlanText(StringAndOthers(), std::move(constraints), utf8);
}

OfferedConstraint Literal(int column, ConditionOp op, std::string_view text) {
  OfferedConstraint constraint = Compare(column, op, Collation::kNoCase);
  constraint.value = SqlValue::Text(text);
  return constraint;
}

// SQLite's constraints for LIKE 'Sh%'.
std::vector<OfferedConstraint> BoundsOfLike(int column) {
  return {Literal(column, ConditionOp::kGe, "SH"), Literal(column, ConditionOp::kLt, "si")};
}

TEST(LikeTest, TheBoundsThatSqliteMakesOfItAreTaken) {
  EXPECT_EQ(PlanText(BoundsOfLike(Schema::kPartitionKey)),
            "partition range: PartitionKey like ?1 to ?2");
  EXPECT_EQ(PlanText(BoundsOfLike(Schema::kRowKey)), "table scan: RowKey like ?1 to ?2");
  EXPECT_EQ(PlanText(BoundsOfLike(kString)), "table scan: S like ?1 to ?2");
  EXPECT_EQ(PlanText(BoundsOfLike(Schema::kTimestamp)), "table scan: Timestamp like ?1 to ?2");
  EXPECT_EQ(PlanText(BoundsOfLike(kString + 2)), "table scan: D like ?1 to ?2");
  EXPECT_EQ(PlanText(BoundsOfLike(kString + 1)), "table scan") << "a number";
  EXPECT_EQ(PlanText(BoundsOfLike(kString + 3)), "table scan") << "of any type";
}

TEST(LikeTest, TheFirstOfEachBoundIsTakenWhereverItStands) {
  const Schema schema = StringAndOthers();
  for (const int column : {Schema::kPartitionKey, Schema::kRowKey, kString}) {
    const auto bounds = BoundsOfLike(column);
    PlanRequest request;
    request.schema = &schema;
    request.constraints = {bounds[1], Compare(column, ConditionOp::kEq, Collation::kNoCase),
                           bounds[0], bounds[0], bounds[1]};
    request.used.assign(static_cast<size_t>(schema.ColumnCount()), false);
    const PlanResult result = PlanRead(request);
    EXPECT_EQ(result.argument_of, (std::vector<int>{2, 0, 1, 0, 0}));
    ASSERT_EQ(result.plan.conditions.size(), 1U);
    const Condition& like = result.plan.conditions[0];
    EXPECT_EQ(like.op, ConditionOp::kLike);
    EXPECT_EQ(like.argument, 1);
    EXPECT_EQ(like.end, 2);
  }
}

TEST(LikeTest, IsNotTakenWithoutBothEnds) {
  for (const int column : {Schema::kPartitionKey, Schema::kRowKey, kString}) {
    const auto all = BoundsOfLike(column);
    for (const size_t i : {size_t{0}, size_t{1}}) {
      EXPECT_EQ(PlanText({all[i]}), "table scan");
      EXPECT_EQ(PlanText({all[i], all[i]}), "table scan");
      auto other = all;
      other[i].column = kString + 2;
      EXPECT_EQ(PlanText(other), "table scan") << "the bound of another column";
      other = all;
      other[i].usable = false;
      EXPECT_EQ(PlanText(other), "table scan");
      other = all;
      other[i].kind = Kind::kOther;
      EXPECT_EQ(PlanText(other), "table scan");
      other = all;
      other[i].op = i == 0 ? ConditionOp::kGt : ConditionOp::kLe;
      EXPECT_EQ(PlanText(other), "table scan");
      other = all;
      other[i].collation = Collation::kOther;
      EXPECT_EQ(PlanText(other), "table scan");
      other[i].collation = Collation::kBinary;
      EXPECT_EQ(PlanText(other).find("like"), std::string::npos);
    }
  }
}

// A pattern's end is a literal. If the end has numeric affinity, '5b' is after every number, so >=
// '5a' and < '5b' keeps '7'.
TEST(LikeTest, AnEndThatIsNoLiteralIsNotTaken) {
  for (const int column : {Schema::kPartitionKey, Schema::kRowKey, kString}) {
    auto bounds = BoundsOfLike(column);
    bounds[1].value.reset();
    EXPECT_EQ(PlanText(bounds), "table scan");
  }
}

TEST(LikeTest, IsTakenAsFarAsThePushdownAllows) {
  const Schema schema = StringAndOthers();
  for (const Pushdown pushdown : {Pushdown::kAll, Pushdown::kKeys, Pushdown::kNone}) {
    for (const int column : {Schema::kRowKey, kString}) {
      PlanRequest request;
      request.schema = &schema;
      request.constraints = BoundsOfLike(column);
      request.used.assign(static_cast<size_t>(schema.ColumnCount()), false);
      request.pushdown = pushdown;
      const bool taken =
          pushdown == Pushdown::kAll || (pushdown == Pushdown::kKeys && column != kString);
      EXPECT_EQ(PlanRead(request).plan.conditions.size(), taken ? 1U : 0U);
    }
  }
}

TEST(LikeTest, GivesWayToAnEqualityOfAKey) {
  auto offered = BoundsOfLike(Schema::kPartitionKey);
  offered.push_back(Compare(Schema::kPartitionKey, ConditionOp::kEq));
  EXPECT_EQ(PlanText(offered), "row range: PartitionKey eq ?1");
  offered.back() = Compare(Schema::kPartitionKey, ConditionOp::kGt);
  EXPECT_EQ(PlanText(offered),
            "partition range: PartitionKey gt ?1 and PartitionKey like ?2 to ?3");
}

// BINARY is then the order of UTF-16 bytes, which depends on the machine, not the service's order.
TEST(Utf16DatabaseTest, OnlyEqualitiesOfTextsAreTaken) {
  for (const ConditionOp op : {ConditionOp::kEq, ConditionOp::kIs, ConditionOp::kIn}) {
    const std::string name(ConditionOpName(op));
    EXPECT_EQ(PlanText({Compare(Schema::kPartitionKey, op)}, false),
              "row range: PartitionKey " + name + " ?1");
    EXPECT_EQ(PlanText({Compare(kString, op)}, false), "table scan: S " + name + " ?1");
  }
  for (const ConditionOp op :
       {ConditionOp::kLt, ConditionOp::kLe, ConditionOp::kGt, ConditionOp::kGe}) {
    for (const int column : {0, 1, 2, kString, kString + 2}) {
      EXPECT_EQ(PlanText({Compare(column, op)}, false), "table scan") << column;
    }
  }
  for (const int column : {0, 1, 2, kString}) {
    EXPECT_EQ(PlanText(BoundsOfLike(column), false), "table scan") << column;
  }
  auto number = Compare(Schema::kPartitionKey, ConditionOp::kEq);
  number.value = SqlValue::Integer(5);
  EXPECT_EQ(PlanText({number}, false), "row range: PartitionKey eq ?1")
      << "texts that look like numbers are together in either order";
}

TEST(AmbiguousTest, APropertyThatTwoColumnsShowIsNotSent) {
  Schema schema = StringAndOthers();
  schema.properties.push_back({"same", "S", EdmType::kInt64});
  EXPECT_EQ(PlanText(schema, {Compare(kString, ConditionOp::kEq)}), "table scan");
  EXPECT_EQ(PlanText(schema, {Compare(kString + 4, ConditionOp::kEq)}), "table scan");
  EXPECT_EQ(PlanText(schema, BoundsOfLike(kString)), "table scan");
  EXPECT_EQ(PlanText(schema, {Compare(kString + 1, ConditionOp::kEq)}), "table scan: N eq ?1");
}

TEST(AmbiguousTest, NamesThatReadLikeSomethingElseAreNotSent) {
  for (const char* name : {"rowid", "and", "or", "not", "true", "false", "null", "NaN", "INF"}) {
    Schema schema;
    schema.properties = {{"column", name, EdmType::kInt64}};
    EXPECT_EQ(PlanText(schema, {Compare(kString, ConditionOp::kEq)}), "table scan") << name;
  }
  for (const char* name : {"Rowid", "in", "like", "is", "eq", "select", "limit", "_"}) {
    Schema schema;
    schema.properties = {{"column", name, EdmType::kInt64}};
    const std::string text = PlanText(schema, {Compare(kString, ConditionOp::kEq)});
    EXPECT_EQ(text, std::string("table scan: ") + name + " eq ?1");
    const auto plan = DecodePlan(text + "; select *");
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(plan->conditions.at(0).property, name);
  }
}

TEST(NotNullTest, IsTakenOfTypesThatHaveComparisonsForAllValues) {
  const auto of = [](int column) { return PlanText({Compare(column, ConditionOp::kNotNull)}); };
  EXPECT_EQ(of(kString), "table scan: S not null");
  EXPECT_EQ(of(kString + 1), "table scan: N not null");
  EXPECT_EQ(of(kString + 2), "table scan: D not null");
  EXPECT_EQ(of(kString + 3), "table scan") << "of any type";
  const int etag = kString + 4;
  for (const int column :
       {-1, Schema::kPartitionKey, Schema::kRowKey, Schema::kTimestamp, etag, etag + 1}) {
    EXPECT_EQ(of(column), "table scan") << column;
  }
  Schema schema = StringAndOthers();
  schema.properties = {{"g", "G", EdmType::kGuid},     {"x", "X", EdmType::kBinary},
                       {"t", "T", EdmType::kString},   {"u", "T", EdmType::kString},
                       {"n", "not", EdmType::kString}, {"b", "B", EdmType::kBoolean}};
  std::vector<OfferedConstraint> all;
  all.reserve(6);
  for (int i = 0; i < 6; ++i) all.push_back(Compare(kString + i, ConditionOp::kNotNull));
  EXPECT_EQ(PlanText(schema, all), "table scan: B not null");
}

TEST(NotNullTest, SaysNothingBesideAComparisonAndComesLast) {
  EXPECT_EQ(
      PlanText({Compare(kString, ConditionOp::kNotNull),
                Compare(kString + 1, ConditionOp::kNotNull), Compare(kString, ConditionOp::kGe)}),
      "table scan: S ge ?1 and N not null");
  const auto both = Compare(kString, ConditionOp::kNotNull);
  EXPECT_EQ(PlanText({both, both}), "table scan: S not null");
  auto unusable = both;
  unusable.usable = false;
  EXPECT_EQ(PlanText({unusable}), "table scan");
}

TEST(PropertiesTest, AreTakenBesideTheKeys) {
  EXPECT_EQ(
      PlanText({Compare(kString, ConditionOp::kGe), Compare(Schema::kRowKey, ConditionOp::kEq),
                Compare(Schema::kPartitionKey, ConditionOp::kEq),
                Compare(kString + 1, ConditionOp::kGt), Compare(kString, ConditionOp::kLt)}),
      "point: PartitionKey eq ?1 and RowKey eq ?2 and S ge ?3 and N gt ?4 and S lt ?5*");
}

TEST(PropertiesTest, ARowidLeavesThemOut) {
  EXPECT_EQ(PlanText({Compare(kString, ConditionOp::kEq), Compare(-1, ConditionOp::kEq)}),
            "point: rowid eq ?1");
}

}  // namespace
}  // namespace aztables
