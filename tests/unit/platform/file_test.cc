// Checks the file that a path names.
#include "platform/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace aztables {
namespace {

TEST(FilePathTest, EveryPathBecomesAbsolute) {
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(ResolvePath("a.db"), here + "/a.db");
  EXPECT_EQ(ResolvePath("./no/../a.db"), here + "/a.db");
  EXPECT_EQ(ResolvePath("file:a.db"), here + "/file:a.db");
  EXPECT_EQ(ResolvePath("file:a.db?mode=memory"), here + "/file:a.db?mode=memory");
  EXPECT_EQ(ResolvePath("/a.db"), "/a.db");
}

TEST(FilePathTest, LinksAreFollowedAndASlashAtTheEndStays) {
  std::string folder = std::filesystem::canonical(testing::TempDir()) / "file_path_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::filesystem::create_symlink(folder, folder + "/link");
  EXPECT_EQ(ResolvePath(folder + "/link/link/a.db"), folder + "/a.db");
  EXPECT_EQ(ResolvePath(folder + "/link/a.db/"), folder + "/a.db/");
  std::filesystem::create_symlink("loop", folder + "/loop");
  EXPECT_EQ(ResolvePath(folder + "/loop"), folder + "/loop");
  std::filesystem::remove_all(folder);
}

TEST(FilePathTest, OnlyAPathWithNothingIsMissing) {
  std::string folder = std::filesystem::canonical(testing::TempDir()) / "file_path_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::filesystem::create_symlink("nothing", folder + "/link");
  EXPECT_TRUE(IsMissingFile(folder + "/a.db"));
  EXPECT_TRUE(IsMissingFile(folder + "/no/a.db"));
  EXPECT_FALSE(IsMissingFile(folder));
  EXPECT_FALSE(IsMissingFile(folder + "/link")) << "a link to nothing";
  EXPECT_FALSE(IsMissingFile(folder + "/link/a.db/" + std::string(5000, 'x'))) << "not examined";
  EXPECT_FALSE(IsMissingFile(""));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace aztables
