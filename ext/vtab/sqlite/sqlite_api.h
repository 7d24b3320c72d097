// SQLite as its host provides it to a loadable extension. Every file of vtab includes only this
// header of SQLite; entry.cc defines the pointer that it declares.
#pragma once

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
