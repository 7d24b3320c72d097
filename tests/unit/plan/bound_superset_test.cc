// Checks that plans lose no row: random conditions on keys and properties over random entities,
// against models of SQLite and the service. Every query of a read is sent once, in SQLite's order.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "plan/bound_plan.h"
#include "support/filter_reading.h"
#include "support/rounds.h"
#include "support/sqlite_compare.h"

namespace aztables {
namespace {

using support::Affinity;
using support::SqlThing;
using Type = SqlValue::Type;

constexpr ConditionOp kOps[] = {ConditionOp::kEq, ConditionOp::kLt,   ConditionOp::kLe,
                                ConditionOp::kGt, ConditionOp::kGe,   ConditionOp::kIs,
                                ConditionOp::kIn, ConditionOp::kLike, ConditionOp::kNotNull};
constexpr const char* kNames[] = {"PartitionKey", "RowKey", "S", "N"};

Schema TwoProperties() {
  Schema schema;
  schema.properties = {{"s", "S", EdmType::kString}, {"n", "N", EdmType::kInt64}};
  return schema;
}

bool IsUpper(ConditionOp op) { return op == ConditionOp::kLt || op == ConditionOp::kLe; }

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  size_t Below(size_t n) { return random_() % n; }

  // Short texts of a small alphabet, so that many are equal.
  std::string Text() {
    constexpr const char* kLetters[] = {"a",
                                        "b",
                                        "A",
                                        "5",
                                        "0",
                                        " ",
                                        "-",
                                        "'",
                                        "/",
                                        "\xED\x9F\xBF",
                                        "\xEE\x80\x80",
                                        "\xF0\x90\x80\x80"};
    std::string text;
    for (size_t n = Below(4); n > 0; --n)
      text += kLetters[Below(Below(2) == 0 ? 4 : std::size(kLetters))];
    return text;
  }

 private:
  std::mt19937 random_;
};

struct Entity {
  Value keys[2];
  std::optional<Value> s;
  std::optional<Value> n;

  const Value* Find(std::string_view name) const {
    if (name == "PartitionKey") return &keys[0];
    if (name == "RowKey") return &keys[1];
    const std::optional<Value>& value = name == "S" ? s : n;
    return value ? &*value : nullptr;
  }
};

std::string KeyText(Random& random) {
  std::string text = random.Text();
  for (char& c : text) c = c == '/' ? 'c' : c;
  return text;
}

Entity RandomEntity(Random& random) {
  Entity entity;
  for (Value& key : entity.keys) key = Value::String(KeyText(random));
  if (random.Below(8) > 0) entity.s = Value::String(random.Text());
  const auto number = static_cast<int32_t>(random.Below(13)) - 6;
  if (random.Below(8) > 0) {
    entity.n = random.Below(2) == 0 ? Value::Int32(number) : Value::Int64(number);
  }
  if (random.Below(10) == 0) entity.n = Value::Double(number);
  if (random.Below(10) == 0) entity.s = Value::Int32(number);
  return entity;
}

// A plan and the storage of its values.
struct RandomRead {
  ReadPlan plan;
  std::vector<ReadArgument> arguments;
  std::deque<std::string> texts;

  SqlValue RandomValue(Random& random) {
    const auto number = static_cast<int64_t>(random.Below(13)) - 6;
    SqlValue value;
    switch (random.Below(12)) {
      case 0:
        return SqlValue::Null();
      case 1:
        texts.push_back(random.Text());
        return SqlValue::Blob(texts.back());
      case 2:
      case 3:
      case 4:
        return random.Below(2) == 0 ? SqlValue::Integer(number)
                                    : SqlValue::Real(static_cast<double>(number) / 2);
      default:
        texts.push_back(random.Text());
        value = SqlValue::Text(texts.back());
        value.as_text = random.Below(3) == 0;
    }
    return value;
  }

  explicit RandomRead(Random& random) {
    bool equal[2] = {};
    for (size_t n = random.Below(4); n > 0; --n) {
      const size_t name = random.Below(std::size(kNames));
      ConditionOp op = kOps[random.Below(std::size(kOps))];
      const bool equality =
          op == ConditionOp::kEq || op == ConditionOp::kIs || op == ConditionOp::kIn;
      // A key has at most one equality, and then no range.
      if (name < 2 && equal[name]) continue;
      if (name < 2 && equality) equal[name] = true;
      Condition condition{kNames[name], op};
      if (op == ConditionOp::kNotNull) {
        if (name >= 2) plan.conditions.push_back(condition);
        continue;
      }
      ReadArgument argument;
      if (op == ConditionOp::kIn) {
        for (size_t size = random.Below(random.Below(2) == 0 ? 4 : 15); size > 0; --size) {
          argument.list.push_back(RandomValue(random));
        }
      } else {
        argument.value = RandomValue(random);
      }
      ReadArgument end;
      if (op == ConditionOp::kLike) {
        end.value = RandomValue(random);
        const std::string prefix = random.Text();
        if (!prefix.empty() && random.Below(4) > 0) {  // as SQLite makes them
          const support::LikeBounds bounds(prefix);
          argument.value = SqlValue::Text(texts.emplace_back(bounds.low));
          end.value = SqlValue::Text(texts.emplace_back(bounds.end));
        }
      }
      arguments.push_back(argument);
      condition.argument = static_cast<int>(arguments.size());
      if (op == ConditionOp::kLike) {
        arguments.push_back(end);
        condition.end = static_cast<int>(arguments.size());
      }
      condition.computed = IsUpper(op) && random.Below(2) == 0;
      plan.conditions.push_back(std::move(condition));
    }
  }

