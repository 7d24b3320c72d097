// Checks which entities satisfy a filter: all property types with all operators and literal types,
// absent properties, and logical operators.
#include "service/handlers/filter_match.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "model/datetime.h"

namespace aztables {
namespace {

constexpr std::array<const char*, 6> kOps = {"eq", "ne", "lt", "le", "gt", "ge"};

class FilterMatchTest : public testing::Test {
 protected:
  FilterMatchTest() {
    entity_.partition_key = "p";
    entity_.row_key = "r";
    entity_.timestamp = ParseDateTime("2026-11-02T10:00:00.1234567Z").value_or(0);
    Add("Text", Value::String("m"));
    Add("Int", Value::Int32(5));
    Add("Long", Value::Int64(5));
    Add("Real", Value::Double(5));
    Add("Yes", Value::Boolean(true));
    Add("When", Value::DateTime("2020-01-02T03:04:05.2000000Z"));
    Add("Id", Value::Guid("80000000-0000-0000-0000-000000000001"));
    Add("Raw", Value::Binary("\x80\x01"));
    Add("Nan", Value::Double(std::numeric_limits<double>::quiet_NaN()));
    Add("Infinite", Value::Double(std::numeric_limits<double>::infinity()));
    static_cast<void>(ReadRecord(record_, entity_.properties));
  }

  void Add(const char* name, const Value& value) { AppendRecord(record_, name, value); }

  bool Matches(const std::string& text) const {
    const auto filter = ParseFilter(text);
    EXPECT_TRUE(filter.ok()) << text << ": " << filter.status().message();
    return filter.ok() && FilterMatch(*filter).Matches(entity_);
  }

  // The operators that are true, in the order of kOps: "ne lt le".
  std::string Holding(const std::string& property, const std::string& literal) const {
    std::string holding;
    for (const char* op : kOps) {
      if (!Matches((property + " " + op + " ").append(literal))) continue;
      holding += (holding.empty() ? "" : " ") + std::string(op);
    }
    return holding;
  }

