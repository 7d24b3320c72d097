// Checks the texts of reals. Keys and String columns use those of SQLite's CAST(x AS TEXT), from
// the sqlite3 shell 3.40.1. JSON has texts that read back exactly.
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "model/convert.h"
#include "support/rounds.h"

namespace aztables {
namespace {

struct RealCase {
  double value;
  const char* text;
};

constexpr RealCase kSqliteTexts[] = {
    {0.0, "0.0"},
    {-0.0, "0.0"},
    {5.0, "5.0"},
    {-5.0, "-5.0"},
    {0.1, "0.1"},
    {100.0, "100.0"},
    {1e-4, "0.0001"},
    {1e-5, "1.0e-05"},
    {1e-7, "1.0e-07"},
    {123456.789, "123456.789"},
    {1e14, "100000000000000.0"},
    {123456789012345.0, "123456789012345.0"},
    {1e15, "1.0e+15"},
    {1e16, "1.0e+16"},
    {1e20, "1.0e+20"},
    {-1e20, "-1.0e+20"},
    {1.5e20, "1.5e+20"},
    {1234567890123456.0, "1.23456789012346e+15"},
    {1e100, "1.0e+100"},
    {1e-100, "1.0e-100"},
    {1.0 / 3, "0.333333333333333"},
    {2.0 / 3, "0.666666666666667"},
    {3.14159265358979, "3.14159265358979"},
    {1.7976931348623157e308, "1.79769313486232e+308"},
    {2.2250738585072014e-308, "2.2250738585072e-308"},
    {9007199254740992.0, "9.00719925474099e+15"},
    {0.30000000000000004, "0.3"},
    {std::numeric_limits<double>::infinity(), "Inf"},
    {-std::numeric_limits<double>::infinity(), "-Inf"},
};

TEST(RealTextTest, StringsAreAsSqliteShowsThem) {
  for (const RealCase& c : kSqliteTexts) {
    EXPECT_EQ(ShowSqlValue(SqlValue::Real(c.value)), c.text);
    EXPECT_EQ(ToEdm(SqlValue::Real(c.value), EdmType::kString, "c")->text, c.text);
  }
}

TEST(RealTextTest, ARealIsNoKey) {
  const auto key = ToKey(SqlValue::Real(5), "RowKey");
  EXPECT_EQ(key.status().code(), Code::kMismatch);
  EXPECT_EQ(
      key.status().message(),
      "RowKey is text, and 5.0 is a REAL; use text or an integer (JavaScript binds 5 as REAL: "
      "pass String(5) or 5n)");
}

TEST(RealTextTest, OtherKeys) {
  EXPECT_EQ(*ToKey(SqlValue::Text("a'b"), "RowKey"), "a'b");
  EXPECT_EQ(*ToKey(SqlValue::Text(""), "RowKey"), "");
  EXPECT_EQ(*ToKey(SqlValue::Integer(-7), "RowKey"), "-7");
  const auto null = ToKey(SqlValue::Null(), "RowKey");
  EXPECT_EQ(null.status().code(), Code::kNotNull);
  EXPECT_NE(null.status().message().find("RowKey"), std::string_view::npos);
  const auto blob = ToKey(SqlValue::Blob("a"), "PartitionKey");
  EXPECT_EQ(blob.status().code(), Code::kMismatch);
  EXPECT_NE(blob.status().message().find("PartitionKey"), std::string_view::npos);
}

TEST(FormatDoubleTest, Table) {
  constexpr RealCase kTexts[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {5.0, "5.0"},
      {-5.0, "-5.0"},
      {0.1, "0.1"},
      {123.45, "123.45"},
      {1e22, "1e+22"},
      {1e-7, "1e-07"},
      {1e300, "1e+300"},
      {0.30000000000000004, "0.30000000000000004"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
  };
  for (const RealCase& c : kTexts) EXPECT_EQ(FormatDouble(c.value), c.text);
  EXPECT_EQ(FormatDouble(std::nan("")), "NaN");
  EXPECT_EQ(FormatDouble(-std::nan("")), "NaN");
}

TEST(FormatDoubleTest, EveryFiniteValueReadsBackAndIsNoInteger) {
  std::mt19937_64 random(6);
  for (int i = 0; i < support::Rounds(200'000); ++i) {
    const uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (i % 4 == 0) value = static_cast<double>(static_cast<int64_t>(bits) >> (bits % 60));
    if (!std::isfinite(value)) continue;
    const std::string text = FormatDouble(value);
    double read = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    ASSERT_EQ(error, std::errc()) << text;
    ASSERT_EQ(end, text.data() + text.size()) << text;
    ASSERT_EQ(read, value) << text;
    ASSERT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace aztables
