// LocalStore=PATH for a database connection: which file a path means, and whether that file is one
// of the connection's own databases.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "base/status.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

// ResolvePath() (base/file_path.h); ":memory:" stays as it is.
std::string ResolveStorePath(const std::string& path);

// Whether no file is at the path of a store. False if the path cannot be read.
bool IsNewStore(const std::string& path);

// An error if the store at `path` is the file of the main or an attached database: their locks
// would wait for each other.
Status CheckStoreIsNoDatabase(sqlite3* db, const std::string& path);

}  // namespace aztables
