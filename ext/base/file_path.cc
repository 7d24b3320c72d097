// Paths: see file_path.h.
#include "base/file_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/secret.h"

namespace aztables {
namespace {

constexpr size_t kUnknownSize = 64 * 1024;  // files under /proc report a size of 0 bytes

Status CannotBeRead(const char* why) {
  return Status::Error(std::string("cannot be read: ") + why);
}

// Reads into one buffer: the text may be a secret, and no copy may remain.
Result<std::string> ReadOrdinary(int file, size_t most) {
  struct stat about {};
  if (fstat(file, &about) != 0) return CannotBeRead(std::strerror(errno));
  if (!S_ISREG(about.st_mode)) return CannotBeRead("it is not an ordinary file");
  const auto expected = std::max(static_cast<size_t>(about.st_size), kUnknownSize);
  std::string text(std::min(most, expected) + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = read(file, text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotBeRead(std::strerror(errno));
    if (count == 0) {
      text.resize(size);
      return text;
    }
    size += static_cast<size_t>(count);
  }
  WipeString(text);
  return CannotBeRead("it is too large");
}

}  // namespace

std::string ResolvePath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  // The working directory may be gone.
  if (error) return path.starts_with('/') ? path : "./" + path;
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
  return error ? absolute.string() : canonical.string();
}

bool IsMissingFile(const std::string& path) {
  struct stat file {};
  return !path.empty() && lstat(path.c_str(), &file) != 0 && errno == ENOENT;
}

Result<std::string> ReadOrdinaryFile(const std::string& path, size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return CannotBeRead(std::strerror(errno));
  auto text = ReadOrdinary(file, most);
  close(file);
  return text;
}

}  // namespace aztables
