// TakeSqliteRoutines: SQLite for code that is written for a loadable extension. The service calls
// SQLite through the global `sqlite3_api`, which a host sets in aztables.so. A program that links
// SQLite itself has this one, and sets it here.
//
// Thread rule: once, before other threads use SQLite.
#pragma once

#include "base/status.h"

namespace aztables {

// Sets `sqlite3_api` to the routines of the SQLite that the program is linked with. An error says
// why that SQLite cannot serve: no support for extensions, too old, or built for one thread.
Status TakeSqliteRoutines();

}  // namespace aztables