  static bool Keeps(const SqlThing& left, EdmType type, const Condition& condition, ConditionOp op,
                    const SqlValue& value,
                    support::Collating collating = support::Collating::kBinary) {
    const SqlThing right(value);
    std::vector<Affinity> affinities = {Affinity::kNone};
    if (!value.as_text && (!IsUpper(op) || condition.computed)) {
      const bool number = right.type == Type::kText && support::NumberInText(right.text);
      if (!number) affinities.push_back(Affinity::kNumeric);
      if (!right.is_number()) affinities.push_back(Affinity::kText);
      affinities.push_back(Affinity::kBlob);
    }
    return std::any_of(affinities.begin(), affinities.end(), [&](Affinity affinity) {
      return support::Keeps(left, support::AffinityOf(type), op, right, affinity, collating);
    });
  }

  bool SqliteKeeps(const Entity& entity) const {
    return std::all_of(plan.conditions.begin(), plan.conditions.end(), [&](const auto& condition) {
      const EdmType type = condition.property == "N" ? EdmType::kInt64 : EdmType::kString;
      const Value* const stored = entity.Find(condition.property);
      const SqlThing left = stored ? support::Shown(*stored, type) : SqlThing();
      if (condition.op == ConditionOp::kNotNull) return left.type != Type::kNull;
      const ReadArgument& argument = arguments[static_cast<size_t>(condition.argument) - 1];
      if (condition.op == ConditionOp::kLike) {
        const SqlValue& end = arguments[static_cast<size_t>(condition.end) - 1].value;
        constexpr auto kNoCase = support::Collating::kNoCase;
        return Keeps(left, type, condition, ConditionOp::kGe, argument.value, kNoCase) &&
               Keeps(left, type, condition, ConditionOp::kLt, end, kNoCase);
      }
      if (condition.op != ConditionOp::kIn) {
        return Keeps(left, type, condition, condition.op, argument.value);
      }
      return std::any_of(argument.list.begin(), argument.list.end(), [&](const SqlValue& value) {
        return Keeps(left, type, condition, ConditionOp::kEq, value);
      });
    });
  }
};

// The number of the read's queries that return the entity.
size_t TimesReturned(const BoundPlan& read, const Entity& entity) {
  size_t times = 0;
  for (size_t i = 0; !read.empty && i < read.size(); ++i) {
    const EntityQuery query = read.At(i);
    const bool returned =
        query.point ? query.point->first == entity.keys[0].text &&
                          query.point->second == entity.keys[1].text
                    : support::Returns(query.filter, query.clauses,
                                       [&](std::string_view name) { return entity.Find(name); });
    times += returned ? 1 : 0;
  }
  return times;
}

size_t Comparisons(const EntityQuery& query) {
  size_t count = query.filter.size();
  for (const Disjunction& disjunction : query.clauses) {
    for (const Conjunction& alternative : disjunction) count += alternative.size();
  }
  return count;
}

TEST(BoundSupersetTest, NoRowIsLostAndNoneComesTwice) {
  const Schema schema = TwoProperties();
  Random random(51);
  int kept = 0;
  int left_out = 0;
  int extra = 0;
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    const RandomRead random_read(random);
    const BoundPlan read = BindRead(random_read.plan, random_read.arguments, schema);
    for (size_t query = 0; !read.empty && query < read.size(); ++query) {
      ASSERT_LE(Comparisons(read.At(query)), kMostComparisons + 3);
      if (query > 0 && read.kind == ReadKind::kPoint) {
        ASSERT_LT(*read.At(query - 1).point, *read.At(query).point);
      }
    }
    ASSERT_TRUE(std::is_sorted(read.partitions.begin(), read.partitions.end()));
    for (int j = 0; j < 10; ++j) {
      const Entity entity = RandomEntity(random);
      const bool keeps = random_read.SqliteKeeps(entity);
      const size_t times = TimesReturned(read, entity);
      ASSERT_LE(times, 1U);
      ASSERT_TRUE(times == 1 || !keeps)
          << EncodePlan(random_read.plan) << "\n"
          << (read.empty ? "nothing" : FilterText(read.At(0).filter, read.At(0).clauses))
          << "\nloses " << entity.keys[0].text << "/" << entity.keys[1].text;
      ++(keeps ? kept : times > 0 ? extra : left_out);
    }
  }
  EXPECT_GT(kept, support::Rounds(20'000));
  EXPECT_GT(left_out, support::Rounds(40'000));
  EXPECT_LT(extra, left_out / 2);
}

}  // namespace
}  // namespace aztables
