// The SQLite of the process: the extension's host, or the library that aztables-server links. Files
// of the service include no other header of SQLite.
#pragma once

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
