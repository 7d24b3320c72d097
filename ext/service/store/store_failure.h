// What a failure of SQLite under the store means: full disk, read-only file, damaged file, somebody
// else's lock.
//
// Thread rule: that of the connection.
#pragma once

#include "base/status.h"
#include "service/store/sqlite_api.h"

namespace aztables {

// The storage error for the failure `rc` of `db`.
Status StoreFailure(sqlite3* db, int rc);

}  // namespace aztables
