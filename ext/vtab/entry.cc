// The entry point: checks the host and registers everything. The one file that defines sqlite3_api.
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "aztables.h"
#include "vtab/functions/functions.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/sql.h"
#include "vtab/table.h"
#include "vtab/tables/eponymous.h"

namespace aztables {
namespace {

// A second load changes nothing, so the connections and the request log of the first one stay.
Status Register(sqlite3* db) {
  if (HasTableModule(db)) return {};
  const auto session = std::make_shared<Session>(db);
  int rc = RegisterFunctions(session);
  if (rc == SQLITE_OK) rc = RegisterEponymousTables(session);
  if (rc == SQLITE_OK) rc = RegisterTableModule(session);  // last: HasTableModule() means loaded
  return rc == SQLITE_OK ? Status() : FailureOf(db, rc).In("aztables");
}

}  // namespace
}  // namespace aztables

// The routine table of an older host ends before routines that this extension calls. So the host's
// version is checked before any other routine is used. The table of an older host is not kept: the
// process may hold another SQLite, on whose connections the extension works.
extern "C" __attribute__((visibility("default"))) int sqlite3_aztables_init(
    sqlite3* db, char** error_message, const sqlite3_api_routines* api) {
  if (api->libversion_number() < AZTABLES_MIN_SQLITE_VERSION_NUMBER) {
    if (error_message != nullptr) {
      *error_message = api->mprintf("aztables needs SQLite 3.38.0 or newer; this host has %s",
                                    api->libversion());
    }
    return SQLITE_ERROR;
  }
  // Written once: threads may load the extension at the same time.
  static const bool taken = ((sqlite3_api = api) != nullptr);
  static_cast<void>(taken);
  char* ignored = nullptr;
  const int rc = aztables::Guard(error_message != nullptr ? error_message : &ignored,
                                 [&] { return aztables::Register(db); });
  sqlite3_free(ignored);
  // Threads and libraries with global state remain: the library is never unloaded.
  return rc == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : rc;
}
