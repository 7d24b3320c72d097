// TrustChecks: what a database file from others must not cause. Each check looks at the texts of
// the statements that execute (direct_use.h): only the user writes these.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string_view>

#include "base/status.h"

namespace aztables {

class Session;
struct Table;

// Whether every executing statement names the table as the one to change.
bool IsChangedDirectly(Table& table);
// OK if that is so, or if views and triggers may change the table. A view or a trigger may be from
// a database file of others. It may change a remote table only if the user has named its connection
// (trust.h). Otherwise kAuth, or the error of a connection that cannot be found.
Status CheckMayWrite(Table& table);

// Whether every executing statement calls the function. VACUUM, a view, a trigger or a CHECK of a
// database file may call it, too. REQUIRES: `function` is in lower case
Status CheckIsCalledDirectly(Session& session, std::string_view function);

// VACUUM runs the CREATE VIRTUAL TABLE of a database file. That would name the connection in the
// file.
Status CheckIsCreatedDirectly(Session& session);
// SQLite stores the whole text of CREATE VIRTUAL TABLE, with its comments.
Status CheckHoldsNoSecret(Session& session);

}  // namespace aztables
