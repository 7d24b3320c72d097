// Checks which texts are doubles: numbers that are too small become zero, too large ones are
// errors.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/convert.h"
#include "odata/json_value.h"

namespace aztables {
namespace {

TEST(DoubleTextTest, TooSmallIsZeroAndTooLargeIsNone) {
  const std::string zeros(500, '0');
  for (const std::string& text :
       {std::string("1e-400"), std::string("-1e-400"), std::string("12.5E-99999999999999999999"),
        "0." + zeros + "1", "-0." + zeros + "1e10", "1" + zeros + "e-1000"}) {
    const auto value = ParseDouble(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(*value, 0) << text;
    EXPECT_EQ(std::signbit(*value), text[0] == '-') << text;
  }
  for (const std::string& text :
       {std::string("1e400"), std::string("-1e+400"), std::string("1e99999999999999999999"),
        "1" + zeros, "0." + zeros + "1e1000", std::string(), std::string("1x"),
        std::string("1e-400x"), std::string("+1"), std::string("1e-400 ")}) {
    EXPECT_FALSE(ParseDouble(text)) << text;
  }
  EXPECT_EQ(ParseDouble("-1.5e3"), -1500);
  EXPECT_EQ(ParseDouble("5e-324"), 5e-324);
}

TEST(DoubleTextTest, OfJson) {
  using Kind = JsonScalar::Kind;
  for (const Kind kind : {Kind::kNumber, Kind::kString}) {
    const auto tiny = DecodeScalar({kind, "1e-400"}, EdmType::kDouble);
    ASSERT_TRUE(tiny);
    EXPECT_EQ(tiny->real, 0);
    EXPECT_FALSE(DecodeScalar({kind, "1e400"}, EdmType::kDouble));
  }
}

}  // namespace
}  // namespace aztables
