// TablesOver: the virtual tables over a remote table. Their options apply to what names the remote
// table itself, such as aztables_query and aztables_infer.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace aztables {

class Session;
struct Connection;
struct Table;

// Makes SQLite connect all our virtual tables in all databases, used or not, so that
// Session::tables() has them. An error if that is not allowed: unknown rules do not count as no
// rules.
Status ConnectAllTables(Session& session);

// The connected virtual tables over `table`.
std::vector<const Table*> TablesOver(Session& session, const Connection& connection,
                                     const std::string& table);

}  // namespace aztables
