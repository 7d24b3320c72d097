// Checks the errors for paths of stores.
#include "service/store/store_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace aztables {
namespace {

class StoreFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / "store_file_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    path_ = folder_ + "/store.db";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static void Write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string Said(const std::string& path) {
    const auto found = FindStoreFile(path);
    if (found.ok()) return *found ? "a file" : "nothing";
    return std::string(found.status().message());
  }

  std::string folder_;
  std::string path_;
};

TEST_F(StoreFileTest, ANewFileIsItsOwnersAlone) {
  namespace fs = std::filesystem;
  const auto mode = [](const std::string& path) { return fs::status(path).permissions(); };
  const fs::perms owner = fs::perms::owner_read | fs::perms::owner_write;
  const mode_t before = umask(0);
  MakePrivateFile(path_);
  EXPECT_EQ(mode(path_), owner);
  fs::create_directory(folder_ + "/below");
  fs::create_symlink("below/second", folder_ + "/first");
  fs::create_symlink(folder_ + "/third", folder_ + "/below/second");
  MakePrivateFile(folder_ + "/first");
  EXPECT_EQ(mode(folder_ + "/third"), owner);
  Write(folder_ + "/shared", "x");
  MakePrivateFile(folder_ + "/shared");
  EXPECT_EQ(mode(folder_ + "/shared"), owner | fs::perms::group_read | fs::perms::group_write |
                                           fs::perms::others_read | fs::perms::others_write);
  EXPECT_EQ(fs::file_size(folder_ + "/shared"), 1U);
  fs::create_symlink("circle", folder_ + "/circle");
  MakePrivateFile(folder_ + "/circle");
  MakePrivateFile(folder_ + "/none/store.db");
  EXPECT_FALSE(fs::exists(folder_ + "/none"));
  umask(before);
}

TEST_F(StoreFileTest, OnlyWhatIsMissingIsMissing) {
  EXPECT_EQ(Said(path_), "nothing");
  EXPECT_EQ(Said(folder_ + "/no/store.db"), "nothing");
  Write(path_, "x");
  EXPECT_EQ(Said(path_), "a file");
  EXPECT_EQ(Said(path_ + "/"), "it names a folder: leave out the / at its end");
  EXPECT_EQ(Said(path_ + "/x"), "it cannot be opened (Not a directory)");
  EXPECT_EQ(Said(folder_ + "/" + std::string(300, 'n')),
            "it cannot be opened (File name too long)");
  std::filesystem::create_symlink("loop", folder_ + "/loop");
  EXPECT_EQ(Said(folder_ + "/loop"), "it cannot be opened (Too many levels of symbolic links)");
  EXPECT_EQ(Said("/dev/null"), "it is not a file");
  std::filesystem::create_hard_link(path_, folder_ + "/other.db");
  EXPECT_TRUE(Said(path_).starts_with("it has more than one hard link"));
}

TEST_F(StoreFileTest, AFolderIsAskedWhetherAFileCanBeMadeInIt) {
  EXPECT_TRUE(CheckFolder(path_).ok());
  EXPECT_TRUE(CheckFolder("store.db").ok());
  EXPECT_EQ(CheckFolder(folder_ + "/no/store.db").message(),
            "it cannot be opened (no file can be made in its folder: No such file or directory)");
}

}  // namespace
}  // namespace aztables
