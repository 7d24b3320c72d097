// What a failure of SQLite under the store means: full disk, read-only file, damaged file, somebody
// else's lock.
//
// Thread rule: that of the connection.
#pragma once

#include "base/status.h"
#include "service/store/sqlite_api.h"

namespace aztables {

// The refusal that the failure `rc` of `db` comes to.
Status StoreFailure(sqlite3* db, int rc);

}  // namespace aztables
