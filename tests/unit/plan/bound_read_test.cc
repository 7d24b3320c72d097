// Checks what a plan comes to once its values are known: NULL, BLOBs and numbers under SQLite's
// rules of comparing, texts that cannot be keys, rowids, and how many entities LIMIT lets expect.
#include "aztables/plan/bound_read.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "aztables/model/key.h"

namespace aztables {
namespace {

constexpr CompareOp kOps[] = {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt,
                              CompareOp::kGe};
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// A condition and its value.
struct Bound {
  Key key;
  CompareOp op;
  SqlValue value;
};
Bound Partition(CompareOp op, SqlValue value) { return {Key::kPartitionKey, op, value}; }
Bound Row(CompareOp op, SqlValue value) { return {Key::kRowKey, op, value}; }
SqlValue Text(std::string_view text) { return SqlValue::Text(text); }

BoundRead Bind(const std::vector<Bound>& bounds) {
  ReadPlan plan;
  std::vector<SqlValue> values;
  for (const Bound& bound : bounds) {
    values.push_back(bound.value);
    plan.conditions.push_back({bound.key, bound.op, static_cast<int>(values.size())});
  }
  return BindRead(plan, values);
}

TEST(BoundReadTest, Point) {
  const BoundRead read =
      Bind({Row(CompareOp::kEq, Text("r'1")), Partition(CompareOp::kEq, Text("p"))});
  EXPECT_FALSE(read.empty);
  EXPECT_EQ(read.kind, ReadKind::kPoint);
  ASSERT_TRUE(read.point);
  EXPECT_EQ(read.point->first, "p");
  EXPECT_EQ(read.point->second, "r'1");
  EXPECT_TRUE(read.filter.empty());
  EXPECT_FALSE(read.rowid);
}

TEST(BoundReadTest, EmptyTextsAreKeys) {
  const BoundRead read = Bind({Partition(CompareOp::kEq, Text("")), Row(CompareOp::kEq, Text(""))});
  ASSERT_TRUE(read.point);
  EXPECT_EQ(*read.point, (std::pair<std::string, std::string>("", "")));
}

TEST(BoundReadTest, FiltersAndKinds) {
  struct Case {
    std::vector<Bound> bounds;
    ReadKind kind;
    const char* filter;
  };
  const Case cases[] = {
      {{}, ReadKind::kTableScan, ""},
      {{Partition(CompareOp::kEq, Text("p"))}, ReadKind::kRowRange, "PartitionKey eq 'p'"},
      {{Row(CompareOp::kGe, Text("a")), Partition(CompareOp::kEq, Text("O'B")),
        Row(CompareOp::kLt, Text("b"))},
       ReadKind::kRowRange,
       "PartitionKey eq 'O''B' and RowKey ge 'a' and RowKey lt 'b'"},
      {{Partition(CompareOp::kGt, Text("p")), Row(CompareOp::kEq, Text("r"))},
       ReadKind::kPartitionRange,
       "PartitionKey gt 'p' and RowKey eq 'r'"},
      {{Row(CompareOp::kLe, Text(""))}, ReadKind::kTableScan, "RowKey le ''"},
      {{Row(CompareOp::kEq, Text("r"))}, ReadKind::kTableScan, "RowKey eq 'r'"},
  };
  for (const Case& c : cases) {
    const BoundRead read = Bind(c.bounds);
    EXPECT_FALSE(read.empty);
    EXPECT_FALSE(read.point);
    EXPECT_EQ(FilterText(read.filter), c.filter);
    EXPECT_EQ(read.kind, c.kind) << c.filter;
  }
}

TEST(BoundReadTest, NothingIsEqualToNullOrAboveIt) {
  for (const CompareOp op : kOps) {
    EXPECT_TRUE(Bind({Partition(op, SqlValue::Null())}).empty) << OpName(op);
    EXPECT_TRUE(Bind({Partition(CompareOp::kEq, Text("p")), Row(op, SqlValue::Null())}).empty);
  }
}

TEST(BoundReadTest, EveryTextSortsBeforeEveryBlob) {
  for (const std::string_view bytes : {"", "p", "\xFF"}) {
    for (const CompareOp op : kOps) {
      const BoundRead read = Bind({Partition(op, SqlValue::Blob(bytes))});
      const bool true_for_all = op == CompareOp::kLt || op == CompareOp::kLe;
      EXPECT_EQ(read.empty, !true_for_all) << OpName(op);
      EXPECT_TRUE(read.filter.empty()) << OpName(op);
      EXPECT_EQ(read.kind, ReadKind::kTableScan);
    }
  }
}

TEST(BoundReadTest, NumbersAreNotSent) {
  for (const SqlValue number : {SqlValue::Integer(5), SqlValue::Real(5.5), SqlValue::Integer(-1)}) {
    for (const CompareOp op : kOps) {
      const BoundRead read = Bind({Partition(CompareOp::kEq, Text("p")), Row(op, number)});
      EXPECT_FALSE(read.empty);
      EXPECT_EQ(read.kind, ReadKind::kRowRange);
      EXPECT_EQ(FilterText(read.filter), "PartitionKey eq 'p'") << OpName(op);
      EXPECT_EQ(Bind({Partition(op, number)}).kind, ReadKind::kTableScan);
    }
  }
}

TEST(BoundReadTest, NoEntityHasAKeyWithAnIllegalCharacter) {
  for (const std::string& key :
       {std::string("a/b"), std::string("a\\"), std::string("#"), std::string("?"),
        std::string("\t"), std::string("a\0b", 3), std::string("\xC2\x85"), std::string("\x7F"),
        std::string("\xFF"), std::string("a\xC3"), std::string("\xED\xA0\x80")}) {
    EXPECT_TRUE(Bind({Partition(CompareOp::kEq, Text(key))}).empty);
    EXPECT_TRUE(Bind({Partition(CompareOp::kEq, Text("p")), Row(CompareOp::kEq, Text(key))}).empty);
    for (const CompareOp op : {CompareOp::kLt, CompareOp::kLe, CompareOp::kGt, CompareOp::kGe}) {
      EXPECT_FALSE(Bind({Partition(op, Text(key))}).empty) << "a bound need not be a key";
    }
  }
}

TEST(BoundReadTest, BoundsOnWhichTheOrdersDifferAreWidened) {
  const std::string e000 = "ab\xEE\x80\x80z";        // U+E000
  const std::string u10000 = "ab\xF0\x90\x80\x80z";  // U+10000
  for (const std::string& bound : {e000, u10000}) {
    EXPECT_EQ(FilterText(Bind({Row(CompareOp::kGt, Text(bound))}).filter), "RowKey ge 'ab'");
    EXPECT_EQ(FilterText(Bind({Row(CompareOp::kGe, Text(bound))}).filter), "RowKey ge 'ab'");
    EXPECT_EQ(FilterText(Bind({Row(CompareOp::kLt, Text(bound))}).filter), "RowKey lt 'ac'");
    EXPECT_EQ(FilterText(Bind({Row(CompareOp::kLe, Text(bound))}).filter), "RowKey lt 'ac'");
    // An equality means the same in both orders.
    EXPECT_EQ(FilterText(Bind({Row(CompareOp::kEq, Text(bound))}).filter),
              "RowKey eq '" + bound + "'");
  }
  EXPECT_TRUE(Bind({Row(CompareOp::kGt, Text("\xF0\x90\x80\x80"))}).filter.empty());
  EXPECT_TRUE(Bind({Row(CompareOp::kLt, Text("\xF0\x90\x80\x80"))}).filter.empty());
}

std::optional<int64_t> RowidOf(const SqlValue& value) {
  ReadPlan plan;
  plan.rowid_argument = 1;
  const BoundRead read = BindRead(plan, {value});
  EXPECT_EQ(read.empty, !read.rowid);
  return read.rowid;
}

TEST(RowidTest, WhatSqliteFindsEqualToAnInteger) {
  EXPECT_EQ(RowidOf(SqlValue::Integer(5)), 5);
  EXPECT_EQ(RowidOf(SqlValue::Integer(-5)), -5);
  EXPECT_EQ(RowidOf(SqlValue::Integer(kMost)), kMost);
  EXPECT_EQ(RowidOf(SqlValue::Integer(kLeast)), kLeast);
  EXPECT_EQ(RowidOf(SqlValue::Real(5.0)), 5);
  EXPECT_EQ(RowidOf(SqlValue::Real(-0.0)), 0);
  for (const char* five : {"5", " 5 ", "+5", "05", "5.0", "5.", "5e0", "0.5e1", " +50E-1\n"}) {
    EXPECT_EQ(RowidOf(Text(five)), 5) << five;
  }
}

TEST(RowidTest, WhatNoIntegerIsEqualTo) {
  EXPECT_EQ(RowidOf(SqlValue::Null()), std::nullopt);
  EXPECT_EQ(RowidOf(SqlValue::Blob("5")), std::nullopt);
  EXPECT_EQ(RowidOf(SqlValue::Real(5.5)), std::nullopt);
  EXPECT_EQ(RowidOf(SqlValue::Real(1e300)), std::nullopt);
  EXPECT_EQ(RowidOf(SqlValue::Real(std::numeric_limits<double>::infinity())), std::nullopt);
  EXPECT_EQ(RowidOf(SqlValue::Real(std::numeric_limits<double>::quiet_NaN())), std::nullopt);
  for (const char* text :
       {"", "x", "5x", "5 5", "0x5", "5.5", "inf", "nan", "1e999", "+-5", "--5", "+", "e5"}) {
    EXPECT_EQ(RowidOf(Text(text)), std::nullopt) << text;
  }
}

size_t HintOf(const SqlValue& limit) {
  ReadPlan plan;
  plan.limit_argument = 1;
  return BindRead(plan, {limit}).page_hint;
}

size_t HintOf(const SqlValue& limit, const SqlValue& offset) {
  ReadPlan plan;
  plan.limit_argument = 2;
  plan.offset_argument = 1;
  return BindRead(plan, {offset, limit}).page_hint;
}

TEST(PageHintTest, LimitAndOffset) {
  const auto integer = SqlValue::Integer;
  EXPECT_EQ(BindRead({}, {}).page_hint, 0U);
  EXPECT_EQ(HintOf(integer(5)), 5U);
  EXPECT_EQ(HintOf(integer(1000)), 1000U);
  EXPECT_EQ(HintOf(integer(5), integer(20)), 25U);
  EXPECT_EQ(HintOf(integer(0), integer(20)), 20U);
  EXPECT_EQ(HintOf(SqlValue::Real(5.0)), 5U);
  EXPECT_EQ(HintOf(Text("5"), Text("6")), 11U);
}

TEST(PageHintTest, NothingIsExpectedOfWhatIsNoLimit) {
  const auto integer = SqlValue::Integer;
  for (const SqlValue& limit : {integer(-1), integer(kLeast), integer(kMost), integer(1'000'001),
                                SqlValue::Null(), SqlValue::Real(1e18), Text("x")}) {
    EXPECT_EQ(HintOf(limit), 0U);
    EXPECT_EQ(HintOf(limit, integer(3)), 0U);
  }
  EXPECT_EQ(HintOf(integer(5), integer(-1)), 5U) << "SQLite takes it for none";
  EXPECT_EQ(HintOf(integer(5), integer(kLeast)), 5U);
  EXPECT_EQ(HintOf(integer(5), SqlValue::Null()), 5U);
  EXPECT_EQ(HintOf(integer(5), integer(kMost)), 0U);
  EXPECT_EQ(HintOf(integer(1'000'000), integer(1'000'000)), 2'000'000U);
}

TEST(PageHintTest, ALimitDoesNotMakeTheReadEmpty) {
  ReadPlan plan;
  plan.limit_argument = 1;
  EXPECT_FALSE(BindRead(plan, {SqlValue::Null()}).empty);
}

}  // namespace
}  // namespace aztables
