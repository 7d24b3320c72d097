// Checks the key range of a table SAS: pairs of keys, not a rectangle; inclusive bounds.
#include <gtest/gtest.h>

#include <string>

#include "service/auth/access.h"

namespace aztables {
namespace {

using Bound = Access::Bound;

Access Range(std::optional<Bound> from, std::optional<Bound> to) {
  Access access;
  access.kind = Access::Kind::kTableSas;
  access.from = std::move(from);
  access.to = std::move(to);
  return access;
}

TEST(InKeyRangeTest, WithoutBoundsAllKeys) {
  const Access access = Range(std::nullopt, std::nullopt);
  EXPECT_TRUE(InKeyRange(access, "", ""));
  EXPECT_TRUE(InKeyRange(access, "\xF4\x8F\xBF\xBF", "x"));
  EXPECT_TRUE(InKeyRange(Access(), "a", "b")) << "the owner";
}

TEST(InKeyRangeTest, PairsAndNoRectangle) {
  const Access access = Range(Bound{"b", "5"}, Bound{"d", "5"});
  struct {
    const char* partition_key;
    const char* row_key;
    bool inside;
  } constexpr kCases[] = {
      {"a", "9", false}, {"b", "", false},   {"b", "4", false}, {"b", "49", false},
      {"b", "5", true},  {"b", "9", true},   {"c", "", true},   {"c", "1", true},
      {"c", "9", true},  {"d", "", true},    {"d", "5", true},  {"d", "50", false},
      {"d", "9", false}, {"da", "1", false}, {"e", "", false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(InKeyRange(access, c.partition_key, c.row_key), c.inside)
        << c.partition_key << " " << c.row_key;
  }
}

TEST(InKeyRangeTest, BoundsWithoutRowKeyHoldTheWholePartition) {
  const Access access = Range(Bound{"b", std::nullopt}, Bound{"d", std::nullopt});
  EXPECT_FALSE(InKeyRange(access, "a", "\xF4\x8F\xBF\xBF"));
  EXPECT_TRUE(InKeyRange(access, "b", ""));
  EXPECT_TRUE(InKeyRange(access, "d", "\xF4\x8F\xBF\xBF"));
  EXPECT_FALSE(InKeyRange(access, "da", ""));
}

TEST(InKeyRangeTest, OneBoundAlone) {
  EXPECT_FALSE(InKeyRange(Range(Bound{"b", "1"}, std::nullopt), "b", "0"));
  EXPECT_TRUE(InKeyRange(Range(Bound{"b", "1"}, std::nullopt), "z", ""));
  EXPECT_TRUE(InKeyRange(Range(std::nullopt, Bound{"b", "1"}), "", ""));
  EXPECT_FALSE(InKeyRange(Range(std::nullopt, Bound{"b", "1"}), "b", "2"));
}

TEST(InKeyRangeTest, InTheOrderOfTheService) {
  const std::string smile = "\xF0\x9F\x98\x80";    // U+1F600: surrogates in UTF-16
  const std::string private_use = "\xEE\x80\x80";  // U+E000: above them
  const Access access = Range(std::nullopt, Bound{smile, smile});
  EXPECT_TRUE(InKeyRange(access, smile, smile));
  EXPECT_FALSE(InKeyRange(access, smile, private_use));
  EXPECT_FALSE(InKeyRange(access, private_use, ""));
  EXPECT_TRUE(InKeyRange(access, "\xED\x9F\xBF", private_use)) << "U+D7FF";
}

TEST(InKeyRangeTest, AnEmptyRange) {
  const Access access = Range(Bound{"d", std::nullopt}, Bound{"b", std::nullopt});
  for (const char* key : {"a", "b", "c", "d", "e"}) EXPECT_FALSE(InKeyRange(access, key, ""));
}

}  // namespace
}  // namespace aztables
