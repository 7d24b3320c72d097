// Checks ForkCount() in a process, its child and its grandchild, and the names of variables.
#include "platform/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace aztables {
namespace {

int ExitCodeOf(pid_t child) {
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ForkCountTest, DiffersInChildren) {
  const uint64_t own = ForkCount();
  EXPECT_EQ(ForkCount(), own);
  const pid_t child = fork();
  if (child == 0) {
    const uint64_t count = ForkCount();
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(ForkCount() != own && ForkCount() != count ? 0 : 1);
    _exit(count != own && ForkCount() == count && ExitCodeOf(grandchild) == 0 ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  EXPECT_EQ(ExitCodeOf(child), 0);
  EXPECT_EQ(ForkCount(), own);
}

// No copy of a value may remain in memory.
TEST(VariablesWithValueTest, AreNamesAlone) {
  ASSERT_EQ(setenv("AZTABLES_TEST_SET", "secret=value", 1), 0);
  ASSERT_EQ(setenv("AZTABLES_TEST_EMPTY", "", 1), 0);
  const std::vector<std::string> names = VariablesWithValue();
  EXPECT_EQ(std::count(names.begin(), names.end(), "AZTABLES_TEST_SET"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "AZTABLES_TEST_EMPTY"), 0);
  for (const std::string& name : names) EXPECT_EQ(name.find('='), std::string::npos) << name;
  unsetenv("AZTABLES_TEST_SET");
  unsetenv("AZTABLES_TEST_EMPTY");
}

}  // namespace
}  // namespace aztables
