// The end of a host's token, and the files that Azure Arc may ask for.
#include "identity/managed_identity.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

TEST(ManagedIdentityTest, TheEndOfAToken) {
  constexpr int64_t kNowMs = 1'795'860'000'000;  // 2026-11-28T10:00:00Z
  const struct {
    const char* expires_in;
    const char* expires_on;
    int64_t left;
  } kCases[] = {
      {"3599", "", 3599},
      {"3599", "1795860100", 3599},
      {"", "1795860100", 100},
      {"", "2026-11-28T10:01:40Z", 100},
      {"", "11/28/2026 10:01:40 +00:00", 100},
      {"", "11/28/2026 10:01:40 AM +00:00", 100},
      {"", "11/28/2026 10:01:40 PM +00:00", 100 + 12 * 3600},
      {"", "11/28/2026 12:00:00 PM +00:00", 2 * 3600},
      {"", "11/28/2026 12:00:00 AM +00:00", -10 * 3600},
      {"0", "1795860100", 100},
      {"", "", 0},
      {"soon", "later", 0},
      {"", "13/45/2026 10:01:40 +00:00", 0},
  };
  for (const auto& [expires_in, expires_on, left] : kCases) {
    EXPECT_EQ(SecondsLeft(expires_in, expires_on, kNowMs), left) << expires_in << expires_on;
  }
}

TEST(ManagedIdentityTest, ArcHasItsKeysInOneFolder) {
  EXPECT_TRUE(IsArcKeyFile("/var/opt/azcmagent/tokens/a-1.key"));
  for (const std::string& path :
       {std::string("/etc/passwd"), std::string("/var/opt/azcmagent/tokens/a"),
        std::string("/var/opt/azcmagent/tokens/../a.key"),
        std::string("/var/opt/azcmagent/tokens/b/a.key"), std::string("a.key"), std::string(),
        std::string("/var/opt/azcmagent/tokens/a") + '\0' + ".key"}) {
    EXPECT_FALSE(IsArcKeyFile(path)) << path;
  }
}

}  // namespace
}  // namespace aztables
