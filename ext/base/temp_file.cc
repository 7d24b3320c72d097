// TempFile: see temp_file.h.
#include "base/temp_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace aztables {
namespace {

constexpr char kOtherFolder[] = "; set TMPDIR to another folder";

// A file without a name in the folder, or -1.
int MakeIn(const std::string& folder) {
  std::string name = folder + "/aztables-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

}  // namespace

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
    if (written < 0) return Failure("written", "; set TMPDIR to a folder with more space");
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
    if (count <= 0) return Failure("read", kOtherFolder);
    have += static_cast<size_t>(count);
  }
  return {};
}

Status TempFile::Failure(const char* what, const char* remedy) const {
  return Status::Error("the temporary file in " + folder_ + " cannot be " + what + ": " +
                       std::generic_category().message(errno) + remedy);
}

}  // namespace aztables
