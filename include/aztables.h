/* The one C header of sqlite-aztables: the entry point of the extension, for programs that link it
** statically or register it with sqlite3_auto_extension(). Loading aztables.so needs no header.
**
** Thread rule: as for any SQLite entry point, call it on the thread that owns `db`.
** Errors: returns an SQLite result code; on failure *error_message, if not NULL, receives a text
** that the caller frees with sqlite3_free().
*/
#ifndef AZTABLES_H
#define AZTABLES_H

#include <sqlite3.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this library, as aztables_version() returns it. */
#define AZTABLES_VERSION "0.1.0"

/* The oldest SQLite that can host the extension (sqlite3_vtab_in and sqlite3_vtab_rhs_value). */
#define AZTABLES_MIN_SQLITE_VERSION_NUMBER 3038000

struct sqlite3_api_routines;

/* Registers every function and table of the extension on `db`. */
int sqlite3_aztables_init(sqlite3 *db, char **error_message,
                          const struct sqlite3_api_routines *api);

#ifdef __cplusplus
}
#endif

#endif /* AZTABLES_H */
