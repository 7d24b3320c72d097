// Files of stores: see store_file.h.
#include "service/store/store_file.h"

#include <filesystem>
#include <system_error>

namespace aztables {
namespace {

Status CannotBeOpened(const std::string& what, const Status& why) {
  return Status::Error("it cannot be opened (" + what + std::string(why.message()) + ")");
}

}  // namespace

Result<std::optional<FileId>> FindStoreFile(const std::string& path) {
  if (path.ends_with('/')) {
    return Status::Error("it names a folder: leave out the / at its end");
  }
  const auto found = FactsOfFile(path);
  if (!found.ok()) return CannotBeOpened("", found.status());
  if (!*found) return std::optional<FileId>();
  const FileFacts& file = **found;
  if (file.kind == FileFacts::Kind::kOther) return Status::Error("it is not a file");
  // SQLite names the log after the path of the file, so a file with two names would have two logs.
  if (file.kind == FileFacts::Kind::kOrdinary && file.names > 1) {
    return Status::Error(
        "it has more than one hard link, under which writes could get lost; use a symbolic link");
  }
  return std::optional(file.id);
}

void MakePrivateFile(const std::string& path) {
  constexpr int kMostLinks = 40;  // the kernel's limit
  std::filesystem::path file = path;
  for (int links = 0; links < kMostLinks; ++links) {
    // Opens new files only. If this process has a store in the file, closing a second descriptor
    // would release its locks.
    if (CreatePrivateFile(file.string())) return;
    std::error_code not_a_link;
    const std::filesystem::path target = std::filesystem::read_symlink(file, not_a_link);
    if (not_a_link) return;
    file = file.parent_path() / target;
  }
}

Status CheckFolder(const std::string& path) {
  const size_t slash = path.rfind('/');
  const Status may = CheckMayCreateIn(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  return may.ok() ? may : CannotBeOpened("no file can be made in its folder: ", may);
}

}  // namespace aztables
