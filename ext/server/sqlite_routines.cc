// Gets SQLite's routines from an automatic extension, which SQLite calls with them. See
// sqlite_routines.h. This file must not include sqlite3ext.h: its macros call functions through the
// pointer that is set here.
#include "server/sqlite_routines.h"

#include <sqlite3.h>

#include <string>

#include "aztables.h"

// SQLITE_EXTENSION_INIT3 declares this in the files of the service.
extern const struct sqlite3_api_routines* sqlite3_api;
const struct sqlite3_api_routines* sqlite3_api = nullptr;

namespace aztables {
namespace {

int StoreRoutines(sqlite3*, char**, const struct sqlite3_api_routines* routines) {
  sqlite3_api = routines;
  return SQLITE_OK;
}

}  // namespace

Status TakeSqliteRoutines() {
  if (sqlite3_libversion_number() < AZTABLES_MIN_SQLITE_VERSION_NUMBER) {
    return Status::Error(std::string("SQLite ") + sqlite3_libversion() + " is too old");
  }
  if (sqlite3_threadsafe() == 0) return Status::Error("this SQLite is built for one thread only");
  // SQLite declares entry points as void(*)(void) and casts them back.
  const auto entry_point = reinterpret_cast<void (*)()>(&StoreRoutines);
  int code = sqlite3_auto_extension(entry_point);
  if (code == SQLITE_OK) {
    sqlite3* db = nullptr;
    code = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    sqlite3_close(db);
    sqlite3_cancel_auto_extension(entry_point);
  }
  if (code != SQLITE_OK) {
    return Status::Error(std::string("SQLite does not start: ") + sqlite3_errstr(code));
  }
  if (sqlite3_api == nullptr) return Status::Error("this SQLite has no support for extensions");
  return {};
}

}  // namespace aztables
