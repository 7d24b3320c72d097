// StoreFile: what the file system says of the file of a store: which one a path names, whether it
// can be a store.
//
// Thread rule: free functions and values; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"

namespace aztables {

// A file, whatever its names.
struct FileId {
  uint64_t device = 0;
  uint64_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};

// The file that `path` names; nothing where there is none, or none that can be looked at.
std::optional<FileId> IdOfFile(const std::string& path);

// The same for the path of a store. An error says why the file can be no store, or why nobody can
// tell whether there is one.
Result<std::optional<FileId>> FindStoreFile(const std::string& path);

// Makes an empty file at `path`, or where a link there points to, that nobody but its owner may
// read and write; SQLite gives its log the same mode. Leaves a file that is there as it is. If none
// can be made, SQLite finds that out.
void MakePrivateFile(const std::string& path);

// Why no file can be made at `path`; OK where its folder allows it.
Status CheckFolder(const std::string& path);

// The write-ahead log that SQLite keeps beside a store.
std::string LogPath(const std::string& path);

}  // namespace aztables
