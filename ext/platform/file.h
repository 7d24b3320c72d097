// Files of the operating system: their paths, what they are, their contents, temporary ones.
//
// Errors: kError with the system's reason.
// Thread rule: free functions; the working directory is read on the calling thread. One thread at a
// time uses a TempFile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

// The path of the file that `path` names now. A later change of the working directory does not
// matter. Links are followed, so each file has one name. The result is never a URI, even if
// `path` looks like one. A final "/", which marks a folder, is kept.
std::string ResolvePath(const std::string& path);

// Whether nothing is at `path`. False if the path is empty or cannot be examined.
bool IsMissingFile(const std::string& path);

// Identifies a file by device and inode.
struct FileId {
  uint64_t device = 0;
  uint64_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};
struct FileFacts {
  enum class Kind : uint8_t { kOrdinary, kFolder, kOther };
  FileId id;
  Kind kind = Kind::kOther;
  uint64_t names = 1;  // hard links
};
// The file at `path`; nothing if there is none.
Result<std::optional<FileFacts>> FactsOfFile(const std::string& path);
// Nothing if there is no file, or it cannot be examined.
std::optional<FileId> IdOfFile(const std::string& path);

// The contents of an ordinary file, at most `most` bytes. Pipes and devices are refused, and the
// call never waits for another process. The error is the end of a sentence: "cannot be read: ...".
Result<std::string> ReadOrdinaryFile(const std::string& path, size_t most);

// Creates an empty file that only its owner may read and write. False: something is at `path`, or
// no file can be created.
bool CreatePrivateFile(const std::string& path);
// OK if a file can be created in the folder.
Status CheckMayCreateIn(const std::string& folder);

// Bytes on the disk that nobody else sees. The file has no name and ends with the object or the
// process. It is in the first of these folders that takes it: $SQLITE_TMPDIR, $TMPDIR, /var/tmp,
// /tmp. Errors name the folder and the remedy.
class TempFile {
 public:
  static Result<std::unique_ptr<TempFile>> Make();
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  int64_t size() const { return size_; }
  Status Append(std::string_view bytes);
  // Reads bytes.size() bytes. REQUIRES: they were appended
  Status Read(int64_t at, std::string& bytes) const;

 private:
  TempFile(int file, std::string folder) : file_(file), folder_(std::move(folder)) {}
  Status Failed(const char* what, const char* remedy) const;

  int file_;
  std::string folder_;
  int64_t size_ = 0;
};

}  // namespace aztables
