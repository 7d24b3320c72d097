// Paths of files.
//
// Thread rule: free functions; the working directory is read on the calling thread.
#pragma once

#include <string>

namespace aztables {

// The file that `path` names now, whatever the working directory becomes later; links are followed,
// so that one file has one name. Never a URI, whatever `path` looks like. A "/" at the end, by
// which a path says that it means a folder, stays there.
std::string ResolvePath(const std::string& path);

}  // namespace aztables
