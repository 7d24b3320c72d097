// Checks comparisons with numbers: which texts are numbers, and that no value is lost for integers
// of all sizes and doubles near the constant. Filters match no additional integers.
#include "plan/number_filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/filter_reading.h"
#include "support/property_values.h"
#include "support/rounds.h"
#include "support/sqlite_compare.h"

namespace aztables {
namespace {

using support::SqlThing;
using Type = SqlValue::Type;

constexpr CompareOp kOps[] = {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt,
                              CompareOp::kGe};
constexpr int64_t kFar = int64_t{1} << 62;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(NumberOfTest, AgreesWithSqliteOrSaysNothing) {
  const char kCharacters[] = "0123456789+-.eE \t\n\v\fx";
  std::mt19937_64 random(31);
  int numbers = 0;
  for (int i = 0; i < support::Rounds(200'000); ++i) {
    std::string text;
    for (size_t n = random() % 9; n > 0; --n)
      text += kCharacters[random() % (sizeof kCharacters - 1)];
    const auto number = NumberOf(SqlValue::Text(text));
    if (!number) continue;
    ++numbers;
    const auto sqlite = support::NumberInText(text);
    ASSERT_TRUE(sqlite) << support::Describe(text);
    ASSERT_EQ(support::CompareNumbers(SqlThing(*number), *sqlite), 0) << support::Describe(text);
  }
  EXPECT_GT(numbers, support::Rounds(5'000));
}

TEST(NumberOfTest, Values) {
  EXPECT_EQ(NumberOf(SqlValue::Integer(5))->integer, 5);
  EXPECT_EQ(NumberOf(SqlValue::Real(5.5))->real, 5.5);
  EXPECT_EQ(NumberOf(SqlValue::Text(" 5 "))->type, Type::kInteger);
  EXPECT_EQ(NumberOf(SqlValue::Text("-5e-1"))->real, -0.5);
  EXPECT_TRUE(NumberOf(SqlValue::Text("123456789012345")));
  EXPECT_FALSE(NumberOf(SqlValue::Text("1234567890123456"))) << "its last digit is not certain";
  for (const char* text : {"", " ", "x", "5x", "0x5", "inf", "nan", "1e999", "e5", "-", "5 5"}) {
    EXPECT_FALSE(NumberOf(SqlValue::Text(text))) << text;
  }
  EXPECT_FALSE(NumberOf(SqlValue::Null()));
  EXPECT_FALSE(NumberOf(SqlValue::Blob("5")));
}

bool Keeps(const SqlThing& value, CompareOp op, const SqlThing& number) {
  return support::Holds(support::CompareNumbers(value, number), op, 0);
}
bool Returns(const Disjunction& filter, const Value& value) {
  const support::PropertyOf property_of = [&](std::string_view) { return &value; };
  return support::Returns(filter, property_of);
}

std::vector<SqlValue> Numbers(std::mt19937_64& random) {
  std::vector<SqlValue> numbers;
  const support::PropertyValues values(random);
  for (const SqlValue& value : values.constants()) {
    if (value.type == Type::kInteger || value.type == Type::kReal) numbers.push_back(value);
  }
  for (int i = 0; i < 300; ++i) {
    const auto bits = static_cast<int64_t>(random());
    numbers.push_back(SqlValue::Integer(bits >> (random() % 64)));
    numbers.push_back(
        SqlValue::Real(std::ldexp(static_cast<double>(bits), -static_cast<int>(random() % 70))));
  }
  return numbers;
}

TEST(NumberFilterTest, IntegersAreComparedExactly) {
  std::mt19937_64 random(32);
  const std::vector<SqlValue> numbers = Numbers(random);
  size_t unsaid = 0;
  for (const SqlValue& number : numbers) {
    for (const EdmType type : {EdmType::kInt32, EdmType::kInt64}) {
      for (const CompareOp op : kOps) {
        const auto filter = NumberFilter("P", type, op, number);
        if (!filter) {
          ++unsaid;
          continue;
        }
        for (int i = 0; i < 12; ++i) {
          SqlThing value(numbers[random() % numbers.size()]);
          if (i < 6) value = SqlThing(number);
          if (value.type == Type::kReal) {
            if (!(std::abs(value.real) < 9e18)) continue;
            value = SqlThing(SqlValue::Integer(static_cast<int64_t>(value.real)));
          }
          if (i % 3 > 0 && value.integer > -kFar && value.integer < kFar)
            value.integer += i % 3 == 1 ? 1 : -1;
          const bool narrow = value.integer == static_cast<int32_t>(value.integer);
          if (type == EdmType::kInt32 && !narrow) continue;
          const Value stored = type == EdmType::kInt32
                                   ? Value::Int32(static_cast<int32_t>(value.integer))
                                   : Value::Int64(value.integer);
          ASSERT_EQ(Returns(*filter, stored), Keeps(value, op, SqlThing(number)))
              << value.integer << " " << OpName(op) << " " << support::Describe(number) << ": "
              << (filter->empty() ? "nothing" : FilterText({}, {*filter}));
        }
      }
    }
  }
  EXPECT_LT(unsaid, 40U) << "the least integers alone";
}

TEST(NumberFilterTest, NoDoubleIsLostThatIsShownWithFifteenDigits) {
  std::mt19937_64 random(33);
  size_t kept = 0;
  size_t extra = 0;
  size_t left_out = 0;
  for (SqlValue number : Numbers(random)) {
    for (int i = 0; i < 20; ++i) {
      double real = number.type == Type::kReal ? number.real : static_cast<double>(number.integer);
      if (i % 5 == 4) real *= 1 + std::ldexp(1.0, -static_cast<int>(random() % 40));
      for (size_t n = random() % 30; n > 0; --n)
        real = std::nextafter(real, i % 2 == 0 ? kInfinity : -kInfinity);
      if (!std::isfinite(real)) continue;
      if (i % 3 == 0 && number.type == Type::kReal) number.real = support::Rounded(real);
      const SqlThing shown(SqlValue::Real(support::Rounded(real)));
      const SqlThing whole(SqlValue::Real(real));
      for (const CompareOp op : kOps) {
        const auto filter = NumberFilter("P", EdmType::kDouble, op, number);
        if (!filter) continue;
        const bool keeps = Keeps(shown, op, SqlThing(number)) || Keeps(whole, op, SqlThing(number));
        const bool returns = Returns(*filter, Value::Double(real));
        ASSERT_TRUE(returns || !keeps)
            << support::Describe(real) << " " << OpName(op) << " " << support::Describe(number)
            << ": " << FilterText({}, {*filter});
        ++(keeps ? kept : returns ? extra : left_out);
      }
    }
  }
  EXPECT_GT(kept, 10'000U);
  EXPECT_GT(left_out, 3'000U);
  EXPECT_LT(extra, kept);
}

TEST(NumberFilterTest, AroundEveryPowerOfTen) {
  for (int power = -320; power <= 307; ++power) {
    const double ten = std::strtod(("1e" + std::to_string(power)).c_str(), nullptr);
    for (const double center : {ten, -ten, 9 * ten}) {
      double real = center;
      for (int i = -25; i < 0; ++i) real = std::nextafter(real, -kInfinity);
      for (int i = -25; i <= 25; ++i, real = std::nextafter(real, kInfinity)) {
        const SqlThing shown(SqlValue::Real(support::Rounded(real)));
        for (const CompareOp op : kOps) {
          const auto filter = NumberFilter("P", EdmType::kDouble, op, SqlValue::Real(center));
          ASSERT_TRUE(filter) << power;
          ASSERT_TRUE(Returns(*filter, Value::Double(real)) ||
                      !Keeps(shown, op, SqlThing(SqlValue::Real(center))))
              << support::Describe(real) << " " << OpName(op) << " " << support::Describe(center);
        }
      }
    }
  }
}

TEST(NumberFilterTest, InfiniteAndGreatestDoublesAreNotSaid) {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const double real : {kInfinity, -kInfinity, kMost, -kMost}) {
    for (const CompareOp op : kOps) {
      EXPECT_FALSE(NumberFilter("P", EdmType::kDouble, op, SqlValue::Real(real)));
    }
  }
  EXPECT_TRUE(NumberFilter("P", EdmType::kDouble, CompareOp::kEq, SqlValue::Real(1e308)));
}

TEST(NumberFilterTest, EveryNumberPassesAnyNumber) {
  for (const Value& value :
       {Value::Int32(0), Value::Int32(-1), Value::Int64(1), Value::Int64(-5), Value::Double(0.0),
        Value::Double(-0.0), Value::Double(kInfinity), Value::Double(-kInfinity),
        Value::Boolean(true), Value::Boolean(false)}) {
    EXPECT_TRUE(Returns(AnyNumber("P", value.type), value)) << support::Describe(value);
  }
  EXPECT_FALSE(Returns(AnyNumber("P", EdmType::kDouble), Value::Double(NAN)));
}

}  // namespace
}  // namespace aztables
