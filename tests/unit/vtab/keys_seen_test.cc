// Checks the keys that a transaction has been shown: how many are remembered, and that a conflict
// always is.
#include "vtab/session/keys_seen.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

TEST(KeysSeenTest, AreBoundedButForConflicts) {
  KeysSeen seen;
  for (size_t i = 0; i <= KeysSeen::kMost; ++i) seen.Add("p", std::to_string(i));
  EXPECT_TRUE(seen.Contain("p", std::to_string(KeysSeen::kMost - 1)));
  EXPECT_FALSE(seen.Contain("p", std::to_string(KeysSeen::kMost)));
  seen.Add("q", "own", true);
  EXPECT_TRUE(seen.Contain("q", "own"));
  seen.Remove("q", "own");
  EXPECT_FALSE(seen.Contain("q", "own"));
  seen.Clear();
  EXPECT_FALSE(seen.Contain("p", "0"));
}

}  // namespace
}  // namespace aztables
