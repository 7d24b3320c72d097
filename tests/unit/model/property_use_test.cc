// Checks the counts, the order and the examples of properties.
#include "model/property_use.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"

namespace aztables {
namespace {

using Types = std::vector<std::pair<EdmType, size_t>>;

TEST(PropertyTallyTest, CountsAndOrders) {
  PropertyTally tally;
  Value any;
  any.text = "raw";
  tally.BeginEntity();
  tally.Add("b", Value::Int32(1));
  tally.Add("a", Value::String("x"));
  tally.BeginEntity();
  tally.Add("c", any);
  tally.Add("a", Value::Int64(2));
  tally.Add("a", Value::Boolean(true));  // twice in one entity
  tally.BeginEntity();
  tally.Add("a", Value::Int64(3));
  tally.BeginEntity();
  EXPECT_EQ(tally.entities(), 4U);
  const std::vector<PropertyUse> all = tally.Properties();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].entities, 3U);
  EXPECT_EQ(all[0].types, (Types{{EdmType::kInt64, 2}, {EdmType::kString, 1}}));
  EXPECT_EQ(all[0].example, "x");
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].types, (Types{{EdmType::kInt32, 1}}));
  EXPECT_EQ(all[2].name, "c");
  EXPECT_EQ(all[2].types, (Types{{EdmType::kNull, 1}}));
  EXPECT_EQ(all[2].example, "raw");
}

TEST(PropertyTallyTest, WhetherADoubleHoldsEveryInt64) {
  PropertyTally tally;
  for (const int64_t value : {int64_t{1} << 53, (int64_t{1} << 53) + 1}) {
    tally.BeginEntity();
    tally.Add("a", Value::Int64(value));
    tally.Add("b", Value::Int64(5));
    tally.Add("c", Value::Double(0.1));
    EXPECT_EQ(tally.Properties()[0].exact, value == int64_t{1} << 53);
  }
  EXPECT_TRUE(tally.Properties()[1].exact);
  EXPECT_TRUE(tally.Properties()[2].exact);
}

TEST(ExampleTextTest, OfEveryType) {
  EXPECT_EQ(ExampleText(Value::String("a'b")), "a'b");
  EXPECT_EQ(ExampleText(Value::Int32(-5)), "-5");
  EXPECT_EQ(ExampleText(Value::Int64(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(ExampleText(Value::Double(2)), "2.0");
  EXPECT_EQ(ExampleText(Value::Boolean(false)), "false");
  EXPECT_EQ(ExampleText(Value::DateTime("2024-05-01T00:00:00.0000000Z")),
            "2024-05-01T00:00:00.0000000Z");
  EXPECT_EQ(ExampleText(Value::Binary("\x01\xFF")), "x'01FF'");
  EXPECT_EQ(ExampleText(Value::Binary("")), "x''");
}

size_t Characters(const std::string& text) {
  size_t count = 0;
  for (size_t pos = 0; pos < text.size(); ++count) NextCodePoint(text, pos);
  return count;
}

TEST(ExampleTextTest, LongValuesAreCutBetweenCharacters) {
  for (const char* character : {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    std::string text;
    for (size_t n = 0; n < 65; ++n) {
      const std::string shown = ExampleText(Value::String(text));
      EXPECT_TRUE(IsValidUtf8(shown));
      EXPECT_EQ(Characters(shown), n <= 60 ? n : 60);
      EXPECT_EQ(shown == text, n <= 60);
      EXPECT_EQ(shown.ends_with("..."), n > 60);
      text += character;
    }
  }
  EXPECT_EQ(ExampleText(Value::Binary(std::string(28, 'A'))).size(), 59U);
  EXPECT_EQ(ExampleText(Value::Binary(std::string(29, 'A'))).size(), 60U);
  EXPECT_TRUE(ExampleText(Value::Binary(std::string(65536, 'A'))).ends_with("4141...'"));
}

}  // namespace
}  // namespace aztables
