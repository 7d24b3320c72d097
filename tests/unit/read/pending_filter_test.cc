// Checks the property filters of queries under pending writes: what they send for a few pending
// entities and for many, and that random queries still get every entity that they need.
#include "read/pending_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "plan/bound_plan.h"
#include "support/filter_reading.h"
#include "support/log_writes.h"
#include "support/rounds.h"

namespace aztables {
namespace {

Comparison Text(const char* property, CompareOp op, const std::string& text) {
  return {property, op, Value::String(text)};
}
Disjunction Number(CompareOp op, int32_t number) { return {One("N", op, Value::Int32(number))}; }

size_t Comparisons(const EntityQuery& query) {
  size_t count = query.filter.size();
  for (const Disjunction& clause : query.clauses) {
    for (const Conjunction& one : clause) count += one.size();
  }
  return count;
}

class PendingFilterTest : public testing::Test {
 protected:
  void Write(const std::string& partition, const std::string& row, WriteVerb verb) {
    const EntityWrite write = support::WriteOf(verb, {}, "*");
    ASSERT_TRUE(log_.Add(1, {partition, row}, write, support::kNoLimit).ok());
  }

  EntityQuery Asked(const EntityQuery& query) {
    WriteSnapshot pending = log_.Snapshot();
    auto asked = WithPending(query, KeyPredicate(query), pending);
    EXPECT_TRUE(asked.ok());
    return std::move(*asked);
  }
  std::string TextOf(const EntityQuery& query) {
    const EntityQuery asked = Asked(query);
    return FilterText(asked.filter, asked.clauses);
  }

