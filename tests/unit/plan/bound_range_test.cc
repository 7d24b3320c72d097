// Checks that the difference between SQLite's order (UTF-8 bytes) and the service's (UTF-16 code
// units) loses no row. Random filters over random keys are evaluated as the service does, and
// compared with SQLite's rows. Filters of the longest keys must fit into a URL.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/key.h"
#include "plan/bound_plan.h"
#include "support/filter_reading.h"
#include "support/rounds.h"
#include "support/texts.h"
#include "support/utf16.h"

namespace aztables {
namespace {

constexpr ConditionOp kOps[] = {ConditionOp::kEq, ConditionOp::kLt, ConditionOp::kLe,
                                ConditionOp::kGt, ConditionOp::kGe};
constexpr size_t kUrlBudget = 8 * 1024;

struct Keys {
  std::string texts[2];  // PartitionKey, RowKey
  std::u16string units[2];
};

bool SqliteHolds(const std::string& left, ConditionOp op, const std::string& right) {
  switch (op) {
    case ConditionOp::kLt:
      return left < right;
    case ConditionOp::kLe:
      return left <= right;
    case ConditionOp::kGt:
      return left > right;
    case ConditionOp::kGe:
      return left >= right;
    default:
      return left == right;
  }
}

// The entities that the service sends for the read.
bool ServiceReturns(const BoundPlan& read, const Keys& entity) {
  if (read.empty) return false;
  EXPECT_EQ(read.size(), 1U);
  const EntityQuery query = read.At(0);
  EXPECT_TRUE(query.clauses.empty());
  if (query.point) {
    return query.point->first == entity.texts[0] && query.point->second == entity.texts[1];
  }
  for (const Comparison& comparison : query.filter) {
    const size_t key = comparison.property == "PartitionKey" ? 0 : 1;
    if (!support::Holds(entity.units[key], comparison.op, Utf16(comparison.literal.text)))
      return false;
  }
  return true;
}

std::string TextOf(const BoundPlan& read) {
  return read.empty ? "nothing" : FilterText(read.At(0).filter);
}

constexpr char32_t kAlphabet[] = {' ',    '\'',   'A',    'a',     'b',     '~',
                                  0xA0,   0x7FF,  0x800,  0xD7FE,  0xD7FF,  0xE000,
                                  0xE001, 0xFFFD, 0xFFFF, 0x10000, 0x10001, 0x10FFFF};

std::string RandomText(std::mt19937& random, size_t most) {
  return support::RandomText(random, kAlphabet, most);
}

// Long texts with common prefixes.
std::string RandomLongText(std::mt19937& random) {
  std::string text;
  const char* const fill[] = {"a", "'", "\xC3\xA9", " "};
  const char* const unit = fill[random() % std::size(fill)];
  for (size_t n = random() % 1024; n > 0; --n) text += unit;
  return text + RandomText(random, 2);
}

struct RandomRead {
  std::vector<std::string> texts;
  ReadPlan plan;

