// CheckMayWrite: who asks for a change. The statement that the user runs may change the table that
// it names. A view or a trigger, which a stranger's database file may hold, may change a remote
// table only if the user has named its connection (trust.h).
//
// Thread rule: the thread of the database connection.
#pragma once

#include "vtab/table.h"

namespace aztables {

// Whether every statement that executes names the table as the one to change.
bool IsChangedDirectly(Table& table);

// kAuth if the text of a statement that executes does not name the table as the one to change, and
// views and triggers may not change it either.
Status CheckMayWrite(Table& table);

}  // namespace aztables
