// Checks $filter texts: the literal of every type, and conjunctions.
#include "odata/filter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "support/rounds.h"

namespace aztables {
namespace {

TEST(LiteralTest, EveryType) {
  const std::pair<Value, const char*> kLiterals[] = {
      {Value::String("plain"), "'plain'"},
      {Value::String(""), "''"},
      {Value::String("O'Brien"), "'O''Brien'"},
      {Value::String("'"), "''''"},
      {Value::String("''"), "''''''"},
      {Value::String("a\"b%c\\d+\xC3\xA9"), "'a\"b%c\\d+\xC3\xA9'"},
      {Value::String("' or PartitionKey ne '"), "''' or PartitionKey ne '''"},
      {Value::Int32(30), "30"},
      {Value::Int32(-5), "-5"},
      {Value::Int32(std::numeric_limits<int32_t>::min()), "-2147483648"},
      {Value::Int64(30), "30L"},
      {Value::Int64(-1), "-1L"},
      {Value::Int64(std::numeric_limits<int64_t>::max()), "9223372036854775807L"},
      {Value::Int64(std::numeric_limits<int64_t>::min()), "-9223372036854775808L"},
      {Value::Boolean(true), "true"},
      {Value::Boolean(false), "false"},
      {Value::DateTime("2026-11-02T10:00:00.0000001Z"), "datetime'2026-11-02T10:00:00.0000001Z'"},
      {Value::Guid("a455c695-df98-5678-aaaa-81d3367e5a34"),
       "guid'a455c695-df98-5678-aaaa-81d3367e5a34'"},
      {Value::Binary(std::string_view("\x00\x0A\x1F\xFF", 4)), "X'000A1FFF'"},
      {Value::Binary(""), "X''"},
  };
  for (const auto& [value, text] : kLiterals) EXPECT_EQ(Literal(value), text);
}

TEST(LiteralTest, DoublesHaveAPointAndNoExponent) {
  const std::pair<double, const char*> kDoubles[] = {
      {5.0, "5.0"},
      {-5.0, "-5.0"},
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {100.25, "100.25"},
      {0.1, "0.1"},
      {1e-7, "0.0000001"},
      {1e20, "100000000000000000000.0"},
      {1e22, "10000000000000000000000.0"},
      {123456789.125, "123456789.125"},
      {4.1, "4.1"},
  };
  for (const auto& [value, text] : kDoubles) EXPECT_EQ(Literal(Value::Double(value)), text);
}

TEST(LiteralTest, EveryFiniteDoubleReadsBack) {
  std::mt19937_64 random(8);
  std::vector<double> values = {
      std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(),
      std::numeric_limits<double>::min(), std::numeric_limits<double>::denorm_min(),
      std::nextafter(1.0, 2.0)};
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    const uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) values.push_back(value);
  }
  for (const double value : values) {
    const std::string text = Literal(Value::Double(value));
    ASSERT_EQ(text.find_first_not_of("0123456789.-"), std::string::npos) << text;
    const size_t point = text.find('.');
    ASSERT_NE(point, std::string::npos) << text;
    ASSERT_EQ(text.find('.', point + 1), std::string::npos) << text;
    ASSERT_LT(point + 1, text.size()) << text;
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

TEST(FilterTest, Operators) {
  EXPECT_EQ(OpName(CompareOp::kEq), "eq");
  EXPECT_EQ(OpName(CompareOp::kLt), "lt");
  EXPECT_EQ(OpName(CompareOp::kLe), "le");
  EXPECT_EQ(OpName(CompareOp::kGt), "gt");
  EXPECT_EQ(OpName(CompareOp::kGe), "ge");
  EXPECT_EQ(OpName(CompareOp::kNe), "ne");
  for (const char* name : {"eq", "lt", "le", "gt", "ge", "ne"}) {
    const auto op = OpFromName(name);
    ASSERT_TRUE(op.has_value()) << name;
    EXPECT_EQ(OpName(*op), name);
  }
  for (const char* name : {"", "EQ", "e", "eq ", "and", "add"}) EXPECT_FALSE(OpFromName(name));
}

TEST(FilterTest, Conjunctions) {
  EXPECT_EQ(FilterText({}), "");
  EXPECT_EQ(FilterText({{"PartitionKey", CompareOp::kEq, Value::String("a")}}),
            "PartitionKey eq 'a'");
  EXPECT_EQ(FilterText({{"PartitionKey", CompareOp::kEq, Value::String("it's")},
                        {"RowKey", CompareOp::kGe, Value::String("b")},
                        {"RowKey", CompareOp::kLt, Value::String("c")},
                        {"Rating", CompareOp::kGt, Value::Double(4)},
                        {"Seen", CompareOp::kLe, Value::Int64(5)}}),
            "PartitionKey eq 'it''s' and RowKey ge 'b' and RowKey lt 'c' and Rating gt 4.0 and "
            "Seen le 5L");
}

TEST(FilterTest, Disjunction) {
  const Conjunction keys = {{"PartitionKey", CompareOp::kEq, Value::String("a")}};
  const Conjunction five = {{"N", CompareOp::kEq, Value::Int32(5)}};
  const Conjunction wide = {{"N", CompareOp::kEq, Value::Int64(5)}};
  const Conjunction near = {{"N", CompareOp::kGe, Value::Double(4.5)},
                            {"N", CompareOp::kLe, Value::Double(5.5)}};
  const std::pair<std::vector<Disjunction>, const char*> kCases[] = {
      {{}, ""},
      {{{five}}, "N eq 5"},
      {{{near}}, "N ge 4.5 and N le 5.5"},
      {{{five, wide}}, "(N eq 5 or N eq 5L)"},
      {{{five, near, wide}}, "(N eq 5 or (N ge 4.5 and N le 5.5) or N eq 5L)"},
      {{{five, wide}, {near}, {wide, five}},
       "(N eq 5 or N eq 5L) and N ge 4.5 and N le 5.5 and (N eq 5L or N eq 5)"},
  };
  for (const auto& [clauses, text] : kCases) {
    EXPECT_EQ(FilterText({}, clauses), text);
    const std::string with = *text == 0 ? "" : std::string(" and ") + text;
    EXPECT_EQ(FilterText(keys, clauses), "PartitionKey eq 'a'" + with);
  }
}

}  // namespace
}  // namespace aztables
