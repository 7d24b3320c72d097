// Checks the key limits that conditions set for pending writes: which entities match, the first
// key, and the end. It uses random conditions and keys.
#include "read/key_predicate.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace aztables {
namespace {

using Key = std::pair<std::string, std::string>;

EntityKeyView View(const Key& key) { return {key.first, key.second}; }

TEST(KeyPredicateTest, OfAPoint) {
  EntityQuery point;
  point.point.emplace("p", "r");
  const KeyPredicate limits(point);
  EXPECT_EQ(limits.begin().partition_key, "p");
  EXPECT_EQ(limits.begin().row_key, "r");
  EXPECT_TRUE(limits.Matches({"p", "r"}));
  EXPECT_FALSE(limits.Matches({"p", "s"}));
  EXPECT_FALSE(limits.Matches({"q", "r"}));
  EXPECT_FALSE(limits.EndsBefore({"p", "r"}));
  EXPECT_TRUE(limits.EndsBefore({"p", "s"}));
  EXPECT_TRUE(limits.EndsBefore({"q", ""}));
  EXPECT_FALSE(limits.EndsBefore({"o", "z"}));
}

TEST(KeyPredicateTest, OfEverything) {
  const KeyPredicate limits{EntityQuery()};
  EXPECT_EQ(limits.begin().partition_key, "");
  EXPECT_TRUE(limits.Matches({"", ""}));
  EXPECT_TRUE(limits.Matches({"\xF4\x8F\xBF\xBF", "z"}));
  EXPECT_FALSE(limits.EndsBefore({"\xF4\x8F\xBF\xBF", "z"}));
}

TEST(KeyPredicateTest, PropertiesSetNone) {
  EntityQuery query;
  query.filter = {{"Timestamp", CompareOp::kGt, Value::String("x")}};
  query.clauses = {{{{"RowKey", CompareOp::kEq, Value::String("r")}}}};
  EXPECT_TRUE(KeyPredicate(query).Matches({"a", "b"}));
}

bool Holds(const std::string& text, CompareOp op, const std::string& bound) {
  switch (op) {
    case CompareOp::kEq:
      return text == bound;
    case CompareOp::kLt:
      return text < bound;
    case CompareOp::kLe:
      return text <= bound;
    case CompareOp::kGt:
      return text > bound;
    default:
      return text >= bound;
  }
}

TEST(KeyPredicateTest, AgreeWithTheConditions) {
  constexpr CompareOp kOps[] = {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt,
                                CompareOp::kGe};
  const std::vector<std::string> texts = {
      "", "a", "aa", "b", "ba", "c", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF0\x90\x80\x80"};
  std::vector<Key> keys;  // in SQLite's order
  for (const std::string& partition : texts) {
    for (const std::string& row : texts) keys.emplace_back(partition, row);
  }
  std::mt19937 random(61);
  size_t begun = 0;
  size_t ended = 0;
  for (int i = 0; i < 3'000; ++i) {
    EntityQuery query;
    for (size_t n = random() % 4; n > 0; --n) {
      query.filter.push_back({random() % 2 == 0 ? "PartitionKey" : "RowKey",
                              kOps[random() % std::size(kOps)],
                              Value::String(texts[random() % texts.size()])});
    }
    const KeyPredicate limits(query);
    bool behind = false;
    for (const Key& key : keys) {
      bool within = true;
      for (const Comparison& comparison : query.filter) {
        const std::string& text = comparison.property == "RowKey" ? key.second : key.first;
        within = within && Holds(text, comparison.op, comparison.literal.text);
      }
      ASSERT_EQ(limits.Matches(View(key)), within) << FilterText(query.filter);
      const bool before = CompareEntityKeys(View(key), limits.begin()) < 0;
      behind = behind || limits.EndsBefore(View(key));
      ASSERT_FALSE(within && (before || behind)) << FilterText(query.filter);
      begun += before ? 1 : 0;
      ended += behind ? 1 : 0;
    }
  }
  EXPECT_GT(begun, 20'000U);
  EXPECT_GT(ended, 20'000U);
}

}  // namespace
}  // namespace aztables
