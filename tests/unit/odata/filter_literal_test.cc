// The literals of a filter and their values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "odata/filter_tree.h"

namespace aztables {
namespace {

// The value of `literal` on either side of a property.
Value Parsed(const std::string& literal) {
  const auto right = ParseFilter("A eq " + literal);
  const auto left = ParseFilter(literal + " eq A");
  EXPECT_TRUE(right.ok()) << literal;
  EXPECT_TRUE(left.ok()) << literal;
  if (!right.ok() || !left.ok()) return Value();
  const Value& value = right->comparison.literal;
  if (!std::isnan(value.real)) {
    EXPECT_EQ(left->comparison.literal, value) << literal;
  }
  return value;
}

void ExpectValues(const std::vector<std::pair<std::string, Value>>& cases) {
  for (const auto& [literal, value] : cases) EXPECT_EQ(Parsed(literal), value) << literal;
}

TEST(FilterLiteralTest, Texts) {
  ExpectValues({
      {"''", Value::String("")},
      {"'a'", Value::String("a")},
      {"'O''Brien'", Value::String("O'Brien")},
      {"''''", Value::String("'")},
      {"''''''", Value::String("''")},
      {"'a''''b'", Value::String("a''b")},
      {"' and A eq ''b'' or ('", Value::String(" and A eq 'b' or (")},
      {"'\xF0\x9F\x98\x80\xC3\xA4'", Value::String("\xF0\x9F\x98\x80\xC3\xA4")},
      {"'\r\n\t\x01'", Value::String("\r\n\t\x01")},
      {"'%27'", Value::String("%27")},
      {"'\"\\'", Value::String("\"\\")},
  });
}

TEST(FilterLiteralTest, Integers) {
  ExpectValues({
      {"0", Value::Int32(0)},
      {"-0", Value::Int32(0)},
      {"30", Value::Int32(30)},
      {"-5", Value::Int32(-5)},
      {"007", Value::Int32(7)},
      {"2147483647", Value::Int32(2147483647)},
      {"-2147483648", Value::Int32(std::numeric_limits<int32_t>::min())},
      {"0L", Value::Int64(0)},
      {"30L", Value::Int64(30)},
      {"-5L", Value::Int64(-5)},
      {"4294967296L", Value::Int64(4294967296)},
      {"9223372036854775807L", Value::Int64(std::numeric_limits<int64_t>::max())},
      {"-9223372036854775808L", Value::Int64(std::numeric_limits<int64_t>::min())},
  });
}

TEST(FilterLiteralTest, Doubles) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ExpectValues({
      {"1.5", Value::Double(1.5)},
      {"-2.0", Value::Double(-2)},
      {"0.0", Value::Double(0)},
      {"100.0", Value::Double(100)},
      {"1e10", Value::Double(1e10)},
      {"1E10", Value::Double(1e10)},
      {"1.5E+3", Value::Double(1500)},
      {"1.5e-3", Value::Double(0.0015)},
      {"0e400", Value::Double(0)},
      {"0.0e-99999999999999999999", Value::Double(0)},
      {"0e99999999999999999999", Value::Double(0)},
      {"1.7976931348623157E+308", Value::Double(std::numeric_limits<double>::max())},
      {"5e-324", Value::Double(std::numeric_limits<double>::denorm_min())},
      // A number that is too small is zero; one that is too large is an error.
      {"1e-400", Value::Double(0)},
      {"-1e-400", Value::Double(0)},
      {"1e-99999999999999999999", Value::Double(0)},
      {"0." + std::string(400, '0') + "1", Value::Double(0)},
      {"0." + std::string(400, '0') + "1e401", Value::Double(1)},
      {"1" + std::string(400, '0') + "e-400", Value::Double(1)},
      {"INF", Value::Double(kInfinity)},
      {"-INF", Value::Double(-kInfinity)},
  });
  const Value nan = Parsed("NaN");
  EXPECT_EQ(nan.type, EdmType::kDouble);
  EXPECT_TRUE(std::isnan(nan.real));
}

TEST(FilterLiteralTest, OtherTypes) {
  ExpectValues({
      {"true", Value::Boolean(true)},
      {"false", Value::Boolean(false)},
      {"datetime'2024-02-29T12:34:56.1234567Z'", Value::DateTime("2024-02-29T12:34:56.1234567Z")},
      {"datetime'2012-11-10T03:04:05.200Z'", Value::DateTime("2012-11-10T03:04:05.2000000Z")},
      {"datetime'2012-11-10T03:04:05Z'", Value::DateTime("2012-11-10T03:04:05.0000000Z")},
      {"datetime'2012-11-10T03:04:05'", Value::DateTime("2012-11-10T03:04:05.0000000Z")},
      {"datetime'2012-11-10'", Value::DateTime("2012-11-10T00:00:00.0000000Z")},
      {"datetime'2012-11-10T03:04:05+01:00'", Value::DateTime("2012-11-10T02:04:05.0000000Z")},
      {"datetime'1601-01-01T00:00:00Z'", Value::DateTime("1601-01-01T00:00:00.0000000Z")},
      {"datetime'9999-12-31T23:59:59.9999999Z'", Value::DateTime("9999-12-31T23:59:59.9999999Z")},
      {"guid'C9DA6455-213D-42C9-9A79-3E9149A57833'",
       Value::Guid("c9da6455-213d-42c9-9a79-3e9149a57833")},
      {"X'0A1F'", Value::Binary("\x0A\x1F")},
      {"X'0a1f'", Value::Binary("\x0A\x1F")},
      {"X''", Value::Binary("")},
      {"X'00FF'", Value::Binary(std::string_view("\0\xFF", 2))},
      {"binary'0a1F'", Value::Binary("\x0A\x1F")},
  });
}

}  // namespace
}  // namespace aztables
