// Checks the estimated costs of plans: the narrower read is cheaper for any shape of table. If the
// shape is known, SQLite chooses lookups for few keys and one scan for many.
#include "plan/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace aztables {
namespace {

const TableShape kShapes[] = {{},
                              {true, 1'000'000, 1'000, 1'000},
                              {true, 10'000, 100, 5'000},
                              {true, 10'000, 1, 1},
                              {true, 50'000, 50'000, 50'000},
                              {true, 100, 10, 20},
                              {true, 1, 1, 1},
                              {true, 0, 0, 0}};

Estimate Of(std::vector<Condition> conditions, const TableShape& shape) {
  ReadPlan plan;
  plan.conditions = std::move(conditions);
  return EstimateOf(plan, shape);
}

Condition On(std::string_view property, ConditionOp op) { return {std::string(property), op, 1}; }
const Condition kPartition = On("PartitionKey", ConditionOp::kEq);
const Condition kPartitions = On("PartitionKey", ConditionOp::kGe);
const Condition kRow = On("RowKey", ConditionOp::kEq);
const Condition kRows = On("RowKey", ConditionOp::kGe);

TEST(EstimateTest, TheNarrowerReadIsNotDearer) {
  for (const TableShape& shape : kShapes) {
    const Estimate by_price[] = {Of({kPartition, kRow}, shape), Of({kPartition, kRows}, shape),
                                 Of({kPartition}, shape), Of({kPartitions}, shape), Of({}, shape)};
    const bool one_partition = shape.per_partition >= shape.entities;
    for (size_t i = 1; i < std::size(by_price); ++i) {
      if (i == 3 && one_partition) continue;  // the partition is the whole table
      EXPECT_LE(by_price[i - 1].cost, by_price[i].cost) << shape.entities << " " << i;
      EXPECT_LE(by_price[i - 1].rows, by_price[i].rows) << shape.entities << " " << i;
    }
    for (const Estimate& estimate : by_price) {
      EXPECT_GE(estimate.cost, 1'000) << "a request at least";
      EXPECT_GE(estimate.rows, 1);
      EXPECT_TRUE(std::isfinite(estimate.cost));
    }
  }
}

TEST(EstimateTest, EveryConditionMakesItCheaper) {
  const TableShape shape{true, 1'000'000, 10'000, 10'000};
  for (const Condition& more :
       {On("A", ConditionOp::kEq), On("A", ConditionOp::kLt), On("A", ConditionOp::kIn),
        On("A", ConditionOp::kLike), kRows, On("RowKey", ConditionOp::kLike)}) {
    for (const std::vector<Condition>& before :
         {std::vector<Condition>{}, {kPartitions}, {kPartition}}) {
      std::vector<Condition> with = before;
      with.push_back(more);
      EXPECT_LT(Of(with, shape).cost, Of(before, shape).cost) << more.property;
      EXPECT_LT(Of(with, shape).rows, Of(before, shape).rows) << more.property;
    }
  }
  EXPECT_LT(Of({On("A", ConditionOp::kEq)}, shape).cost,
            Of({On("A", ConditionOp::kLt)}, shape).cost);
}

TEST(EstimateTest, ALikeLeavesAsMuchAsTwoBounds) {
  const TableShape shape{true, 1'000'000, 10'000, 10'000};
  EXPECT_EQ(Of({On("PartitionKey", ConditionOp::kLike)}, shape).cost,
            Of({kPartitions, On("PartitionKey", ConditionOp::kLt)}, shape).cost);
}

TEST(EstimateTest, ListsAreSeveralReads) {
  const Condition list = On("PartitionKey", ConditionOp::kIn);
  for (const TableShape& shape : kShapes) {
    EXPECT_EQ(Of({list, kRow}, shape).rows, 10);
    EXPECT_EQ(Of({list, On("RowKey", ConditionOp::kIn)}, shape).rows, 100);
    EXPECT_EQ(Of({list}, shape).rows, 10 * Of({kPartition}, shape).rows);
    EXPECT_GT(Of({list, kRow}, shape).cost, Of({kPartition, kRow}, shape).cost);
    EXPECT_GT(Of({list}, shape).cost, Of({kPartition}, shape).cost);
  }
}

TEST(EstimateTest, TwoRangesOfAPartitionAreCheaperThanAllOfIt) {
  // SQLite distinguishes costs above 2e9 by powers of two only.
  EXPECT_LE(2 * Of({kPartition, kRows}, {}).cost, Of({kPartition}, {}).cost / 2);
  EXPECT_LT(2 * Of({kPartition, kRows}, {true, 100'000, 3, 10'000}).cost,
            Of({kPartition}, {true, 100'000, 3, 10'000}).cost);
}

// SQLite would execute the arms of an OR separately and add their costs; a list is one read.
TEST(EstimateTest, AListIsCheaperThanTwoArmsOfAnOr) {
  const Condition partitions = On("PartitionKey", ConditionOp::kIn);
  const Condition rows = On("RowKey", ConditionOp::kIn);
  for (const TableShape& shape : kShapes) {
    EXPECT_LT(Of({partitions}, shape).cost, 2 * Of({kPartition}, shape).cost);
    EXPECT_LT(Of({partitions, kRow}, shape).cost, 2 * Of({kPartition, kRow}, shape).cost);
    EXPECT_LT(Of({kPartition, rows}, shape).cost, 2 * Of({kPartition, kRow}, shape).cost);
    EXPECT_LT(Of({partitions, rows}, shape).cost, 2 * Of({kPartition, rows}, shape).cost);
    EXPECT_LT(Of({partitions, rows}, shape).cost, 2 * Of({partitions, kRow}, shape).cost);
  }
}

TEST(EstimateTest, FewLookupsBeatAScanAndManyDoNot) {
  for (const TableShape& shape : kShapes) {
    if (!shape.known || shape.entities < 10'000) continue;
    const double scan = Of({}, shape).cost;
    const double point = Of({kPartition, kRow}, shape).cost;
    EXPECT_LT(5 * point, scan) << shape.entities;
    EXPECT_GT(static_cast<double>(shape.entities) * point, scan) << shape.entities;
  }
  const TableShape small{true, 100, 10, 10};
  EXPECT_LT(Of({}, small).cost, 2 * Of({kPartition, kRow}, small).cost) << "it is one page";
}

TEST(EstimateTest, AnyNumberOfLookupsBeatsAScanOfATableThatNobodyKnows) {
  const TableShape unknown;
  constexpr double kGuess = 1'048'576;  // rows of a table without ANALYZE
  EXPECT_LT(kGuess * Of({kPartition, kRow}, unknown).cost, Of({}, unknown).cost);
}

TEST(EstimateTest, WhatNobodyKnowsIsReadOnlyWhereNothingElseIsLeft) {
  const TableShape unknown;
  TableShape known = unknown;
  known.known = true;
  for (const Condition& partition :
       {kPartition, On("PartitionKey", ConditionOp::kIn), On("PartitionKey", ConditionOp::kIs)}) {
    EXPECT_EQ(Of({partition, kRow}, unknown).cost, Of({partition, kRow}, known).cost);
    for (const std::vector<Condition>& range : {std::vector<Condition>{partition},
                                                {partition, kRows},
                                                {partition, On("RowKey", ConditionOp::kLike)}}) {
      EXPECT_EQ(Of(range, unknown).cost, 1e6 * Of(range, known).cost);
      EXPECT_EQ(Of(range, unknown).rows, Of(range, known).rows);
    }
  }
  for (const std::vector<Condition>& scan : {std::vector<Condition>{},
                                             {kPartitions},
                                             {kRow},
                                             {kRows},
                                             {On("PartitionKey", ConditionOp::kLike)},
                                             {On("A", ConditionOp::kEq)}}) {
    EXPECT_EQ(Of(scan, unknown).cost, 1e12 * Of(scan, known).cost);
    EXPECT_EQ(Of(scan, unknown).rows, Of(scan, known).rows);
  }
  // A partition relates to the table as a point relates to a partition.
  constexpr double kGuess = 1'048'576;
  EXPECT_LT(kGuess * Of({kPartition, kRow}, unknown).cost, 2 * Of({kPartition}, unknown).cost);
  EXPECT_LT(kGuess * Of({kPartition}, unknown).cost, Of({}, unknown).cost);
}

TEST(EstimateTest, ARowidIsAPoint) {
  ReadPlan plan;
  plan.rowid_argument = 1;
  for (const TableShape& shape : kShapes) {
    EXPECT_EQ(EstimateOf(plan, shape).cost, Of({kPartition, kRow}, shape).cost);
    EXPECT_EQ(EstimateOf(plan, shape).rows, 1);
    ReadPlan list = plan;
    list.rowid_list = true;
    EXPECT_GT(EstimateOf(list, shape).cost, EstimateOf(plan, shape).cost);
    EXPECT_LT(EstimateOf(list, shape).cost, 2 * EstimateOf(plan, shape).cost);
    EXPECT_EQ(EstimateOf(list, shape).rows, 10);
  }
}

}  // namespace
}  // namespace aztables
