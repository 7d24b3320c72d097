// Checks files without a name: their bytes, that nothing of them remains, and what a full disk
// says.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "platform/file.h"

namespace aztables {
namespace {

namespace fs = std::filesystem;

class TempFileTest : public testing::Test {
 protected:
  TempFileTest() {
    std::string name = (fs::temp_directory_path() / "temp_file_test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    setenv("SQLITE_TMPDIR", folder_.c_str(), 1);
  }
  ~TempFileTest() override {
    unsetenv("SQLITE_TMPDIR");
    fs::remove_all(folder_);
  }

  fs::path folder_;
};

TEST_F(TempFileTest, BytesComeBack) {
  const auto file = TempFile::Make();
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->size(), 0);
  const std::string large(3'000'000, 'x');
  ASSERT_TRUE((*file)->Append("abc").ok());
  ASSERT_TRUE((*file)->Append(large).ok());
  ASSERT_TRUE((*file)->Append("").ok());
  EXPECT_EQ((*file)->size(), 3'000'003);
  std::string bytes(3, ' ');
  ASSERT_TRUE((*file)->Read(0, bytes).ok());
  EXPECT_EQ(bytes, "abc");
  bytes.resize(large.size());
  ASSERT_TRUE((*file)->Read(3, bytes).ok());
  EXPECT_EQ(bytes, large);
}

TEST_F(TempFileTest, NobodyElseSeesIt) {
  const auto file = TempFile::Make();
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Append("secret").ok());
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(TempFileTest, AnotherFolderIfTheFirstIsMissing) {
  setenv("SQLITE_TMPDIR", (folder_ / "missing").c_str(), 1);
  EXPECT_TRUE(TempFile::Make().ok());
}

TEST_F(TempFileTest, AFullDisk) {
  const auto file = TempFile::Make();
  ASSERT_TRUE(file.ok());
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status full = (*file)->Append(std::string(2000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(full.message(), "the temporary file in " + folder_.string() +
                                " cannot be written: File too large; set TMPDIR to a folder with "
                                "more space");
}

TEST_F(TempFileTest, MoreThanItHas) {
  const auto file = TempFile::Make();
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Append("abc").ok());
  std::string bytes(4, ' ');
  EXPECT_EQ((*file)->Read(0, bytes).message(),
            "the temporary file in " + folder_.string() +
                " cannot be read: Input/output error; set TMPDIR to another folder");
}

}  // namespace
}  // namespace aztables
