// Storage errors for SQLite's failures: full disk, read-only file, damaged file, a lock of another
// process.
//
// Thread rule: that of the connection.
#pragma once

#include "base/status.h"
#include "service/store/sqlite_api.h"

namespace aztables {

// The storage error for the failure `rc` of `db`.
Status StoreFailure(sqlite3* db, int rc);

}  // namespace aztables
