// TakeSqliteRoutines: SQLite for code of a loadable extension. The service calls SQLite through the
// global `sqlite3_api`, which the host of aztables.so sets. A program that links SQLite defines
// this global and sets it here.
//
// Thread rule: once, before other threads use SQLite.
#pragma once

#include "base/status.h"

namespace aztables {

// Sets `sqlite3_api` to the routines of the linked SQLite. Fails if that SQLite has no support for
// extensions, is too old, or is built for one thread.
Status TakeSqliteRoutines();

}  // namespace aztables
