// StoreFile: finds the file of a store by its path, and checks whether it can be a store.
//
// Thread rule: free functions and values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"

namespace aztables {

// Identifies a file by device and inode.
struct FileId {
  uint64_t device = 0;
  uint64_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};

// The file at `path`; nothing if it does not exist or cannot be examined.
std::optional<FileId> IdOfFile(const std::string& path);

// The same for the path of a store. Fails if the file cannot be a store or cannot be examined.
Result<std::optional<FileId>> FindStoreFile(const std::string& path);

// Creates an empty file at `path`, or at the target of a link, that only its owner may read and
// write. SQLite gives its log the same mode. An existing file stays unchanged. Failures are left to
// SQLite.
void MakePrivateFile(const std::string& path);

// The reason why `path` cannot be created; OK if its folder permits it.
Status CheckFolder(const std::string& path);

}  // namespace aztables
