// Paths of files, and what small files hold.
//
// Thread rule: free functions; the working directory is read on the calling thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"

namespace aztables {

// The file that `path` names now, whatever the working directory becomes later; links are followed,
// so that one file has one name. Never a URI, whatever `path` looks like. A "/" at the end, by
// which a path says that it means a folder, stays there.
std::string ResolvePath(const std::string& path);

// What an ordinary file holds, at most `most` bytes. Pipes and devices are refused, and nothing
// waits for another process. The error is the end of a sentence: "cannot be read: ...".
Result<std::string> ReadOrdinaryFile(const std::string& path, size_t most);

}  // namespace aztables
