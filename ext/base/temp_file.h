// TempFile: bytes on the disk that nobody else sees. The file has no name and ends with the object
// or the process. It is in the first of these folders that takes it: $SQLITE_TMPDIR, $TMPDIR,
// /var/tmp, /tmp.
//
// Errors: kError with the folder, the system's reason and the remedy.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

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
  Status Failure(const char* what, const char* remedy) const;

  int file_;
  std::string folder_;
  int64_t size_ = 0;
};

}  // namespace aztables
