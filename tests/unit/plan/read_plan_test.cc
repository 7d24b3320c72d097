// Checks the text form of plans: golden texts, the round trip over random plans, and that any other
// text is refused, however little it differs.
#include "aztables/plan/read_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace aztables {
namespace {

constexpr CompareOp kOps[] = {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt,
                              CompareOp::kGe};

KeyCondition Partition(CompareOp op, int argument) { return {Key::kPartitionKey, op, argument}; }
KeyCondition Row(CompareOp op, int argument) { return {Key::kRowKey, op, argument}; }

TEST(ReadPlanTest, GoldenTexts) {
  struct Case {
    ReadPlan plan;
    const char* text;
  };
  const Case cases[] = {
      {{}, "table scan; select *"},
      {{.select = {"PartitionKey", "RowKey"}}, "table scan; select PartitionKey,RowKey"},
      {{.conditions = {Partition(CompareOp::kEq, 1), Row(CompareOp::kEq, 2)},
        .select = {"PartitionKey", "RowKey", "Title"}},
       "point: PartitionKey eq ?1 and RowKey eq ?2; select PartitionKey,RowKey,Title"},
      {{.conditions = {Partition(CompareOp::kEq, 2), Row(CompareOp::kGe, 1),
                       Row(CompareOp::kLt, 3)},
        .limit_argument = 4,
        .select = {"PartitionKey", "RowKey"}},
       "row range: PartitionKey eq ?2 and RowKey ge ?1 and RowKey lt ?3; "
       "select PartitionKey,RowKey; limit ?4"},
      {{.conditions = {Partition(CompareOp::kGt, 1), Partition(CompareOp::kLe, 2)},
        .limit_argument = 3,
        .offset_argument = 4},
       "partition range: PartitionKey gt ?1 and PartitionKey le ?2; select *; limit ?3 offset ?4"},
      {{.conditions = {Row(CompareOp::kEq, 1)}, .select = {"PartitionKey", "RowKey"}},
       "table scan: RowKey eq ?1; select PartitionKey,RowKey"},
      {{.rowid_argument = 1, .select = {"PartitionKey", "RowKey", "A"}},
       "point: rowid eq ?1; select PartitionKey,RowKey,A"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(EncodePlan(c.plan), c.text);
    const auto decoded = DecodePlan(c.text);
    ASSERT_TRUE(decoded.ok()) << c.text;
    EXPECT_TRUE(*decoded == c.plan) << EncodePlan(*decoded);
  }
}

TEST(ReadPlanTest, KindOfConditions) {
  // For each key: nothing, an equality, a range, both.
  const std::vector<CompareOp> shapes[] = {
      {}, {CompareOp::kEq}, {CompareOp::kGe, CompareOp::kLt}, {CompareOp::kGt, CompareOp::kEq}};
  constexpr ReadKind kTable = ReadKind::kTableScan;
  constexpr ReadKind kRange = ReadKind::kPartitionRange;
  constexpr ReadKind kRows = ReadKind::kRowRange;
  constexpr ReadKind kPoint = ReadKind::kPoint;
  constexpr ReadKind kExpected[4][4] = {{kTable, kTable, kTable, kTable},
                                        {kRows, kPoint, kRows, kPoint},
                                        {kRange, kRange, kRange, kRange},
                                        {kRows, kPoint, kRows, kPoint}};
  for (size_t partition = 0; partition < 4; ++partition) {
    for (size_t row = 0; row < 4; ++row) {
      std::vector<KeyCondition> conditions;
      for (const CompareOp op : shapes[partition]) conditions.push_back(Partition(op, 1));
      for (const CompareOp op : shapes[row]) conditions.push_back(Row(op, 1));
      EXPECT_EQ(KindOf(conditions), kExpected[partition][row]) << partition << " " << row;
      std::reverse(conditions.begin(), conditions.end());
      EXPECT_EQ(KindOf(conditions), kExpected[partition][row]) << partition << " " << row;
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
  } else {
    for (int n = below(5); n > 0; --n) {
      plan.conditions.push_back({below(2) == 0 ? Key::kPartitionKey : Key::kRowKey, kOps[below(5)],
                                 1 + below(below(2) == 0 ? 9 : 999'999)});
    }
  }
  for (int n = below(4); n > 0; --n) plan.select.emplace_back(kNames[below(std::size(kNames))]);
  if (below(2) == 0) plan.limit_argument = 1 + below(20);
  if (plan.limit_argument > 0 && below(2) == 0) plan.offset_argument = 1 + below(20);
  return plan;
}

TEST(ReadPlanTest, RoundTripOfRandomPlans) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const ReadPlan plan = RandomPlan(random);
    const std::string text = EncodePlan(plan);
    const auto decoded = DecodePlan(text);
    ASSERT_TRUE(decoded.ok()) << text;
    ASSERT_TRUE(*decoded == plan) << text << "\n" << EncodePlan(*decoded);
  }
}

// What is read back from a mutilated text is what that very text says, or nothing.
void ExpectRefusedOrItself(const std::string& text, size_t& refused) {
  const auto decoded = DecodePlan(text);
  if (!decoded.ok()) {
    ++refused;
    EXPECT_FALSE(decoded.status().message().empty());
    return;
  }
  ASSERT_EQ(EncodePlan(*decoded), text);
  for (const KeyCondition& condition : decoded->conditions) ASSERT_GT(condition.argument, 0);
  ASSERT_GE(decoded->rowid_argument, 0);
  ASSERT_GE(decoded->limit_argument, 0);
  ASSERT_GE(decoded->offset_argument, 0);
}

TEST(ReadPlanTest, EveryMutilationIsRefusedOrAnotherPlan) {
  const std::string texts[] = {
      "point: PartitionKey eq ?1 and RowKey eq ?2; select PartitionKey,RowKey,\xC3\xA9; limit ?3",
      "row range: PartitionKey eq ?12 and RowKey ge ?1; select *; limit ?3 offset ?4",
      "partition range: PartitionKey lt ?999999; select A",
      "point: rowid eq ?1; select PartitionKey,RowKey",
      "table scan; select *",
  };
  const std::string bytes(";:,?*0019 aqP\n\xC3\xFF\0", 17);
  size_t tried = 0;
  size_t refused = 0;
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
