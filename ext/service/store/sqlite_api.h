// SQLite as the process around the service provides it: the host of the extension, or the SQLite
// that aztables-server links. Files of the service include this and nothing else of SQLite.
#pragma once

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
