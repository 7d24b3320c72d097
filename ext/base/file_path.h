// Paths of files, and the contents of small files.
//
// Thread rule: free functions; the working directory is read on the calling thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace aztables {

// The path of the file that `path` names now. A later change of the working directory does not
// matter. Links are followed, so each file has one name. The result is never a URI, even if
// `path` looks like one. A final "/", which marks a folder, is kept.
std::string ResolvePath(const std::string& path);

// Whether nothing is at `path`. False if the path is empty or cannot be examined.
bool IsMissingFile(const std::string& path);

// The contents of an ordinary file, at most `most` bytes. Pipes and devices are refused, and the
// call never waits for another process. The error is the end of a sentence: "cannot be read: ...".
Result<std::string> ReadOrdinaryFile(const std::string& path, size_t most);

}  // namespace aztables
