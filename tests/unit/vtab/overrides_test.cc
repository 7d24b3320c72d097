// Checks the options that _command sets: their table and lifetime.
#include "vtab/session/overrides.h"

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
  EXPECT_EQ(overrides.Apply("t", "a", Declared()).retries, 2);
  overrides.Set("t", "retries", "7");
  overrides.Set("t", "scan", "deny");
  const TableOptions set = overrides.Apply("t", "a", Declared());
  EXPECT_EQ(set.retries, 7);
  EXPECT_EQ(set.scan, ScanRule::kDeny);
  overrides.Set("t", "retries", "8");
  EXPECT_EQ(overrides.Apply("t", "a", Declared()).retries, 8);
  EXPECT_EQ(overrides.Apply("u", "a", Declared()).retries, 2);
  overrides.Reset("t");
  EXPECT_EQ(overrides.Apply("t", "a", Declared()).retries, 2);
}

TEST(OverridesTest, AnotherDeclarationBeginsWithoutThem) {
  Overrides overrides;
  overrides.Apply("t", "a", Declared());
  overrides.Set("t", "retries", "7");
  EXPECT_EQ(overrides.Apply("t", "b", Declared()).retries, 2);
  EXPECT_EQ(overrides.Apply("t", "a", Declared()).retries, 2);
}

TEST(OverridesTest, ANewTableBeginsWithoutThem) {
  Overrides overrides;
  overrides.Apply("t", "a", Declared());
  overrides.Set("t", "retries", "7");
  overrides.Forget("t");
  EXPECT_EQ(overrides.Apply("t", "a", Declared()).retries, 2);
}

TEST(OverridesTest, ARenamedTableHasThemUnderBothNames) {
  Overrides overrides;
  overrides.Apply("t", "a", Declared());
  overrides.Set("t", "retries", "7");
  overrides.Apply("u", "b", Declared());
  overrides.Set("u", "retries", "9");
  overrides.Copy("t", "u");
  EXPECT_EQ(overrides.Apply("u", "a", Declared()).retries, 7);
  EXPECT_EQ(overrides.Apply("t", "a", Declared()).retries, 7);
  overrides.Copy("t", "t");
  EXPECT_EQ(overrides.Apply("t", "a", Declared()).retries, 7);
  overrides.Copy("nobody", "somebody");
}

}  // namespace
}  // namespace aztables
