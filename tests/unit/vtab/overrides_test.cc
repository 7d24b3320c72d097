// The options that _command sets: which table they belong to, and how long.
#include "vtab/overrides.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

TableOptions Declared() {
  TableOptions options;
  options.retries = 2;
  return options;
}

TEST(OverridesTest, SetAndReset) {
  Overrides overrides;
  EXPECT_EQ(overrides.Apply("main", "t", "a", Declared()).retries, 2);
  overrides.Set("main", "t", "retries", "7");
  overrides.Set("main", "t", "scan", "deny");
  const TableOptions set = overrides.Apply("main", "t", "a", Declared());
  EXPECT_EQ(set.retries, 7);
  EXPECT_EQ(set.scan, ScanRule::kDeny);
  overrides.Set("main", "t", "retries", "8");
  EXPECT_EQ(overrides.Apply("MAIN", "T", "a", Declared()).retries, 8);
  overrides.Reset("main", "t");
  EXPECT_EQ(overrides.Apply("main", "t", "a", Declared()).retries, 2);
}

TEST(OverridesTest, BelongToOneTableOfOneSchema) {
  Overrides overrides;
  overrides.Apply("main", "t", "a", Declared());
  overrides.Set("main", "t", "retries", "7");
  EXPECT_EQ(overrides.Apply("temp", "t", "a", Declared()).retries, 2);
  EXPECT_EQ(overrides.Apply("main", "u", "a", Declared()).retries, 2);
}

TEST(OverridesTest, AnotherDeclarationBeginsWithoutThem) {
  Overrides overrides;
  overrides.Apply("main", "t", "a", Declared());
  overrides.Set("main", "t", "retries", "7");
  EXPECT_EQ(overrides.Apply("main", "t", "b", Declared()).retries, 2);
  EXPECT_EQ(overrides.Apply("main", "t", "a", Declared()).retries, 2);
}

TEST(OverridesTest, GoWithARenamedTable) {
  Overrides overrides;
  overrides.Apply("main", "t", "a", Declared());
  overrides.Set("main", "t", "retries", "7");
  overrides.Apply("main", "u", "b", Declared());
  overrides.Set("main", "u", "retries", "9");
  overrides.Rename("main", "t", "u");
  EXPECT_EQ(overrides.Apply("main", "u", "a", Declared()).retries, 7);
  EXPECT_EQ(overrides.Apply("main", "t", "a", Declared()).retries, 2);
  overrides.Rename("main", "nobody", "somebody");
}

}  // namespace
}  // namespace aztables
