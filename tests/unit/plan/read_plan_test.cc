// Checks the text form of plans: golden texts, round trips of random plans, and that any other text
// is refused, even if the difference is small.
#include "plan/read_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "support/rounds.h"

namespace aztables {
namespace {

constexpr ConditionOp kOps[] = {ConditionOp::kEq, ConditionOp::kLt,  ConditionOp::kLe,
                                ConditionOp::kGt, ConditionOp::kGe,  ConditionOp::kIs,
                                ConditionOp::kIn, ConditionOp::kLike};

Condition Partition(ConditionOp op, int argument) { return {"PartitionKey", op, argument}; }
Condition Row(ConditionOp op, int argument) { return {"RowKey", op, argument}; }
Condition Like(std::string_view property, int low, int end) {
  Condition condition{std::string(property), ConditionOp::kLike, low};
  condition.end = end;
  return condition;
}

TEST(ReadPlanTest, GoldenTexts) {
  struct Case {
    ReadPlan plan;
    const char* text;
  };
  const Case cases[] = {
      {{}, "table scan; select *"},
      {{.select = {"PartitionKey", "RowKey"}}, "table scan; select PartitionKey,RowKey"},
      {{.conditions = {Partition(ConditionOp::kEq, 1), Row(ConditionOp::kEq, 2)},
        .select = {"PartitionKey", "RowKey", "Title"}},
       "point: PartitionKey eq ?1 and RowKey eq ?2; select PartitionKey,RowKey,Title"},
      {{.conditions = {Partition(ConditionOp::kEq, 2), Row(ConditionOp::kGe, 1),
                       Row(ConditionOp::kLt, 3)},
        .limit_argument = 4,
        .select = {"PartitionKey", "RowKey"}},
       "row range: PartitionKey eq ?2 and RowKey ge ?1 and RowKey lt ?3; "
       "select PartitionKey,RowKey; limit ?4"},
      {{.conditions = {Partition(ConditionOp::kGt, 1), Partition(ConditionOp::kLe, 2)},
        .limit_argument = 3,
        .offset_argument = 4},
       "partition range: PartitionKey gt ?1 and PartitionKey le ?2; select *; limit ?3 offset ?4"},
      {{.conditions = {Row(ConditionOp::kEq, 1)}, .select = {"PartitionKey", "RowKey"}},
       "table scan: RowKey eq ?1; select PartitionKey,RowKey"},
      {{.rowid_argument = 1, .select = {"PartitionKey", "RowKey", "A"}},
       "point: rowid eq ?1; select PartitionKey,RowKey,A"},
      {{.rowid_argument = 2, .rowid_list = true, .select = {"PartitionKey", "RowKey"}},
       "point: rowid in ?2; select PartitionKey,RowKey"},
      {{.conditions = {Partition(ConditionOp::kIn, 1), {"Year", ConditionOp::kIs, 2}},
        .order = ReadOrder::kKeys},
       "row range: PartitionKey in ?1 and Year is ?2; select *; in order"},
      {{.conditions = {Partition(ConditionOp::kIs, 1), Like(kRowKeyName, 2, 3)},
        .order = ReadOrder::kRows},
       "row range: PartitionKey is ?1 and RowKey like ?2 to ?3; select *; in order of RowKey"},
      {{.select = {"PartitionKey"}, .ranges = 8},
       "table scan; select PartitionKey; in up to 8 ranges"},
      {{.conditions = {Row(ConditionOp::kEq, 1)}, .order = ReadOrder::kPartitions},
       "table scan: RowKey eq ?1; select *; in order of PartitionKey"},
      {{.conditions = {Like("A", 12, 2), {"A", ConditionOp::kLt, 1, true}},
        .select = {"PartitionKey", "RowKey"},
        .order = ReadOrder::kKeys,
        .distinct = true},
       "table scan: A like ?12 to ?2 and A lt ?1*; select PartitionKey,RowKey; in order; distinct"},
      {{.conditions = {Like(kPartitionKeyName, 2, 1)},
        .limit_argument = 3,
        .order = ReadOrder::kKeys,
        .distinct = true},
       "partition range: PartitionKey like ?2 to ?1; select *; in order; distinct; limit "
       "?3"},
      {{.conditions = {{"A", ConditionOp::kEq, 1}, {"B", ConditionOp::kNotNull}},
        .select = {"PartitionKey", "RowKey", "B"}},
       "table scan: A eq ?1 and B not null; select PartitionKey,RowKey,B"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(EncodePlan(c.plan), c.text);
    const auto decoded = DecodePlan(c.text);
    ASSERT_TRUE(decoded.ok()) << c.text;
    EXPECT_TRUE(*decoded == c.plan) << EncodePlan(*decoded);
  }
}

TEST(ReadPlanTest, KindOfConditions) {
  // For each key: nothing, equalities, ranges, both.
  const std::vector<ConditionOp> shapes[] = {{},
                                             {ConditionOp::kEq},
                                             {ConditionOp::kGe, ConditionOp::kLt},
                                             {ConditionOp::kGt, ConditionOp::kEq},
                                             {ConditionOp::kIs},
                                             {ConditionOp::kIn},
                                             {ConditionOp::kLike},
                                             {ConditionOp::kLike, ConditionOp::kIn}};
  constexpr size_t kLike[] = {0, 1, 2, 3, 1, 1, 2, 3};  // equivalent shapes
  constexpr ReadKind kTable = ReadKind::kTableScan;
  constexpr ReadKind kRange = ReadKind::kPartitionRange;
  constexpr ReadKind kRows = ReadKind::kRowRange;
  constexpr ReadKind kPoint = ReadKind::kPoint;
  constexpr ReadKind kExpected[4][4] = {{kTable, kTable, kTable, kTable},
                                        {kRows, kPoint, kRows, kPoint},
                                        {kRange, kRange, kRange, kRange},
                                        {kRows, kPoint, kRows, kPoint}};
  for (size_t partition = 0; partition < std::size(shapes); ++partition) {
    for (size_t row = 0; row < std::size(shapes); ++row) {
      const ReadKind expected = kExpected[kLike[partition]][kLike[row]];
      std::vector<Condition> conditions = {{"Year", ConditionOp::kEq, 1}};
      for (const ConditionOp op : shapes[partition]) conditions.push_back(Partition(op, 1));
      for (const ConditionOp op : shapes[row]) conditions.push_back(Row(op, 1));
      EXPECT_EQ(KindOf(conditions), expected) << partition << " " << row;
      std::reverse(conditions.begin(), conditions.end());
      EXPECT_EQ(KindOf(conditions), expected) << partition << " " << row;
    }
  }
}

TEST(ReadPlanTest, KindNames) {
  EXPECT_EQ(ReadKindName(ReadKind::kPoint), "point");
  EXPECT_EQ(ReadKindName(ReadKind::kRowRange), "row range");
  EXPECT_EQ(ReadKindName(ReadKind::kPartitionRange), "partition range");
  EXPECT_EQ(ReadKindName(ReadKind::kTableScan), "table scan");
}

TEST(ReadPlanTest, NamesInUtf8) {
  const ReadPlan plan{.select = {"PartitionKey", "RowKey", "\xC3\x84nderung",
                                 "\xE5\x90\x8D\xE5\x89\x8D", "\xF0\x9D\x92\x9C", "limit", "_"}};
  const auto decoded = DecodePlan(EncodePlan(plan));
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(*decoded == plan);
}

ReadPlan RandomPlan(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr const char* kNames[] = {"PartitionKey", "RowKey", "Timestamp", "A",      "offset",
                                    "select",       "_x1",    "\xC3\xA9",  "RowKeys"};
  ReadPlan plan;
  if (below(6) == 0) {
    plan.rowid_argument = 1 + below(999'999);
    plan.rowid_list = below(2) == 0;
  }
  for (int n = below(5); n > 0; --n) {
    Condition condition{kNames[below(std::size(kNames))], kOps[below(std::size(kOps))],
                        1 + below(below(2) == 0 ? 9 : 999'999)};
    condition.computed = below(4) == 0;
    if (condition.op == ConditionOp::kLike) {
      condition.end = 1 + below(below(2) == 0 ? 9 : 999'999);
    }
    plan.conditions.push_back(std::move(condition));
  }
  for (int n = below(3); n > 0; --n) {
    plan.conditions.push_back({kNames[2 + below(std::size(kNames) - 2)], ConditionOp::kNotNull});
  }
  plan.order = static_cast<ReadOrder>(below(4));
  plan.distinct = below(4) == 0;
  if (below(4) == 0) plan.ranges = 1 + below(64);
  for (int n = below(4); n > 0; --n) plan.select.emplace_back(kNames[below(std::size(kNames))]);
  if (below(2) == 0) plan.limit_argument = 1 + below(20);
  if (plan.limit_argument > 0 && below(2) == 0) plan.offset_argument = 1 + below(20);
  return plan;
}

TEST(ReadPlanTest, RoundTripOfRandomPlans) {
  std::mt19937 random(1);
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    const ReadPlan plan = RandomPlan(random);
    const std::string text = EncodePlan(plan);
    const auto decoded = DecodePlan(text);
    ASSERT_TRUE(decoded.ok()) << text;
    ASSERT_TRUE(*decoded == plan) << text << "\n" << EncodePlan(*decoded);
  }
}

// A damaged text is refused or is itself a plan's text.
void ExpectRefusedOrItself(const std::string& text, int& refused) {
  const auto decoded = DecodePlan(text);
  if (!decoded.ok()) {
    ++refused;
    EXPECT_FALSE(decoded.status().message().empty());
    return;
  }
  ASSERT_EQ(EncodePlan(*decoded), text);
  for (const Condition& condition : decoded->conditions) {
    ASSERT_EQ(condition.argument > 0, condition.op != ConditionOp::kNotNull);
    ASSERT_GE(condition.end, 0);
    ASSERT_EQ(condition.end > 0, condition.op == ConditionOp::kLike);
    ASSERT_FALSE(condition.property.empty());
  }
  ASSERT_GE(decoded->rowid_argument, 0);
  ASSERT_GE(decoded->limit_argument, 0);
  ASSERT_GE(decoded->offset_argument, 0);
}

TEST(ReadPlanTest, NoKeyIsNull) {
  EXPECT_FALSE(DecodePlan("table scan: RowKey not null; select *").ok());
  EXPECT_FALSE(DecodePlan("table scan: PartitionKey not null; select *").ok());
}

TEST(ReadPlanTest, EveryMutilationIsRefusedOrAnotherPlan) {
  const std::string texts[] = {
      "point: PartitionKey eq ?1 and RowKey eq ?2; select PartitionKey,RowKey,\xC3\xA9; limit ?3",
      "row range: PartitionKey eq ?12 and RowKey ge ?1; select *; limit ?3 offset ?4",
      "partition range: PartitionKey lt ?999999; select A",
      "point: rowid eq ?1; select PartitionKey,RowKey",
      "table scan; select *",
      "row range: PartitionKey in ?1 and A is ?3 and B lt ?2*; select *; in order of RowKey",
      "table scan: A like ?1 to ?2 and B is ?3; select PartitionKey; in order; distinct; limit ?4",
      "table scan; select *; in order of PartitionKey; distinct",
      "table scan: A not null and B eq ?1 and C not null; select A,B",
      "table scan; select A; in up to 12 ranges; limit ?1",
  };
  const std::string bytes(";:,?*0019 aqP\n\xC3\xFF\0", 17);
  int tried = 0;
  int refused = 0;
  for (const std::string& text : texts) {
    for (size_t i = 0; i <= text.size(); ++i) {
      ++tried, ExpectRefusedOrItself(text.substr(0, i), refused);
      ++tried, ExpectRefusedOrItself(text.substr(i), refused);
      for (size_t size = 1; size <= 12 && i + size <= text.size(); ++size) {
        ++tried, ExpectRefusedOrItself(std::string(text).erase(i, size), refused);
      }
      for (const char byte : bytes) {
        ++tried, ExpectRefusedOrItself(std::string(text).insert(i, 1, byte), refused);
        if (i == text.size()) continue;
        std::string replaced = text;
        replaced[i] = byte;
        ++tried, ExpectRefusedOrItself(replaced, refused);
      }
    }
  }
  EXPECT_GT(refused, tried / 2);
  EXPECT_LT(refused, tried);
}

TEST(ReadPlanTest, RandomMutilationsAreRefusedOrAnotherPlan) {
  std::mt19937 random(2);
  constexpr std::string_view kParts[] = {" and ", "; ",       "?",          "1", " to ?2",
                                         "*",     "in order", "; distinct", " ", "rowid eq ?1",
                                         ",",     "select",   ":"};
  int refused = 0;
  for (int i = 0; i < support::Rounds(40'000); ++i) {
    std::string text = EncodePlan(RandomPlan(random));
    for (size_t n = 1 + random() % 2; n > 0; --n) {
      const size_t at = random() % (text.size() + 1);
      if (random() % 2 == 0) {
        text.erase(at, random() % 8);
      } else {
        text.insert(at, kParts[random() % std::size(kParts)]);
      }
    }
    ASSERT_NO_FATAL_FAILURE(ExpectRefusedOrItself(text, refused)) << text;
  }
  EXPECT_GT(refused, support::Rounds(20'000));
}

TEST(ReadPlanTest, TextsThatAreNoPlans) {
  for (const char* text : {
           "",
           "point",
           "select *",
           "table scan; select",
           "table scan; select ",
           "table scan; select ,",
           "table scan; select A,",
           "point; select *",  // a point has two equalities
           "table scan: PartitionKey eq ?1; select *",
           "row range: PartitionKey eq ?0; select *",
           "row range: PartitionKey eq ?01; select *",
           "row range: PartitionKey eq ?1000000; select *",
           "row range: PartitionKey eq ?99999999999999999999; select *",
           "row range: PartitionKey eq ?-1; select *",
           "row range: PartitionKey eq ?1 and ; select *",
           "row range: PartitionKey ne ?1; select *",
           "point: rowid eq ?0; select *",
           "point: rowid eq ?1 and rowid eq ?2; select *",
           "point: rowid in ?1 and rowid eq ?2; select *",
           "point: rowid in ?; select *",
           "point: A eq ?1 and rowid eq ?2; select *",
           "table scan: A not null ?1; select *",
           "table scan: A like ?1; select *",
           "table scan: A like ?1 to; select *",
           "table scan: A like ?1 to 2; select *",
           "table scan: A like ?1 to ?; select *",
           "table scan: A like ?1 to ?0; select *",
           "table scan: A like ?0 to ?1; select *",
           "table scan: A like ?1 to ?02; select *",
           "table scan: A like ?1 to ?2*; select *",
           "table scan: A like ?1 to ?2 to ?3; select *",
           "table scan: A like ?1 and A like ?2; select *",
           "table scan: A ge ?1 to ?2; select *",
           "table scan: A lt ?1**; select *",
           "table scan: A lt *?1; select *",
           "table scan: A LT ?1; select *",
           "table scan: A in (?1); select *",
           "table scan:  eq ?1; select *",
           "table scan: eq ?1; select *",
           "table scan; select *; distinct; in order",
           "table scan; select *; in order; in order",
           "table scan; select *; in order of rows",
           "table scan; select *; limit ?1; distinct",
           "table scan; select *; in up to 1 ranges",
           "table scan; select *; in up to 08 ranges",
           "table scan; select *; in up to ranges",
           "table scan; select *; in up to 8 ranges; in order",
           "table scan; select *; limit ?0",
           "table scan; select *; limit ?1 offset ?",
           "table scan; select *; offset ?1",
           "table scan; select *; limit ?1 ",
           "table scan; select *;",
       }) {
    EXPECT_FALSE(DecodePlan(text).ok()) << text;
  }
}

}  // namespace
}  // namespace aztables
