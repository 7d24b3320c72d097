// CheckMayWrite: which statement requests a change. The statement that the user runs may change the
// table that it names. A view or a trigger may be from a database file of others. It may change a
// remote table only if the user has named its connection (trust.h).
//
// Thread rule: the thread of the database connection.
#pragma once

#include "vtab/table.h"

namespace aztables {

// Whether every executing statement names the table as the one to change.
bool IsChangedDirectly(Table& table);

// OK if every executing statement names the table as the one to change, or if views and triggers
// may change it. Otherwise kAuth, or the error of a connection that cannot be found.
Status CheckMayWrite(Table& table);

}  // namespace aztables
