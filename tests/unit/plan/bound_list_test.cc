// Checks lists of keys: which values can be keys, the resulting queries or points in SQLite's order
// without duplicates, and lists that are too long.
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "plan/bound_plan.h"

namespace aztables {
namespace {

using Texts = std::vector<std::string>;

ReadArgument List(const Texts& texts) {
  static std::deque<Texts> kept;  // values own nothing
  kept.push_back(texts);
  ReadArgument argument;
  for (const std::string& text : kept.back()) argument.list.push_back(SqlValue::Text(text));
  return argument;
}
ReadArgument ListOf(std::vector<SqlValue> values) {
  ReadArgument argument;
  argument.list = std::move(values);
  return argument;
}
ReadArgument One(std::string_view text) { return SqlValue::Text(text); }

// Compares PartitionKey and RowKey with lists, or with single values.
BoundPlan Bind(const ReadArgument* partitions, const ReadArgument* rows) {
  ReadPlan plan;
  std::vector<ReadArgument> arguments;
  const auto add = [&](std::string_view name, const ReadArgument* argument) {
    if (argument == nullptr) return;
    arguments.push_back(*argument);
    const bool one = argument->value.type != SqlValue::Type::kNull;
    plan.conditions.push_back({std::string(name), one ? ConditionOp::kEq : ConditionOp::kIn,
                               static_cast<int>(arguments.size())});
  };
  add(kPartitionKeyName, partitions);
  add(kRowKeyName, rows);
  return BindRead(plan, arguments, {});
}
BoundPlan Partitions(const ReadArgument& partitions) { return Bind(&partitions, nullptr); }
BoundPlan Rows(const ReadArgument& rows) { return Bind(nullptr, &rows); }
BoundPlan Both(const ReadArgument& partitions, const ReadArgument& rows) {
  return Bind(&partitions, &rows);
}

// The filter of each query, or its point.
Texts Queries(const BoundPlan& read) {
  Texts texts;
  for (size_t i = 0; !read.empty && i < read.size(); ++i) {
    const EntityQuery query = read.At(i);
    texts.push_back(query.point ? query.point->first + "/" + query.point->second
                                : FilterText(query.filter, query.clauses));
    EXPECT_EQ(query.kind, ReadKindName(read.kind));
    EXPECT_EQ(query.point.has_value(), read.kind == ReadKind::kPoint);
  }
  return texts;
}

Texts Numbered(size_t count) {
  Texts texts;
  for (size_t i = 0; i < count; ++i) texts.push_back(std::to_string(100'000 + i));
  return texts;
}

TEST(BoundListTest, EachPartitionIsAQuery) {
  const BoundPlan read = Partitions(List({"b", "a", "b", "", "it's", "a"}));
  EXPECT_EQ(read.kind, ReadKind::kRowRange);
  EXPECT_EQ(Queries(read), (Texts{"PartitionKey eq ''", "PartitionKey eq 'a'",
                                  "PartitionKey eq 'b'", "PartitionKey eq 'it''s'"}));
}

TEST(BoundListTest, TheOrderIsThatOfBytes) {
  const Texts expected = {"a", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80"};
  Texts reversed(expected.rbegin(), expected.rend());
  Texts partitions = Partitions(List(reversed)).partitions;
  EXPECT_EQ(partitions, expected);
  EXPECT_EQ(Both(One("p"), List(reversed)).rows, expected);
}

TEST(BoundListTest, WhatCannotBeAKeyIsLeftOut) {
  const ReadArgument list =
      ListOf({SqlValue::Null(), SqlValue::Text("a/b"), SqlValue::Blob("a"), SqlValue::Text("\xFF"),
              SqlValue::Text("k"), SqlValue::Text("a\tb"), SqlValue::Null()});
  EXPECT_EQ(Queries(Partitions(list)), Texts{"PartitionKey eq 'k'"});
  EXPECT_EQ(Queries(Rows(list)), Texts{"RowKey eq 'k'"});
  EXPECT_EQ(Queries(Both(list, list)), Texts{"k/k"});
}

TEST(BoundListTest, NothingIsAskedForWhereNoKeyIsLeft) {
  for (const ReadArgument& list :
       {ListOf({}), ListOf({SqlValue::Null()}), ListOf({SqlValue::Blob("a")}), List({"a?b", "#"}),
        ListOf({SqlValue::Null(), SqlValue::Text("\xC3")})}) {
    EXPECT_TRUE(Partitions(list).empty);
    EXPECT_TRUE(Rows(list).empty);
    EXPECT_TRUE(Both(list, One("r")).empty);
    EXPECT_TRUE(Both(One("p"), list).empty);
  }
}

TEST(BoundListTest, OneElementIsAnEquality) {
  EXPECT_EQ(Queries(Partitions(List({"p"}))), Texts{"PartitionKey eq 'p'"});
  EXPECT_EQ(Queries(Both(List({"p"}), List({"r"}))), Texts{"p/r"});
  EXPECT_EQ(Queries(Rows(List({"r"}))), Texts{"RowKey eq 'r'"});
}

TEST(BoundListTest, TwoListsArePoints) {
  const BoundPlan read = Both(List({"q", "p", "p"}), List({"2", "1", "3", "2"}));
  EXPECT_EQ(read.kind, ReadKind::kPoint);
  EXPECT_EQ(Queries(read), (Texts{"p/1", "p/2", "p/3", "q/1", "q/2", "q/3"}));
  EXPECT_EQ(Queries(Both(One("p"), List({"2", "1"}))), (Texts{"p/1", "p/2"}));
  EXPECT_EQ(Queries(Both(List({"q", "p"}), One("r"))), (Texts{"p/r", "q/r"}));
}

TEST(BoundListTest, TenThousandKeys) {
  const Texts keys = Numbered(10'000);
  const BoundPlan read = Partitions(List(keys));
  ASSERT_EQ(read.size(), 10'000U);
  EXPECT_EQ(read.partitions, keys);
  const BoundPlan points = Both(One("p"), List(keys));
  EXPECT_EQ(points.kind, ReadKind::kPoint);
  ASSERT_EQ(points.size(), 10'000U);
  std::set<std::pair<std::string, std::string>> seen;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto point = *points.At(i).point;
    EXPECT_TRUE(seen.empty() || *seen.rbegin() < point);
    seen.insert(point);
  }
  EXPECT_EQ(seen.size(), 10'000U);
}

TEST(BoundListTest, TooManyPointsAreRangesOfRows) {
  static_assert(kMostPoints == 10'000);
  EXPECT_EQ(Both(List(Numbered(100)), List(Numbered(100))).size(), 10'000U);
  const BoundPlan read = Both(List(Numbered(100)), List(Numbered(101)));
  EXPECT_EQ(read.kind, ReadKind::kRowRange);
  ASSERT_EQ(read.size(), 100U);
  EXPECT_EQ(FilterText(read.At(7).filter),
            "PartitionKey eq '100007' and RowKey ge '100000' and RowKey le '100100'");
  EXPECT_TRUE(read.At(7).clauses.empty());
  // A few rows are distinguished individually.
  const BoundPlan few = Both(List(Numbered(6'000)), List({"c", "a"}));
  ASSERT_EQ(few.size(), 6'000U);
  EXPECT_EQ(FilterText(few.At(0).filter, few.At(0).clauses),
            "PartitionKey eq '100000' and (RowKey eq 'a' or RowKey eq 'c')");
  EXPECT_EQ(Both(One("p"), List(Numbered(10'001))).size(), 1U);
  EXPECT_EQ(Both(List(Numbered(20'000)), One("r")).kind, ReadKind::kPoint);
}

TEST(BoundListTest, RowsOfEveryPartition) {
  const BoundPlan few = Rows(List({"c", "a", "b"}));
  EXPECT_EQ(few.kind, ReadKind::kTableScan);
  EXPECT_EQ(Queries(few), Texts{"(RowKey eq 'a' or RowKey eq 'b' or RowKey eq 'c')"});
  const BoundPlan many = Rows(List(Numbered(7)));
  EXPECT_EQ(many.kind, ReadKind::kTableScan);
  EXPECT_EQ(Queries(many), Texts{"RowKey ge '100000' and RowKey le '100006'"});
}

// Every text that SQLite converts to 5 equals 5.
TEST(BoundListTest, NumbersAreTheRangeOfWhatLooksLikeThem) {
  const ReadArgument numbers = ListOf({SqlValue::Integer(5), SqlValue::Real(0.5)});
  EXPECT_EQ(Queries(Partitions(numbers)), Texts{"PartitionKey ge ' ' and PartitionKey lt ':'"});
  EXPECT_EQ(Partitions(numbers).kind, ReadKind::kTableScan) << "as with one number";
  const ReadArgument mixed = ListOf({SqlValue::Integer(5), SqlValue::Text("k")});
  EXPECT_EQ(Queries(Both(One("p"), mixed)),
            Texts{"PartitionKey eq 'p' and RowKey ge ' ' and RowKey le 'k'"});
  const ReadArgument low = ListOf({SqlValue::Integer(5), SqlValue::Text("")});
  EXPECT_EQ(Queries(Rows(low)), Texts{"RowKey lt ':'"});
}

TEST(BoundListTest, AKeyThatIsTooLongForAFilterMakesARange) {
  const std::string long_key(100'000, 'k');
  const BoundPlan read = Partitions(List({"m", long_key, "b"}));
  EXPECT_EQ(read.kind, ReadKind::kPartitionRange);
  EXPECT_EQ(Queries(read), Texts{"PartitionKey ge 'b' and PartitionKey le 'm'"});
  const BoundPlan alone = Both(One("p"), List({long_key}));
  ASSERT_EQ(alone.size(), 1U);
  ASSERT_EQ(alone.At(0).filter.size(), 3U);
  EXPECT_LT(PercentEncodedSize(FilterText(alone.At(0).filter)), 8'192U);
}

// Every query contains the other conditions.
TEST(BoundListTest, RangesAndPropertiesGoIntoEachQuery) {
  Schema schema;
  schema.properties.push_back({"n", "N", EdmType::kInt32});
  ReadPlan plan;
  plan.conditions = {{"PartitionKey", ConditionOp::kIn, 1},
                     {"RowKey", ConditionOp::kGt, 2},
                     {"N", ConditionOp::kIn, 3}};
  const BoundPlan read =
      BindRead(plan,
               {List({"p", "q"}), One("r"),
                ListOf({SqlValue::Integer(1), SqlValue::Null(), SqlValue::Integer(2)})},
               schema);
  EXPECT_EQ(Queries(read), (Texts{"PartitionKey eq 'p' and RowKey gt 'r' and (N eq 1 or N eq 2)",
                                  "PartitionKey eq 'q' and RowKey gt 'r' and (N eq 1 or N eq 2)"}));
}

}  // namespace
}  // namespace aztables
