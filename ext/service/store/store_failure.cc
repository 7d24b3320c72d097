// Storage errors for SQLite's failures: full disk, read-only file, damaged file, a lock of another
// process. See store_connection.h.
#include <cerrno>
#include <system_error>

#include "service/storage_error.h"
#include "service/store/store_connection.h"

namespace aztables {
namespace {

// Whether the last write exceeded a quota or the limit on file size. SQLite does not report these
// as a full disk.
bool IsBeyondLimit(sqlite3* db) {
  for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
    sqlite3_file* file = nullptr;
    int error = 0;
    if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || file == nullptr ||
        file->pMethods == nullptr) {
      continue;
    }
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
    if (error == EDQUOT || error == EFBIG) return true;
  }
  return false;
}

}  // namespace

Status StoreFailure(sqlite3* db, int rc) {
  std::string reason = sqlite3_errmsg(db);
  if (rc == SQLITE_IOERR_WRITE && IsBeyondLimit(db)) return ToStatus(errors::kStoreFull);
  switch (rc & 0xFF) {
    case SQLITE_CANTOPEN:
      if (const int error = sqlite3_system_errno(db); error != 0) {
        reason += " (" + std::generic_category().message(error) + ")";
      }
      return ToStatus(errors::kInternalError, "The store cannot be opened (" + reason + ").");
    case SQLITE_FULL:
      return ToStatus(errors::kStoreFull);
    case SQLITE_READONLY:
      if (rc == SQLITE_READONLY_DIRECTORY) {
        return ToStatus(
            errors::kReadOnlyStore,
            "The store is in a read-only folder; SQLite makes files there, even to read.");
      }
      return ToStatus(errors::kReadOnlyStore);
    case SQLITE_PERM:
      return ToStatus(errors::kReadOnlyStore);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ToStatus(errors::kServerBusy, "Another process is writing to the store.");
    case SQLITE_NOTADB:
      return ToStatus(errors::kInternalError, "The store is not a SQLite database.");
    case SQLITE_CORRUPT:
      return ToStatus(errors::kInternalError, "The store is damaged (" + reason + ").");
    case SQLITE_NOMEM:
      return ToStatus(errors::kInternalError, "The store is out of memory.").As(Code::kNoMemory);
    default:
      return ToStatus(errors::kInternalError,
                      "The store cannot be read or written (" + reason + ").");
  }
}

}  // namespace aztables
