// Checks plans with known values: NULL, BLOBs and numbers under SQLite's comparison rules, texts
// that cannot be keys, and the bounds that are sent.
#include "plan/bound_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/key.h"

namespace aztables {
namespace {

constexpr ConditionOp kOps[] = {ConditionOp::kEq, ConditionOp::kLt, ConditionOp::kLe,
                                ConditionOp::kGt, ConditionOp::kGe, ConditionOp::kIs};

// A condition and its value.
struct Bound {
  std::string_view key;
  ConditionOp op;
  SqlValue value;
  std::optional<SqlValue> end = std::nullopt;  // for kLike
};
Bound Partition(ConditionOp op, SqlValue value) { return {kPartitionKeyName, op, value}; }
Bound Row(ConditionOp op, SqlValue value) { return {kRowKeyName, op, value}; }
SqlValue Text(std::string_view text) { return SqlValue::Text(text); }

BoundPlan Bind(const std::vector<Bound>& bounds) {
  ReadPlan plan;
  std::vector<ReadArgument> values;
  for (const Bound& bound : bounds) {
    values.emplace_back(bound.value);
    plan.conditions.push_back({std::string(bound.key), bound.op, static_cast<int>(values.size())});
    if (!bound.end) continue;
    values.emplace_back(*bound.end);
    plan.conditions.back().end = static_cast<int>(values.size());
  }
  return BindRead(plan, values, {});
}

// The only query of the plan.
EntityQuery Query(const BoundPlan& read) {
  EXPECT_FALSE(read.empty);
  EXPECT_EQ(read.size(), 1U);
  return read.At(0);
}
std::string FilterOf(const BoundPlan& read) {
  const EntityQuery query = Query(read);
  return FilterText(query.filter, query.clauses);
}

TEST(BoundPlanTest, Point) {
  const BoundPlan read =
      Bind({Row(ConditionOp::kEq, Text("r'1")), Partition(ConditionOp::kEq, Text("p"))});
  EXPECT_FALSE(read.empty);
  EXPECT_EQ(read.kind, ReadKind::kPoint);
  const EntityQuery query = Query(read);
  EXPECT_EQ(query.kind, "point");
  ASSERT_TRUE(query.point);
  EXPECT_EQ(query.point->first, "p");
  EXPECT_EQ(query.point->second, "r'1");
  EXPECT_TRUE(query.filter.empty());
  EXPECT_TRUE(read.rowids.empty());
}

// U+FFFD represents lone surrogates, which no request can contain: several keys may be meant.
TEST(BoundPlanTest, ATextThatStandsForOthersIsARange) {
  const Condition partition = {"PartitionKey", ConditionOp::kEq, 1};
  const std::string text = "pa\xEF\xBF\xBDz";
  const BoundPlan both =
      Bind({Partition(ConditionOp::kEq, Text(text)), Row(ConditionOp::kEq, Text(text))});
  EXPECT_EQ(FilterOf(both),
            "PartitionKey ge 'pa' and PartitionKey lt 'pb' and RowKey ge 'pa' and RowKey lt 'pb'");
  EXPECT_EQ(both.kind, ReadKind::kPartitionRange);
  EXPECT_EQ(
      FilterOf(Bind({Partition(ConditionOp::kEq, Text("p")), Row(ConditionOp::kIs, Text(text))})),
      "PartitionKey eq 'p' and RowKey ge 'pa' and RowKey lt 'pb'");
  EXPECT_TRUE(Query(Bind({Partition(ConditionOp::kEq, Text("p\xEF\xBF\xBC")),
                          Row(ConditionOp::kEq, Text("\xF0\x9F\x98\x80"))}))
                  .point)
      << "nothing else shows as these";
  for (const auto order : {ReadOrder::kKeys, ReadOrder::kRows}) {
    ReadPlan plan;
    plan.conditions = {partition};
    plan.order = order;
    EXPECT_EQ(BindRead(plan, {ReadArgument(Text(text))}, {}, {}).unordered,
              order == ReadOrder::kRows);
    EXPECT_FALSE(BindRead(plan, {ReadArgument(Text("p"))}, {}, {}).unordered);
  }
}

TEST(BoundPlanTest, EmptyTextsAreKeys) {
  const BoundPlan read =
      Bind({Partition(ConditionOp::kEq, Text("")), Row(ConditionOp::kEq, Text(""))});
  const EntityQuery query = Query(read);
  ASSERT_TRUE(query.point);
  EXPECT_EQ(*query.point, (std::pair<std::string, std::string>("", "")));
}

TEST(BoundPlanTest, FiltersAndKinds) {
  struct Case {
    std::vector<Bound> bounds;
    ReadKind kind;
    const char* filter;
  };
  const Case cases[] = {
      {{}, ReadKind::kTableScan, ""},
      {{Partition(ConditionOp::kEq, Text("p"))}, ReadKind::kRowRange, "PartitionKey eq 'p'"},
      {{Row(ConditionOp::kGe, Text("a")), Partition(ConditionOp::kEq, Text("O'B")),
        Row(ConditionOp::kLt, Text("b"))},
       ReadKind::kRowRange,
       "PartitionKey eq 'O''B' and RowKey ge 'a' and RowKey lt 'b'"},
      {{Partition(ConditionOp::kGt, Text("p")), Row(ConditionOp::kEq, Text("r"))},
       ReadKind::kPartitionRange,
       "PartitionKey gt 'p' and RowKey eq 'r'"},
      {{Row(ConditionOp::kLe, Text(""))}, ReadKind::kTableScan, "RowKey le ''"},
      {{Row(ConditionOp::kEq, Text("r"))}, ReadKind::kTableScan, "RowKey eq 'r'"},
  };
  for (const Case& c : cases) {
    const BoundPlan read = Bind(c.bounds);
    EXPECT_FALSE(read.empty);
    EXPECT_FALSE(Query(read).point);
    EXPECT_EQ(FilterOf(read), c.filter);
    EXPECT_EQ(read.kind, c.kind) << c.filter;
    EXPECT_EQ(Query(read).kind, ReadKindName(c.kind)) << c.filter;
  }
}

TEST(BoundPlanTest, NothingIsEqualToNullOrAboveIt) {
  for (const ConditionOp op : kOps) {
    EXPECT_TRUE(Bind({Partition(op, SqlValue::Null())}).empty) << ConditionOpName(op);
    EXPECT_TRUE(Bind({Partition(ConditionOp::kEq, Text("p")), Row(op, SqlValue::Null())}).empty);
  }
}

TEST(BoundPlanTest, EveryTextSortsBeforeEveryBlob) {
  for (const std::string_view bytes : {"", "p", "\xFF"}) {
    for (const ConditionOp op : kOps) {
      const BoundPlan read = Bind({Partition(op, SqlValue::Blob(bytes))});
      const bool true_for_all = op == ConditionOp::kLt || op == ConditionOp::kLe;
      EXPECT_EQ(read.empty, !true_for_all) << ConditionOpName(op);
      EXPECT_TRUE(read.query.filter.empty()) << ConditionOpName(op);
      EXPECT_EQ(read.kind, ReadKind::kTableScan);
    }
  }
}

TEST(BoundPlanTest, RangesWithNumbersAreNotSent) {
  for (const SqlValue number : {SqlValue::Integer(5), SqlValue::Real(5.5), SqlValue::Integer(-1)}) {
    for (const ConditionOp op :
         {ConditionOp::kLt, ConditionOp::kLe, ConditionOp::kGt, ConditionOp::kGe}) {
      const BoundPlan read = Bind({Partition(ConditionOp::kEq, Text("p")), Row(op, number)});
      EXPECT_EQ(read.kind, ReadKind::kRowRange);
      EXPECT_EQ(FilterOf(read), "PartitionKey eq 'p'") << ConditionOpName(op);
      EXPECT_EQ(Bind({Partition(op, number)}).kind, ReadKind::kTableScan);
      EXPECT_EQ(FilterOf(Bind({Partition(op, number)})), "");
    }
  }
}

// SQLite may compare it as a number, with every text that it converts to one.
TEST(BoundPlanTest, ANumberEqualToAKeyIsTheRangeOfWhatLooksLikeNumbers) {
  for (const SqlValue number : {SqlValue::Integer(5), SqlValue::Real(5.5), SqlValue::Integer(-1)}) {
    for (const ConditionOp op : {ConditionOp::kEq, ConditionOp::kIs}) {
      const BoundPlan rows = Bind({Partition(ConditionOp::kEq, Text("p")), Row(op, number)});
      EXPECT_EQ(rows.kind, ReadKind::kRowRange);
      EXPECT_EQ(FilterOf(rows), "PartitionKey eq 'p' and RowKey ge ' ' and RowKey lt ':'");
      const BoundPlan partitions = Bind({Partition(op, number)});
      EXPECT_EQ(partitions.kind, ReadKind::kTableScan) << "it does not limit the read";
      EXPECT_EQ(FilterOf(partitions), "PartitionKey ge ' ' and PartitionKey lt ':'");
      const BoundPlan both = Bind({Partition(op, number), Row(op, number)});
      EXPECT_EQ(both.kind, ReadKind::kTableScan);
    }
  }
}

TEST(BoundPlanTest, OfSeveralBoundsTheNarrowestIsSent) {
  const auto row = [](ConditionOp op, std::string_view text) { return Row(op, Text(text)); };
  constexpr auto kGe = ConditionOp::kGe;
  constexpr auto kGt = ConditionOp::kGt;
  constexpr auto kLe = ConditionOp::kLe;
  constexpr auto kLt = ConditionOp::kLt;
  EXPECT_EQ(FilterOf(Bind({row(kGe, "b"), row(kGe, "c"), row(kGt, "a")})), "RowKey ge 'c'");
  EXPECT_EQ(FilterOf(Bind({row(kLt, "c"), row(kLe, "b"), row(kLt, "d")})), "RowKey le 'b'");
  EXPECT_EQ(FilterOf(Bind({row(kGe, "b"), row(kGt, "b")})), "RowKey gt 'b'");
  EXPECT_EQ(FilterOf(Bind({row(kGt, "b"), row(kGe, "b")})), "RowKey gt 'b'");
  EXPECT_EQ(FilterOf(Bind({row(kLe, "b"), row(kLt, "b")})), "RowKey lt 'b'");
  EXPECT_EQ(FilterOf(Bind({row(kLt, "b"), row(kLe, "b")})), "RowKey lt 'b'");
  EXPECT_EQ(FilterOf(Bind({row(kLt, "z"), row(kGt, "x"), row(kLe, "y"), row(kGe, "w")})),
            "RowKey gt 'x' and RowKey le 'y'");
}

// All keys but '' are above ''.
TEST(BoundPlanTest, ABoundThatLeavesOutTheEmptyKeyAloneLimitsNothing) {
  EXPECT_EQ(Bind({Partition(ConditionOp::kGt, Text(""))}).kind, ReadKind::kTableScan);
  EXPECT_EQ(Bind({Partition(ConditionOp::kGe, Text(""))}).kind, ReadKind::kTableScan);
  EXPECT_EQ(Bind({Partition(ConditionOp::kGt, Text(" "))}).kind, ReadKind::kPartitionRange);
  EXPECT_EQ(Bind({Partition(ConditionOp::kLe, Text(""))}).kind, ReadKind::kPartitionRange);
}

TEST(BoundPlanTest, LikeIsTheRangeOfItsBeginningInAnyCase) {
  const auto filter_of = [](SqlValue low, SqlValue end) {
    return FilterOf(Bind({{kRowKeyName, ConditionOp::kLike, low, end}}));
  };
  EXPECT_EQ(filter_of(Text("SH"), Text("si")),
            "RowKey ge 'SH' and RowKey lt 'si' and ((RowKey ge 'SH' and RowKey lt 'Si') or (RowKey "
            "ge 'sH' "
            "and RowKey lt 'si'))");
  EXPECT_EQ(
      filter_of(Text("A"), Text("b")),
      "RowKey ge 'A' and RowKey lt 'b' and ((RowKey ge 'A' and RowKey lt 'B') or (RowKey ge 'a' "
      "and RowKey lt 'b'))");
  EXPECT_EQ(filter_of(Text("2024-"), Text("2024.")), "RowKey ge '2024-' and RowKey lt '2024.'");
  EXPECT_EQ(filter_of(Text("ME@"), Text("meA")),
            "RowKey ge 'ME' and RowKey lt 'mf' and ((RowKey ge 'ME' and RowKey lt 'Mf') or (RowKey "
            "ge 'mE' "
            "and RowKey lt 'mf'))");
  EXPECT_EQ(filter_of(Text("2-B"), Text("2-c")),
            "RowKey ge '2-B' and RowKey lt '2-c' and ((RowKey ge '2-B' and RowKey lt '2-C') or "
            "(RowKey ge '2-b' and RowKey lt '2-c'))");
  EXPECT_EQ(filter_of(Text("\xEE\x80\x80SH"), Text("\xEE\x80\x80si")), "") << "no order is common";
  EXPECT_EQ(
      filter_of(Text("a\xEE\x80\x80Z"), Text("a\xEE\x80\x80{")),
      "RowKey ge 'A' and RowKey lt 'b' and ((RowKey ge 'A' and RowKey lt 'B') or (RowKey ge 'a' "
      "and RowKey lt 'b'))");
  // Bounds of other patterns.
  EXPECT_EQ(filter_of(Text("A"), Text("c")), "");
  EXPECT_EQ(filter_of(Text("SI"), Text("sh")), "");
  EXPECT_EQ(filter_of(Text(""), Text("a")), "");
  EXPECT_EQ(filter_of(SqlValue::Integer(5), SqlValue::Integer(6)), "");
  EXPECT_EQ(filter_of(SqlValue::Null(), Text("si")), "");
  EXPECT_EQ(filter_of(Text("SH"), SqlValue::Blob("si")), "");
}

TEST(BoundPlanTest, LikeNarrowsWhatOtherConditionsLeave) {
  EXPECT_EQ(
      FilterOf(Bind({Row(ConditionOp::kGe, Text("S")),
                     {kRowKeyName, ConditionOp::kLike, Text("SH"), Text("si")},
                     Row(ConditionOp::kLt, Text("sg"))})),
      "RowKey ge 'SH' and RowKey lt 'sg' and ((RowKey ge 'SH' and RowKey lt 'Si') or (RowKey ge "
      "'sH' and RowKey lt 'si'))");
  EXPECT_EQ(Bind({{kPartitionKeyName, ConditionOp::kLike, Text("SH"), Text("si")}}).kind,
            ReadKind::kPartitionRange);
  EXPECT_EQ(Bind({{kPartitionKeyName, ConditionOp::kLike, Text("SH"), Text("sj")}}).kind,
            ReadKind::kTableScan);
}

TEST(BoundPlanTest, NoEntityHasAKeyWithAnIllegalCharacter) {
  for (const std::string& key :
       {std::string("a/b"), std::string("a\\"), std::string("#"), std::string("?"),
        std::string("\t"), std::string("a\0b", 3), std::string("\xC2\x85"), std::string("\x7F"),
        std::string("\xFF"), std::string("a\xC3"), std::string("\xED\xA0\x80")}) {
    EXPECT_TRUE(Bind({Partition(ConditionOp::kEq, Text(key))}).empty);
    EXPECT_TRUE(
        Bind({Partition(ConditionOp::kEq, Text("p")), Row(ConditionOp::kEq, Text(key))}).empty);
    for (const ConditionOp op :
         {ConditionOp::kLt, ConditionOp::kLe, ConditionOp::kGt, ConditionOp::kGe}) {
      EXPECT_FALSE(Bind({Partition(op, Text(key))}).empty) << "a bound need not be a key";
    }
  }
}

TEST(BoundPlanTest, BoundsOnWhichTheOrdersDifferAreWidened) {
  const std::string e000 = "ab\xEE\x80\x80z";        // U+E000
  const std::string u10000 = "ab\xF0\x90\x80\x80z";  // U+10000
  for (const std::string& bound : {e000, u10000}) {
    EXPECT_EQ(FilterOf(Bind({Row(ConditionOp::kGt, Text(bound))})), "RowKey ge 'ab'");
    EXPECT_EQ(FilterOf(Bind({Row(ConditionOp::kGe, Text(bound))})), "RowKey ge 'ab'");
    EXPECT_EQ(FilterOf(Bind({Row(ConditionOp::kLt, Text(bound))})), "RowKey lt 'ac'");
    EXPECT_EQ(FilterOf(Bind({Row(ConditionOp::kLe, Text(bound))})), "RowKey lt 'ac'");
    // An equality has the same meaning in both orders.
    EXPECT_EQ(FilterOf(Bind({Row(ConditionOp::kEq, Text(bound))})), "RowKey eq '" + bound + "'");
  }
  EXPECT_TRUE(Bind({Row(ConditionOp::kGt, Text("\xF0\x90\x80\x80"))}).query.filter.empty());
  EXPECT_TRUE(Bind({Row(ConditionOp::kLt, Text("\xF0\x90\x80\x80"))}).query.filter.empty());
}

}  // namespace
}  // namespace aztables
