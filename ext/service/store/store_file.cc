// Files of stores: see store_file.h.
#include "service/store/store_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace aztables {
namespace {

FileId IdOf(const struct stat& file) { return {file.st_dev, file.st_ino}; }

Status CannotBeOpened(int error, const std::string& what) {
  return Status::Error("it cannot be opened (" + what + std::generic_category().message(error) +
                       ")");
}

}  // namespace

std::optional<FileId> IdOfFile(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return std::nullopt;
  return IdOf(file);
}

Result<std::optional<FileId>> FindStoreFile(const std::string& path) {
  if (path.ends_with('/')) {
    return Status::Error("it names a folder: leave out the / at its end");
  }
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) {
    if (errno == ENOENT) return std::optional<FileId>();
    return CannotBeOpened(errno, "");
  }
  if (!S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode)) return Status::Error("it is not a file");
  // SQLite names the log after the path of the file, so a file with two names would have two logs.
  if (S_ISREG(file.st_mode) && file.st_nlink > 1) {
    return Status::Error(
        "it has more than one hard link, under which writes could get lost; use a symbolic link");
  }
  return std::optional(IdOf(file));
}

void MakePrivateFile(const std::string& path) {
  constexpr int kMostLinks = 40;  // the kernel's limit
  std::filesystem::path file = path;
  for (int links = 0; links < kMostLinks; ++links) {
    // Opens new files only. If this process has a store in the file, closing a second descriptor
    // would release its locks.
    const int made = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (made >= 0) {
      close(made);
      return;
    }
    std::error_code not_a_link;
    const std::filesystem::path target = std::filesystem::read_symlink(file, not_a_link);
    if (not_a_link) return;
    file = file.parent_path() / target;
  }
}

Status CheckFolder(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return {};
  return CannotBeOpened(errno, "no file can be made in its folder: ");
}

}  // namespace aztables
