// What the texts of the statements that run tell, where SQLite does not tell a virtual table. A
// text may have a word for another reason: then less is sent to the service.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "session.h"

namespace aztables {

// Whether what a parameter of a statement that only reads was bound to is compared as it is. A CAST
// around it gives it an affinity, and so do a column of a compound SELECT, and one of a row that a
// trigger is for.
bool HasPlainParameters(Session& session);

// Whether there may be an outer join: SQLite offers the IS NOT NULL of its ON for the left table as
// if it were of WHERE. What is in a view or a trigger is no statement's text, so theirs count, too.
bool MayJoinOuter(Session& session);

}  // namespace aztables
