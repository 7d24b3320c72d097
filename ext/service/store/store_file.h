// StoreFile: finds the file of a store by its path, and checks whether it can be a store.
//
// Thread rule: free functions and values; any thread.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "platform/file.h"

namespace aztables {

// The file at the path of a store; nothing if there is none. Fails if the file cannot be a store or
// cannot be examined.
Result<std::optional<FileId>> FindStoreFile(const std::string& path);

// Creates an empty file at `path`, or at the target of a link, that only its owner may read and
// write. SQLite gives its log the same mode. An existing file stays unchanged. Failures are left to
// SQLite.
void MakePrivateFile(const std::string& path);

// The reason why `path` cannot be created; OK if its folder permits it.
Status CheckFolder(const std::string& path);

}  // namespace aztables
