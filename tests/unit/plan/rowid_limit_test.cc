// Checks rowids and LIMITs of plans with known values: which values are integers for SQLite, and
// the expected number of entities for LIMIT and OFFSET.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include "plan/bound_plan.h"

namespace aztables {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

SqlValue Text(std::string_view text) { return SqlValue::Text(text); }

std::optional<int64_t> RowidOf(const SqlValue& value) {
  ReadPlan plan;
  plan.rowid_argument = 1;
  const BoundPlan read = BindRead(plan, {value}, {});
  EXPECT_EQ(read.empty, read.rowids.empty());
  return read.empty ? std::nullopt : std::optional(read.rowids.front());
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

TEST(RowidTest, AListHasEachIntegerOnce) {
  ReadPlan plan;
  plan.rowid_argument = 1;
  plan.rowid_list = true;
  ReadArgument list;
  list.list = {SqlValue::Integer(7),
               Text("5"),
               SqlValue::Null(),
               SqlValue::Integer(5),
               SqlValue::Real(5.5),
               SqlValue::Integer(-1),
               Text("x"),
               SqlValue::Real(7.0)};
  const BoundPlan read = BindRead(plan, {list}, {});
  EXPECT_EQ(read.rowids, (std::vector<int64_t>{-1, 5, 7}));
  EXPECT_EQ(read.kind, ReadKind::kPoint);
  list.list = {SqlValue::Null(), Text("x")};
  EXPECT_TRUE(BindRead(plan, {list}, {}).empty);
}

TEST(RowidTest, EachOfItsPointsIsAQuery) {
  BoundPlan read;
  read.points = {{"p", "1"}, {"q", "2"}};
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read.At(0).point, read.points[0]);
  EXPECT_EQ(read.At(1).point, read.points[1]);
}

size_t HintOf(const SqlValue& limit) {
  ReadPlan plan;
  plan.limit_argument = 1;
  return BindRead(plan, {limit}, {}).page_hint;
}

size_t HintOf(const SqlValue& limit, const SqlValue& offset) {
  ReadPlan plan;
  plan.limit_argument = 2;
  plan.offset_argument = 1;
  return BindRead(plan, {offset, limit}, {}).page_hint;
}

TEST(PageHintTest, LimitAndOffset) {
  const auto integer = SqlValue::Integer;
  EXPECT_EQ(BindRead({}, {}, {}).page_hint, 0U);
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
  EXPECT_FALSE(BindRead(plan, {SqlValue::Null()}, {}).empty);
}

}  // namespace
}  // namespace aztables
