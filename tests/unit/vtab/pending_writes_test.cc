// Checks the existing keys that a transaction remembers: their number, and that conflicts are
// always remembered.
#include "vtab/session/pending_writes.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

TEST(ExistingKeysTest, AreBoundedButForConflicts) {
  ExistingKeys seen;
  for (size_t i = 0; i <= ExistingKeys::kMost; ++i) seen.Add({"p", std::to_string(i)});
  EXPECT_TRUE(seen.Contain({"p", std::to_string(ExistingKeys::kMost - 1)}));
  EXPECT_FALSE(seen.Contain({"p", std::to_string(ExistingKeys::kMost)}));
  seen.Add({"q", "own"}, true);
  EXPECT_TRUE(seen.Contain({"q", "own"}));
  seen.Remove({"q", "own"});
  EXPECT_FALSE(seen.Contain({"q", "own"}));
  seen.Clear();
  EXPECT_FALSE(seen.Contain({"p", "0"}));
}

}  // namespace
}  // namespace aztables
