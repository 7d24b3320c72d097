// Checks the rest of a plan: selected properties, when LIMIT and OFFSET are hints, and costs that
// let SQLite prefer the narrower read.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "plan/planner.h"

namespace aztables {
namespace {

using Kind = OfferedConstraint::Kind;

Schema MakeSchema(const std::vector<Column>& columns) {
  Schema schema;
  schema.properties = columns;
  return schema;
}

PlanRequest Request(const Schema& schema) {
  PlanRequest request;
  request.schema = &schema;
  request.used.assign(static_cast<size_t>(schema.ColumnCount()), false);
  return request;
}

std::vector<std::string> SelectOf(const Schema& schema, const std::vector<int>& used) {
  PlanRequest request = Request(schema);
  for (const int column : used) request.used[static_cast<size_t>(column)] = true;
  return PlanRead(request).plan.select;
}

using Names = std::vector<std::string>;

TEST(SelectTest, OnlyWhatIsUsedAndTheKeys) {
  const Schema schema = MakeSchema({{"a", "A", EdmType::kString}, {"b", "B", EdmType::kInt64}});
  EXPECT_EQ(SelectOf(schema, {}), (Names{"PartitionKey", "RowKey"})) << "count(*)";
  EXPECT_EQ(SelectOf(schema, {0, 1}), (Names{"PartitionKey", "RowKey"}));
  EXPECT_EQ(SelectOf(schema, {2}), (Names{"PartitionKey", "RowKey", "Timestamp"}));
  EXPECT_EQ(SelectOf(schema, {3}), (Names{"PartitionKey", "RowKey", "A"}));
  EXPECT_EQ(SelectOf(schema, {2, 4}), (Names{"PartitionKey", "RowKey", "Timestamp", "B"}));
  EXPECT_EQ(SelectOf(schema, {0, 1, 2, 3, 4}),
            (Names{"PartitionKey", "RowKey", "Timestamp", "A", "B"}));
  EXPECT_EQ(SelectOf(schema, {schema.EtagColumn()}), (Names{"PartitionKey", "RowKey"}))
      << "the ETag comes by itself";
}

TEST(SelectTest, TheWholeEntityAsksForEverything) {
  const Schema schema = MakeSchema({{"a", "A", EdmType::kString}});
  EXPECT_EQ(SelectOf(schema, {schema.EntityColumn()}), Names{});
  EXPECT_EQ(SelectOf(schema, {3, schema.EntityColumn()}), Names{});
}

TEST(SelectTest, TwoColumnsOverOnePropertyAskOnce) {
  const Schema schema = MakeSchema({{"text", "A", EdmType::kString},
                                    {"number", "A", EdmType::kInt64},
                                    {"b", "B", EdmType::kNull}});
  EXPECT_EQ(SelectOf(schema, {3, 4, 5}), (Names{"PartitionKey", "RowKey", "A", "B"}));
  EXPECT_EQ(SelectOf(schema, {4}), (Names{"PartitionKey", "RowKey", "A"}));
}

TEST(SelectTest, PropertiesThatAreNamedLikeBuiltInOnes) {
  const Schema schema = MakeSchema(
      {{"when", "Timestamp", EdmType::kDateTime}, {"pk", "PartitionKey", EdmType::kString}});
  EXPECT_EQ(SelectOf(schema, {2, 3, 4}), (Names{"PartitionKey", "RowKey", "Timestamp"}));
}

TEST(SelectTest, AllColumnsThatAnEntityCanHave) {
  std::vector<Column> columns;
  columns.reserve(252);
  for (int i = 0; i < 252; ++i) {
    columns.push_back({"c" + std::to_string(i), "P" + std::to_string(i), EdmType::kInt32});
  }
  const Schema schema = MakeSchema(columns);
  std::vector<int> all(static_cast<size_t>(schema.EtagColumn()));
  std::iota(all.begin(), all.end(), 0);
  const Names select = SelectOf(schema, all);
  ASSERT_EQ(select.size(), 255U);
  EXPECT_EQ(select[2], "Timestamp");
  EXPECT_EQ(select[3], "P0");
  EXPECT_EQ(select[254], "P251");
  EXPECT_EQ(SelectOf(schema, {254}), (Names{"PartitionKey", "RowKey", "P251"}));
}

OfferedConstraint Of(Kind kind, bool usable = true) {
  OfferedConstraint constraint;
  constraint.kind = kind;
  constraint.usable = usable;
  return constraint;
}

OfferedConstraint OnKey(int column, ConditionOp op) {
  OfferedConstraint constraint = Of(Kind::kCompare);
  constraint.column = column;
  constraint.op = op;
  return constraint;
}

std::string TextOf(std::vector<OfferedConstraint> constraints,
                   const std::vector<OrderTerm>& order_by = {}, int ranges = 1) {
  const Schema schema = MakeSchema({});
  PlanRequest request = Request(schema);
  request.ranges = ranges;
  request.constraints = std::move(constraints);
  request.order_by = order_by;
  return EncodePlan(PlanRead(request).plan);
}

TEST(RangesTest, OfReadsWithoutLimit) {
  const auto text = [](std::vector<OfferedConstraint> constraints,
                       const std::vector<OrderTerm>& order_by = {}) {
    return TextOf(std::move(constraints), order_by, 8);
  };
  EXPECT_EQ(text({}), "table scan; select PartitionKey,RowKey; in up to 8 ranges");
  EXPECT_EQ(text({OnKey(0, ConditionOp::kIn)}),
            "row range: PartitionKey in ?1; select PartitionKey,RowKey; in up to 8 ranges");
  EXPECT_EQ(text({}, {{2, true}}), "table scan; select PartitionKey,RowKey; in up to 8 ranges")
      << "SQLite sorts the rows";
  EXPECT_EQ(text({}, {{0, true}}),
            "table scan; select PartitionKey,RowKey; in reverse order; in up to 8 ranges");
  EXPECT_EQ(text({}, {{0, false}}),
            "table scan; select PartitionKey,RowKey; in order; in up to 8 ranges");
  EXPECT_EQ(text({Of(Kind::kLimit)}, {{0, false}}),
            "table scan; select PartitionKey,RowKey; in order; limit ?1");
  EXPECT_EQ(text({Of(Kind::kLimit)}), "table scan; select PartitionKey,RowKey; limit ?1");
  EXPECT_EQ(text({OnKey(0, ConditionOp::kEq), OnKey(1, ConditionOp::kIn)}),
            "point: PartitionKey eq ?1 and RowKey in ?2; select PartitionKey,RowKey");
  EXPECT_EQ(text({OnKey(-1, ConditionOp::kEq)}), "point: rowid eq ?1; select PartitionKey,RowKey");
}

TEST(LimitTest, IsTakenAfterTheKeys) {
  EXPECT_EQ(TextOf({Of(Kind::kLimit)}), "table scan; select PartitionKey,RowKey; limit ?1");
  EXPECT_EQ(TextOf({Of(Kind::kOffset), Of(Kind::kLimit), OnKey(0, ConditionOp::kEq)}),
            "row range: PartitionKey eq ?1; select PartitionKey,RowKey; limit ?2 offset ?3");
}

TEST(LimitTest, SaysNothingWhereRowsAreSorted) {
  for (const OrderTerm term : {OrderTerm{2, false}, OrderTerm{2, true}, OrderTerm{1, false}}) {
    EXPECT_EQ(TextOf({Of(Kind::kLimit), Of(Kind::kOffset)}, {term}),
              "table scan; select PartitionKey,RowKey");
  }
  EXPECT_EQ(TextOf({Of(Kind::kLimit)}, {{0, true}, {1, false}}),
            "table scan; select PartitionKey,RowKey");
}

TEST(ReverseOrderTest, OfBothKeysOrOne) {
  EXPECT_EQ(TextOf({Of(Kind::kLimit)}, {{0, true}, {1, true}}),
            "table scan; select PartitionKey,RowKey; in reverse order; limit ?1");
  EXPECT_EQ(
      TextOf({OnKey(0, ConditionOp::kEq)}, {{1, true}}),
      "row range: PartitionKey eq ?1; select PartitionKey,RowKey; in reverse order of RowKey");
  EXPECT_EQ(
      TextOf({OnKey(1, ConditionOp::kEq)}, {{1, true}, {0, true}}),
      "table scan: RowKey eq ?1; select PartitionKey,RowKey; in reverse order of PartitionKey");
}

TEST(ReverseOrderTest, OfAListOnlyWithLimit) {
  const std::vector<OrderTerm> order = {{0, true}, {1, true}};
  EXPECT_EQ(TextOf({OnKey(0, ConditionOp::kIn)}, order),
            "row range: PartitionKey in ?1; select PartitionKey,RowKey");
  EXPECT_EQ(TextOf({OnKey(0, ConditionOp::kIn), Of(Kind::kLimit, false)}, order),
            "row range: PartitionKey in ?1; select PartitionKey,RowKey");
  EXPECT_EQ(TextOf({OnKey(0, ConditionOp::kIn), Of(Kind::kLimit)}, order),
            "row range: PartitionKey in ?1; select PartitionKey,RowKey; in reverse order; "
            "limit ?2");
}

TEST(ReverseOrderTest, NotOfGroups) {
  const Schema schema = MakeSchema({});
  PlanRequest request = Request(schema);
  request.order_by = {{0, true}};
  request.grouped = true;
  EXPECT_FALSE(PlanRead(request).ordered);
  request.grouped = false;
  EXPECT_TRUE(PlanRead(request).ordered);
  request.pushdown = Pushdown::kNone;
  EXPECT_FALSE(PlanRead(request).ordered);
}

TEST(LimitTest, IsTakenWhereTheRowsComeInThatOrder) {
  EXPECT_EQ(TextOf({Of(Kind::kLimit), Of(Kind::kOffset)}, {{0, false}, {1, false}}),
            "table scan; select PartitionKey,RowKey; in order; limit ?1 offset ?2");
}

TEST(LimitTest, OffsetAloneSaysNothing) {
  EXPECT_EQ(TextOf({Of(Kind::kOffset)}), "table scan; select PartitionKey,RowKey");
  EXPECT_EQ(TextOf({Of(Kind::kLimit, false), Of(Kind::kOffset)}),
            "table scan; select PartitionKey,RowKey");
}

TEST(LimitTest, OffsetThatCannotBeUsed) {
  EXPECT_EQ(TextOf({Of(Kind::kLimit), Of(Kind::kOffset, false)}),
            "table scan; select PartitionKey,RowKey; limit ?1");
}

PlanResult Estimated(std::vector<OfferedConstraint> constraints) {
  const Schema schema = MakeSchema({});
  PlanRequest request = Request(schema);
  request.constraints = std::move(constraints);
  return PlanRead(request);
}

TEST(CostTest, TheNarrowerReadIsCheaper) {
  const auto partition = [](ConditionOp op) { return OnKey(Schema::kPartitionKey, op); };
  const auto row = [](ConditionOp op) { return OnKey(Schema::kRowKey, op); };
  const PlanResult by_price[] = {
      Estimated({partition(ConditionOp::kEq), row(ConditionOp::kEq)}),
      Estimated({partition(ConditionOp::kEq), row(ConditionOp::kGe)}),
      Estimated({partition(ConditionOp::kEq)}),
      Estimated({partition(ConditionOp::kGe)}),
      Estimated({}),
  };
  for (size_t i = 1; i < std::size(by_price); ++i) {
    EXPECT_LT(by_price[i - 1].cost, by_price[i].cost) << i;
    EXPECT_LT(by_price[i - 1].rows, by_price[i].rows) << i;
  }
  EXPECT_EQ(by_price[0].rows, 1);
  EXPECT_GE(by_price[0].cost, 1);
}

TEST(CostTest, ARowidCostsAsMuchAsAPoint) {
  const PlanResult rowid = Estimated({OnKey(-1, ConditionOp::kEq)});
  const PlanResult point = Estimated(
      {OnKey(Schema::kPartitionKey, ConditionOp::kEq), OnKey(Schema::kRowKey, ConditionOp::kEq)});
  EXPECT_EQ(rowid.cost, point.cost);
  EXPECT_EQ(rowid.rows, 1);
}

// The service reads every entity and sends a few.
TEST(CostTest, ARowKeyWithoutAPartitionIsAScanThatSendsLess) {
  const PlanResult by_row = Estimated({OnKey(Schema::kRowKey, ConditionOp::kEq)});
  EXPECT_LT(by_row.cost, Estimated({}).cost);
  EXPECT_LT(by_row.rows, Estimated({}).rows);
  EXPECT_GT(by_row.cost, Estimated({OnKey(Schema::kPartitionKey, ConditionOp::kEq)}).cost);
}

TEST(CostTest, AThousandPointsCostLessThanAScan) {
  const double point = Estimated({OnKey(Schema::kPartitionKey, ConditionOp::kEq),
                                  OnKey(Schema::kRowKey, ConditionOp::kEq)})
                           .cost;
  EXPECT_LT(1000 * point, Estimated({}).cost);
}

}  // namespace
}  // namespace aztables
