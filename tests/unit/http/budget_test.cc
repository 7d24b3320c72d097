// Budgets: the requests that a statement may still send, that every attempt counts, and the message
// of the error.
#include "http/budget.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

using std::chrono::milliseconds;

Budget Limited(Limits limits) { return {std::make_shared<Spending>(), limits}; }

TEST(BudgetTest, AnEmptyBudgetLimitsNothing) {
  const Budget budget;
  EXPECT_TRUE(budget.TakeRequest().ok());
  EXPECT_TRUE(budget.CheckTime().ok());
  EXPECT_TRUE(budget.CheckEntities().ok());
  EXPECT_TRUE(budget.CheckFor(1'000'000, 1'000'000).ok());
  EXPECT_FALSE(budget.EntitiesLeft());
  budget.CountEntities(5);
}

TEST(BudgetTest, WithoutLimitsItCounts) {
  const Budget budget = Limited({});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(budget.TakeRequest().ok());
  budget.CountEntities(7);
  budget.CountEntities(8);
  EXPECT_EQ(budget.spending->requests, 1000);
  EXPECT_EQ(budget.spending->entities, 15);
  EXPECT_TRUE(budget.CheckEntities().ok());
}

TEST(BudgetTest, Requests) {
  const Budget budget = Limited({.max_requests = 2, .max_entities = {}, .max_time = {}});
  EXPECT_TRUE(budget.TakeRequest().ok());
  EXPECT_TRUE(budget.TakeRequest().ok());
  budget.CountEntities(1);
  const Status refused = budget.TakeRequest();
  EXPECT_EQ(refused.code(), Code::kBudget);
  const std::string message(refused.message());
  EXPECT_TRUE(message.starts_with(
      "max_requests=2 is used up: the statement sent 2 requests for 1 entity in "))
      << message;
  EXPECT_EQ(refused.failure().limit, "max_requests");
  EXPECT_EQ(budget.spending->requests, 2);  // a refused one does not count
}

TEST(BudgetTest, TwoTablesOfAStatementShareWhatIsSpent) {
  const Budget strict = Limited({.max_requests = 1, .max_entities = {}, .max_time = {}});
  Budget other = strict;
  other.limits = {};
  EXPECT_TRUE(other.TakeRequest().ok());
  EXPECT_EQ(strict.TakeRequest().code(), Code::kBudget);
  EXPECT_TRUE(other.TakeRequest().ok());
}

TEST(BudgetTest, Entities) {
  const Budget budget = Limited({.max_requests = {}, .max_entities = 10, .max_time = {}});
  EXPECT_EQ(budget.EntitiesLeft(), 10);
  budget.CountEntities(4);
  EXPECT_EQ(budget.EntitiesLeft(), 6);
  EXPECT_TRUE(budget.CheckEntities().ok());
  budget.CountEntities(100);
  EXPECT_EQ(budget.EntitiesLeft(), 0);
  EXPECT_EQ(budget.CheckEntities().code(), Code::kBudget);
  EXPECT_EQ(budget.CheckEntities().failure().limit, "max_entities");
}

TEST(BudgetTest, Time) {
  const Budget budget =
      Limited({.max_requests = {}, .max_entities = {}, .max_time = milliseconds(60'000)});
  EXPECT_TRUE(budget.CheckTime().ok());
  EXPECT_TRUE(budget.TakeRequest().ok());
  budget.spending->began -= milliseconds(60'001);
  EXPECT_EQ(budget.CheckTime().code(), Code::kBudget);
  const Status refused = budget.TakeRequest();
  EXPECT_EQ(refused.code(), Code::kBudget);
  EXPECT_EQ(refused.failure().limit, "max_seconds");
  EXPECT_TRUE(std::string(refused.message()).starts_with("max_seconds=60 is used up: "))
      << refused.message();
}

TEST(BudgetTest, WhatIsNeededAtOnce) {
  const Budget budget = Limited({.max_requests = 5, .max_entities = 100, .max_time = {}});
  EXPECT_TRUE(budget.CheckFor(5, 100).ok());
  EXPECT_EQ(budget.CheckFor(6, 1).message(), "6 requests are needed, and max_requests=5 leaves 5");
  EXPECT_EQ(budget.CheckFor(1, 101).message(),
            "101 entities are needed, and max_entities=100 leaves 100");
  EXPECT_EQ(budget.CheckFor(1, 101).failure().limit, "max_entities");
  ASSERT_TRUE(budget.TakeRequest().ok());
  EXPECT_EQ(budget.CheckFor(5, 1).message(), "5 requests are needed, and max_requests=5 leaves 4");
  budget.CountEntities(500);
  EXPECT_EQ(budget.CheckFor(1, 1).message(), "1 entity is needed, and max_entities=100 leaves 0");
  EXPECT_TRUE(budget.CheckFor(4, 0).code() == Code::kBudget);
}

}  // namespace
}  // namespace aztables
