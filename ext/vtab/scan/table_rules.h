// The rules of the virtual tables over a remote table, for reads that do not use these tables.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "base/status.h"
#include "vtab/scan/read_rules.h"
#include "vtab/session/session.h"

namespace aztables {

// Makes SQLite connect all our virtual tables in all databases, used or not, so that
// Session::tables() has them. An error if that is not allowed: unknown rules do not count as no
// rules.
Status ConnectAllTables(Session& session);

// The strictest rules of the connected virtual tables over `table`.
ReadRules RulesOver(Session& session, const Connection& connection, const std::string& table);

}  // namespace aztables