  explicit RandomRead(std::mt19937& random, bool long_texts) {
    for (size_t n = random() % 5; n > 0; --n) {
      texts.push_back(long_texts && random() % 2 == 0 ? RandomLongText(random)
                                                      : RandomText(random, 4));
      plan.conditions.push_back({std::string(random() % 2 == 0 ? kPartitionKeyName : kRowKeyName),
                                 kOps[random() % std::size(kOps)], static_cast<int>(texts.size())});
    }
  }
  std::vector<ReadArgument> Values() const {
    std::vector<ReadArgument> values;
    for (const std::string& text : texts) values.emplace_back(SqlValue::Text(text));
    return values;
  }
  bool SqliteKeeps(const Keys& entity) const {
    for (const Condition& condition : plan.conditions) {
      const std::string& text = texts[static_cast<size_t>(condition.argument) - 1];
      const size_t key = condition.property == kPartitionKeyName ? 0 : 1;
      if (!SqliteHolds(entity.texts[key], condition.op, text)) return false;
    }
    return true;
  }
};

// A key that SQLite sees as `text`: the service has lone surrogates for some U+FFFD.
std::string RandomKey(std::mt19937& random, std::string text) {
  constexpr char32_t kHalves[] = {0xD800, 0xD83D, 0xDC00, 0xDFFF};
  for (size_t at = 0; (at = text.find("\xEF\xBF\xBD", at)) != std::string::npos; at += 3) {
    std::string half;
    AppendUtf8(half, kHalves[random() % std::size(kHalves)]);
    if (random() % 2 == 0) text.replace(at, 3, half);
  }
  return aztables::TextOf(Utf16(text));
}

Keys MakeKeys(const std::string& partition_key, const std::string& row_key) {
  Keys entity;
  entity.units[0] = Utf16(partition_key);
  entity.units[1] = Utf16(row_key);
  entity.texts[0] = WithoutLoneSurrogates(partition_key);
  entity.texts[1] = WithoutLoneSurrogates(row_key);
  return entity;
}

struct Tally {
  size_t kept = 0;
  size_t left_out = 0;  // neither kept nor sent
  size_t extra = 0;     // sent, not kept
};

void Check(const RandomRead& random_read, const BoundPlan& read, const Keys& entity, Tally& tally) {
  const bool kept = random_read.SqliteKeeps(entity);
  const bool sent = ServiceReturns(read, entity);
  ASSERT_TRUE(sent || !kept) << TextOf(read) << "\nloses "
                             << testing::PrintToString(entity.texts[0]) << " "
                             << testing::PrintToString(entity.texts[1]);
  if (kept) {
    ++tally.kept;
  } else {
    ++(sent ? tally.extra : tally.left_out);
  }
}

TEST(BoundRangeTest, NoRowIsLost) {
  std::mt19937 random(7);
  Tally tally;
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    const RandomRead random_read(random, false);
    const BoundPlan read = BindRead(random_read.plan, random_read.Values(), {});
    for (int j = 0; j < 10; ++j) {
      // Half of the keys equal values of the conditions or share their prefixes.
      const auto key = [&] {
        if (random_read.texts.empty() || random() % 2 == 0) return RandomText(random, 4);
        const std::string& text = random_read.texts[random() % random_read.texts.size()];
        return text + RandomText(random, random() % 2);
      };
      ASSERT_NO_FATAL_FAILURE(Check(
          random_read, read, MakeKeys(RandomKey(random, key()), RandomKey(random, key())), tally));
    }
  }
  EXPECT_GT(tally.kept, support::Rounds(20'000U));
  EXPECT_GT(tally.left_out, support::Rounds(20'000U));
  EXPECT_GT(tally.extra, support::Rounds(1'000U)) << "the alphabet is too tame";
  EXPECT_LT(tally.extra, tally.left_out / 2) << "ranges are widened too much";
}

// The characters that the literals need in the URL.
size_t EncodedSize(const BoundPlan& read) {
  size_t size = 0;
  const auto add = [&](const std::string& text) {
    size += PercentEncodedSize(Literal(Value::String(text)));
  };
  if (read.empty) return 0;
  const EntityQuery query = read.At(0);
  for (const Comparison& comparison : query.filter) add(comparison.literal.text);
  // A point whose URL is too long is read by filter.
  if (query.point) add(query.point->first), add(query.point->second);
  return size;
}

TEST(BoundRangeTest, LongKeysLoseNoRowAndFitIntoAUrl) {
  std::mt19937 random(8);
  Tally tally;
  size_t most = 0;
  for (int i = 0; i < support::Rounds(5'000); ++i) {
    const RandomRead random_read(random, true);
    const BoundPlan read = BindRead(random_read.plan, random_read.Values(), {});
    most = std::max(most, EncodedSize(read));
    for (int j = 0; j < 10; ++j) {
      const auto key = [&] {
        if (random_read.texts.empty() || random() % 8 == 0) return RandomLongText(random);
        const std::string& text = random_read.texts[random() % random_read.texts.size()];
        if (random() % 2 == 0) return text;
        std::string other = text.substr(0, text.size() / 2);
        while (!IsValidUtf8(other)) other.pop_back();
        return other + RandomText(random, 3);
      };
      ASSERT_NO_FATAL_FAILURE(Check(
          random_read, read, MakeKeys(RandomKey(random, key()), RandomKey(random, key())), tally));
    }
  }
  EXPECT_LE(most, kUrlBudget);
  EXPECT_GT(most, kUrlBudget / 2) << "the keys are not long";
  EXPECT_GT(tally.kept, support::Rounds(5'000U));
  EXPECT_GT(tally.left_out, support::Rounds(5'000U));
}

TEST(BoundRangeTest, TheLongestKeysFitIntoAUrl) {
  for (const char* unit : {"a", "'", " ", "\xC3\xA9", "\xE5\x90\x8D", "\xEF\xBF\xBD"}) {
    std::string key;
    for (size_t i = 0; i < kMaxKeyLength; ++i) key += unit;
    const SqlValue value = SqlValue::Text(key);
    ReadPlan equalities;
    equalities.conditions = {{"PartitionKey", ConditionOp::kEq, 1},
                             {"RowKey", ConditionOp::kEq, 2}};
    const BoundPlan point = BindRead(equalities, {value, value}, {});
    EXPECT_LE(EncodedSize(point), kUrlBudget) << unit;
    EXPECT_TRUE(ServiceReturns(point, MakeKeys(key, key))) << unit;

    ReadPlan ranges;  // as many as the planner accepts
    std::vector<ReadArgument> values;
    for (int i = 1; i <= 12; ++i) {
      ranges.conditions.push_back({i <= 6 ? "PartitionKey" : "RowKey",
                                   i % 2 == 0 ? ConditionOp::kLe : ConditionOp::kGe, i});
      values.emplace_back(value);
    }
    const BoundPlan range = BindRead(ranges, values, {});
    EXPECT_LE(EncodedSize(range), kUrlBudget) << unit;
    EXPECT_TRUE(ServiceReturns(range, MakeKeys(key, key))) << unit;
  }
}

// Conditions on rows are dropped, not the partition.
TEST(BoundRangeTest, APartitionIsNamedHoweverLongItsKeyIs) {
  for (const char* unit : {"a", "\xE5\x90\x8D", "\xEF\xBC\xA1", "\xF0\x9F\x98\x80"}) {
    std::string partition;
    for (size_t i = 0; i < 512; ++i) partition += unit;
    for (const size_t rows : {size_t{1}, size_t{100}, size_t{512}}) {
      std::string row;
      for (size_t i = 0; i < rows; ++i) row += unit;
      for (const ConditionOp op : {ConditionOp::kEq, ConditionOp::kGe, ConditionOp::kLt}) {
        ReadPlan plan;
        plan.conditions = {{"RowKey", op, 2}, {"PartitionKey", ConditionOp::kEq, 1}};
        const BoundPlan read = BindRead(plan, {SqlValue::Text(partition), SqlValue::Text(row)}, {});
        ASSERT_EQ(read.size(), 1U);
        EXPECT_TRUE(read.kind == ReadKind::kPoint || read.kind == ReadKind::kRowRange) << unit;
        EXPECT_EQ(read.partitions, std::vector<std::string>{partition});
        EXPECT_LE(EncodedSize(read), kUrlBudget) << unit;
        const bool equal = op != ConditionOp::kLt;
        EXPECT_TRUE(!equal || ServiceReturns(read, MakeKeys(partition, row)));
        if (rows > 1) continue;
        EXPECT_EQ(read.kind == ReadKind::kPoint, op == ConditionOp::kEq) << unit;
      }
    }
  }
}

TEST(BoundRangeTest, AnEqualityThatIsTooLongBecomesAPrefix) {
  const std::string key(1'000'000, 'k');
  ReadPlan plan;
  plan.conditions = {{"PartitionKey", ConditionOp::kEq, 1}};
  const BoundPlan read = BindRead(plan, {SqlValue::Text(key)}, {});
  EXPECT_EQ(read.kind, ReadKind::kPartitionRange);
  ASSERT_EQ(read.query.filter.size(), 2U);
  EXPECT_EQ(read.query.filter[0].op, CompareOp::kGe);
  EXPECT_EQ(read.query.filter[1].op, CompareOp::kLt);
  EXPECT_GT(read.query.filter[0].literal.text.size(), 3000U) << "no shorter than need be";
  EXPECT_LE(EncodedSize(read), kUrlBudget);
  EXPECT_TRUE(ServiceReturns(read, MakeKeys(key, "")));
  EXPECT_FALSE(ServiceReturns(read, MakeKeys("kl", "")));
}

}  // namespace
}  // namespace aztables