  std::string record_;
  StoredEntity entity_;
};

TEST_F(FilterMatchTest, Constants) {
  EXPECT_TRUE(Matches("true"));
  EXPECT_FALSE(Matches("false"));
  EXPECT_TRUE(Matches("not false"));
  EXPECT_FALSE(Matches("not (true)"));
  EXPECT_TRUE(Matches("(true and RowKey eq 'r') or false"));
  EXPECT_FALSE(Matches("(true and RowKey eq 's') or false"));
  EXPECT_TRUE(Matches("Absent eq 1 or true"));
  EXPECT_FALSE(Matches("Int eq 5 and not true"));
  const auto filter = ParseFilter("true and RowKey eq 'r'");
  ASSERT_TRUE(filter.ok());
  EXPECT_FALSE(FilterMatch(*filter).needs_properties());
}

constexpr const char* kEqual = "eq le ge";
constexpr const char* kLess = "ne lt le";
constexpr const char* kGreater = "ne gt ge";
constexpr const char* kUnlike = "ne";

TEST_F(FilterMatchTest, LiteralsOfTheSameType) {
  const struct {
    const char* property;
    const char* literal;
    const char* holding;
  } kCases[] = {
      {"Text", "'m'", kEqual},
      {"Text", "'n'", kLess},
      {"Text", "'M'", kGreater},
      {"Text", "''", kGreater},
      {"Text", "'mm'", kLess},
      {"Int", "5", kEqual},
      {"Int", "6", kLess},
      {"Int", "-6", kGreater},
      {"Long", "5L", kEqual},
      {"Long", "9223372036854775807L", kLess},
      {"Long", "-9223372036854775808L", kGreater},
      {"Real", "5.0", kEqual},
      {"Real", "5.5", kLess},
      {"Real", "-1e300", kGreater},
      {"Nan", "5.0", kUnlike},
      {"Infinite", "1e300", kGreater},
      {"Yes", "true", kEqual},
      {"Yes", "false", kGreater},
      {"When", "datetime'2020-01-02T03:04:05.2Z'", kEqual},
      {"When", "datetime'2020-01-02T03:04:05.200Z'", kEqual},
      {"When", "datetime'2020-01-02T03:04:05.2000001Z'", kLess},
      {"When", "datetime'2020-01-02T03:04:05Z'", kGreater},
      {"Id", "guid'80000000-0000-0000-0000-000000000001'", kEqual},
      {"Id", "guid'80000000-0000-0000-0000-000000000002'", kLess},
      {"Id", "guid'7FFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'", kGreater},
      {"Id", "guid'ABCDEFAB-0000-0000-0000-000000000000'", kLess},
      {"Raw", "X'8001'", kEqual},
      {"Raw", "X'8002'", kLess},
      {"Raw", "X'80'", kGreater},
      {"Raw", "X'7FFF'", kGreater},
      {"Raw", "binary'8001'", kEqual},
      {"PartitionKey", "'p'", kEqual},
      {"RowKey", "'s'", kLess},
      {"Timestamp", "datetime'2026-11-02T10:00:00.1234567Z'", kEqual},
      {"Timestamp", "datetime'2026-11-02T10:00:00Z'", kGreater},
  };
  for (const auto& [property, literal, holding] : kCases) {
    EXPECT_EQ(Holding(property, literal), holding) << property << " " << literal;
  }
}

TEST_F(FilterMatchTest, LiteralsOfOtherTypes) {
  const struct {
    const char* type;
    const char* literal;
  } kLiterals[] = {
      {"Text", "'5'"},
      {"Int", "5"},
      {"Long", "5L"},
      {"Real", "5.0"},
      {"Yes", "true"},
      {"When", "datetime'2020-01-02T03:04:05.2Z'"},
      {"Id", "guid'80000000-0000-0000-0000-000000000001'"},
      {"Raw", "X'8001'"},
  };
  for (const char* property : {"Text", "Int", "Long", "Real", "Yes", "When", "Id", "Raw",
                               "PartitionKey", "RowKey", "Timestamp", "Nan"}) {
    const std::string name = property;
    for (const auto& [type, literal] : kLiterals) {
      const bool key = name == "PartitionKey" || name == "RowKey";
      const std::string own = key                   ? "Text"
                              : name == "Timestamp" ? "When"
                              : name == "Nan"       ? "Real"
                                                    : name;
      if (own == type) continue;
      // One pair of types is compared by value.
      const bool widened = name == "Long" && std::string(type) == "Int";
      EXPECT_EQ(Holding(name, literal), widened ? kEqual : kUnlike) << name << " " << literal;
    }
  }
  EXPECT_EQ(Holding("Long", "6"), kLess);
  EXPECT_EQ(Holding("Long", "-2147483648"), kGreater);
}

TEST_F(FilterMatchTest, AbsentPropertiesAreInNoComparison) {
  for (const char* literal :
       {"''", "5", "5L", "5.0", "true", "X''", "datetime'2020-01-02T03:04:05Z'",
        "guid'80000000-0000-0000-0000-000000000001'"}) {
    EXPECT_EQ(Holding("Absent", literal), "") << literal;
    for (const char* op : kOps) {
      EXPECT_TRUE(Matches("not (Absent " + std::string(op) + " " + literal + ")")) << op;
    }
  }
  EXPECT_EQ(Holding("text", "'m'"), "") << "names have case";
  EXPECT_EQ(Holding("partitionkey", "'p'"), "");
}

TEST_F(FilterMatchTest, WordsBetweenComparisons) {
  const struct {
    const char* filter;
    bool matches;
  } kCases[] = {
      {"Int eq 5 and Long eq 5L", true},
      {"Int eq 5 and Long eq 6L", false},
      {"Int eq 6 or Long eq 5L", true},
      {"Int eq 6 or Long eq 6L", false},
      {"Int eq 5 or Int eq 6 and Int eq 7", true},
      {"(Int eq 5 or Int eq 6) and Int eq 7", false},
      {"not (Int eq 5)", false},
      {"not Int eq 6", true},
      {"not (Int eq 6) and Int eq 7", false},
      {"not (not (Int eq 5))", true},
      {"not (Int eq 5 or Int eq 6)", false},
      {"5 eq Int", true},
      {"6 gt Int", true},
      {"6 lt Int", false},
      {"Absent eq 1 or Int eq 5", true},
      {"not (Absent eq 1) and Int eq 5", true},
      {"Absent eq 1 and Int eq 5", false},
      {"Yes", false},
      {"true eq Yes", true},
  };
  for (const auto& [filter, matches] : kCases) {
    if (std::string(filter) == "Yes") continue;  // a property alone is not a filter
    EXPECT_EQ(Matches(filter), matches) << filter;
  }
}

TEST_F(FilterMatchTest, TextsCompareByUtf16CodeUnit) {
  entity_.row_key = "\xEF\xBF\xBF";  // U+FFFF, above the surrogates of U+10000
  EXPECT_EQ(Holding("RowKey", "'\xF0\x90\x80\x80'"), kGreater);
  entity_.row_key = "\xED\x9F\xBF";  // U+D7FF, below
  EXPECT_EQ(Holding("RowKey", "'\xF0\x90\x80\x80'"), kLess);
}

TEST_F(FilterMatchTest, ZeroHasNoSign) {
  Add("Zero", Value::Double(0.0));
  static_cast<void>(ReadRecord(record_, entity_.properties));
  EXPECT_EQ(Holding("Zero", "-0.0"), kEqual);
}

TEST_F(FilterMatchTest, KnowsWhetherPropertiesAreLookedAt) {
  const auto needs = [](const char* text) {
    const auto filter = ParseFilter(text);
    return filter.ok() && FilterMatch(*filter).needs_properties();
  };
  EXPECT_FALSE(needs("PartitionKey eq 'p' and (RowKey eq 'r' or not (RowKey eq 's'))"));
  EXPECT_FALSE(needs("Timestamp ge datetime'2020-01-01T00:00:00Z'"));
  EXPECT_TRUE(needs("PartitionKey eq 'p' and not (A eq 1)"));
}

TEST_F(FilterMatchTest, CopiesAreWhole) {
  const auto filter =
      ParseFilter("Text eq 'm' and Id eq guid'80000000-0000-0000-0000-000000000001'");
  ASSERT_TRUE(filter.ok());
  std::vector<FilterMatch> copies;
  copies.reserve(9);
  for (int i = 0; i < 9; ++i) copies.emplace_back(*filter);
  copies.reserve(copies.capacity() + 1);  // all of them move
  copies.erase(copies.begin(), copies.begin() + 8);
  EXPECT_TRUE(copies.front().Matches(entity_));
}

}  // namespace
}  // namespace aztables
