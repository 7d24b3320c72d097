// Files on POSIX: see file.h.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/secret.h"
#include "platform/file.h"

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

constexpr char kOtherFolder[] = "; set TMPDIR to another folder";

// A file without a name in the folder, or -1.
int MakeIn(const std::string& folder) {
  std::string name = folder + "/aztables-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

Status Failed(int error) { return Status::Error(std::generic_category().message(error)); }

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

Result<std::optional<FileFacts>> FactsOfFile(const std::string& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) {
    if (errno == ENOENT) return std::optional<FileFacts>();
    return Failed(errno);
  }
  FileFacts facts{.id = {file.st_dev, file.st_ino}, .names = file.st_nlink};
  if (S_ISREG(file.st_mode)) facts.kind = FileFacts::Kind::kOrdinary;
  if (S_ISDIR(file.st_mode)) facts.kind = FileFacts::Kind::kFolder;
  return std::optional(facts);
}

std::optional<FileId> IdOfFile(const std::string& path) {
  const auto facts = FactsOfFile(path);
  return facts.ok() && *facts ? std::optional((*facts)->id) : std::nullopt;
}

Result<std::string> ReadOrdinaryFile(const std::string& path, size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return CannotBeRead(std::strerror(errno));
  auto text = ReadOrdinary(file, most);
  close(file);
  return text;
}

bool CreatePrivateFile(const std::string& path) {
  const int made = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (made >= 0) close(made);
  return made >= 0;
}

Status CheckMayCreateIn(const std::string& folder) {
  if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return {};
  return Failed(errno);
}

Result<std::unique_ptr<TempFile>> TempFile::Make() {
  const char* const folders[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp", "/tmp"};
  std::string last;
  for (const char* const folder : folders) {
    if (folder == nullptr || *folder == '\0') continue;
    last = folder;
    const int file = MakeIn(last);
    if (file >= 0) return std::unique_ptr<TempFile>(new TempFile(file, std::move(last)));
  }
  return Status::Error("no temporary file can be made in " + last + ": " +
                       std::generic_category().message(errno) + kOtherFolder);
}

TempFile::~TempFile() { close(file_); }

Status TempFile::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file_, bytes.data(), bytes.size(), size_);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("written", "; set TMPDIR to a folder with more space");
    size_ += written;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Status TempFile::Read(int64_t at, std::string& bytes) const {
  for (size_t have = 0; have < bytes.size();) {
    const ssize_t count =
        pread(file_, bytes.data() + have, bytes.size() - have, at + static_cast<int64_t>(have));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;
    if (count <= 0) return Failed("read", kOtherFolder);
    have += static_cast<size_t>(count);
  }
  return {};
}

Status TempFile::Failed(const char* what, const char* remedy) const {
  return Status::Error("the temporary file in " + folder_ + " cannot be " + what + ": " +
                       std::generic_category().message(errno) + remedy);
}

}  // namespace aztables
