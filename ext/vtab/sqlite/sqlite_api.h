// SQLite as its host gives it to a loadable extension. Every file of vtab includes this and nothing
// else of SQLite; entry.cc defines the pointer that it declares.
#pragma once

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