  WriteLog log_;
};

TEST_F(PendingFilterTest, EachPendingEntityIsAskedFor) {
  Write("p", "b", WriteVerb::kMerge);
  Write("p", "d", WriteVerb::kDelete);
  Write("q", "b", WriteVerb::kInsert);
  EntityQuery query;
  query.clauses = {Number(CompareOp::kEq, 5)};
  EXPECT_EQ(TextOf(query),
            "(N eq 5 or (PartitionKey eq 'p' and RowKey eq 'b') or (PartitionKey eq 'p' and RowKey "
            "eq 'd') or (PartitionKey eq 'q' and RowKey eq 'b'))");
  query.filter = {Text("PartitionKey", CompareOp::kEq, "p")};
  EXPECT_EQ(TextOf(query), "PartitionKey eq 'p' and (N eq 5 or RowKey eq 'b' or RowKey eq 'd')");
  query.filter = {Text("PartitionKey", CompareOp::kEq, "p"), Text("RowKey", CompareOp::kGt, "b")};
  EXPECT_EQ(TextOf(query), "PartitionKey eq 'p' and RowKey gt 'b' and (N eq 5 or RowKey eq 'd')");
  query.filter = {Text("RowKey", CompareOp::kEq, "b")};
  EXPECT_EQ(TextOf(query),
            "RowKey eq 'b' and (N eq 5 or PartitionKey eq 'p' or PartitionKey eq 'q')");
  query.filter = {Text("PartitionKey", CompareOp::kEq, "q"), Text("RowKey", CompareOp::kEq, "b")};
  EXPECT_EQ(TextOf(query), "PartitionKey eq 'q' and RowKey eq 'b'");
}

TEST_F(PendingFilterTest, QueriesThatNeedNoChange) {
  Write("p", "b", WriteVerb::kMerge);
  EntityQuery query;
  query.filter = {Text("PartitionKey", CompareOp::kEq, "o")};
  query.clauses = {Number(CompareOp::kEq, 5)};
  EXPECT_EQ(TextOf(query), "PartitionKey eq 'o' and N eq 5");
  query.filter.clear();
  query.clauses = {{{Text("RowKey", CompareOp::kEq, "a")}, {Text("RowKey", CompareOp::kEq, "b")}}};
  EXPECT_EQ(TextOf(query), "(RowKey eq 'a' or RowKey eq 'b')");
}

TEST_F(PendingFilterTest, BoundsShareTheEntities) {
  Write("p", "b", WriteVerb::kMerge);
  EntityQuery query;
  query.filter = {Text("PartitionKey", CompareOp::kEq, "p")};
  Disjunction list = Number(CompareOp::kEq, 1);
  list.push_back(One("N", CompareOp::kEq, Value::Int32(2)));
  query.clauses = {Number(CompareOp::kGe, 0), list, Number(CompareOp::kLt, 9)};
  EXPECT_EQ(TextOf(query),
            "PartitionKey eq 'p' and ((N ge 0 and N lt 9) or RowKey eq 'b') and (N eq 1 or N eq 2 "
            "or RowKey eq 'b')");
}

TEST_F(PendingFilterTest, FiltersWithoutRoomAreDropped) {
  EntityQuery query;
  query.filter = {Text("PartitionKey", CompareOp::kEq, "p")};
  Disjunction list = Number(CompareOp::kEq, 1);
  list.push_back(One("N", CompareOp::kEq, Value::Int32(2)));
  query.clauses = {Number(CompareOp::kGe, 0), list};
  for (const char* row : {"a", "b", "c", "d"}) Write("p", row, WriteVerb::kMerge);
  EXPECT_NE(TextOf(query).find("N eq 2 or"), std::string::npos) << "12 comparisons";
  Write("p", "e", WriteVerb::kMerge);
  EXPECT_EQ(TextOf(query),
            "PartitionKey eq 'p' and (N ge 0 or RowKey eq 'a' or RowKey eq 'b' or RowKey eq 'c' or "
            "RowKey eq 'd' or RowKey eq 'e')");
  for (const char* row : {"f", "g", "h", "i", "j"}) Write("p", row, WriteVerb::kMerge);
  EXPECT_NE(TextOf(query).find("N ge 0 or"), std::string::npos) << "12 comparisons";
  Write("p", "k", WriteVerb::kMerge);
  EXPECT_EQ(TextOf(query), "PartitionKey eq 'p'");
  log_.Clear();
  for (const char* row : {"a", "b", "c"}) {
    Write("p", std::string(900, '%') + row, WriteVerb::kMerge);
  }
  EXPECT_EQ(TextOf(query), "PartitionKey eq 'p'") << "too long";
}

TEST_F(PendingFilterTest, NoEntityIsLost) {
  std::mt19937 random(71);
  const auto below = [&](size_t n) { return random() % n; };
  const auto key = [&] { return std::string(1, static_cast<char>('a' + below(4))); };
  const auto op = [&] { return static_cast<CompareOp>(below(5)); };
  size_t left_out = 0;
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    log_.Clear();
    std::vector<std::pair<std::string, std::string>> pending;
    for (size_t n = below(6); n > 0; --n) {
      pending.emplace_back(key(), key());
      Write(pending.back().first, pending.back().second, WriteVerb::kMerge);
    }
    EntityQuery query;
    for (const char* name : {"PartitionKey", "RowKey"}) {
      if (below(2) == 0) query.filter.push_back(Text(name, op(), key()));
    }
    for (size_t n = below(4); n > 0; --n) {
      Disjunction clause = Number(op(), static_cast<int32_t>(below(9)));
      while (below(3) == 0) clause.push_back(Number(op(), static_cast<int32_t>(below(9)))[0]);
      query.clauses.push_back(std::move(clause));
    }
    const EntityQuery asked = Asked(query);
    ASSERT_LE(Comparisons(asked), std::max(kMostComparisons, Comparisons(query)));
    for (int j = 0; j < 10; ++j) {
      const Value keys[] = {Value::String(key()), Value::String(key())};
      const Value number = Value::Int32(static_cast<int32_t>(below(9)));
      const support::PropertyOf property_of = [&](std::string_view name) {
        return name == "N" ? &number : &keys[name == "RowKey" ? 1 : 0];
      };
      const bool is_pending = std::find(pending.begin(), pending.end(),
                                        std::pair(keys[0].text, keys[1].text)) != pending.end();
      const bool in_range = support::Returns(query.filter, {}, property_of);
      const bool matches = support::Returns(query.filter, query.clauses, property_of);
      const bool returned = support::Returns(asked.filter, asked.clauses, property_of);
      ASSERT_TRUE(returned || !(matches || (is_pending && in_range)))
          << FilterText(query.filter, query.clauses) << "\n"
          << FilterText(asked.filter, asked.clauses) << "\nloses " << keys[0].text << "/"
          << keys[1].text << " " << number.integer;
      ASSERT_TRUE(in_range || !returned);
      left_out += in_range && !returned ? 1U : 0U;
    }
  }
  EXPECT_GT(left_out, support::Rounds(20'000U));
}

}  // namespace
}  // namespace aztables
