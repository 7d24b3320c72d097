// StoreFile: what the file system says of the file of a store: which one a path names, whether it
// can be a store, and whether the log of another file stands beside it.
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

// The log of a file that is no longer at its path, kept open, so that no other file gets its
// number.
class LeftLog {
 public:
  // The log that stands beside `path`, if it is `log`; else null.
  static std::shared_ptr<const LeftLog> Keep(const std::string& path,
                                             const std::optional<FileId>& log);
  ~LeftLog();
  LeftLog(const LeftLog&) = delete;
  LeftLog& operator=(const LeftLog&) = delete;

  // Whether it still stands beside `path` and holds something, which SQLite would take for the log
  // of the file that is there now.
  bool IsDangerTo(const std::string& path) const;

 private:
  LeftLog(int descriptor, FileId log) : descriptor_(descriptor), log_(log) {}
  const int descriptor_;
  const FileId log_;
};

}  // namespace aztables
