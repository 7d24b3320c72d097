// Paths: see include/aztables/base/file_path.h.
#include "aztables/base/file_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace aztables {
namespace {

Status CannotBeRead(const char* why) {
  return Status::Error(std::string("cannot be read: ") + why);
}

Result<std::string> ReadOrdinary(int file, size_t most) {
  struct stat about {};
  if (fstat(file, &about) != 0) return CannotBeRead(std::strerror(errno));
  if (!S_ISREG(about.st_mode)) return CannotBeRead("it is not an ordinary file");
  std::string text;
  char bytes[16 * 1024];
  while (true) {
    const ssize_t count = read(file, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotBeRead(std::strerror(errno));
    if (count == 0) return text;
    text.append(bytes, static_cast<size_t>(count));
    if (text.size() > most) return CannotBeRead("it is too large");
  }
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

Result<std::string> ReadOrdinaryFile(const std::string& path, size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return CannotBeRead(std::strerror(errno));
  auto text = ReadOrdinary(file, most);
  close(file);
  return text;
}

}  // namespace aztables
