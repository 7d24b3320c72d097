// The rules of the virtual tables over a remote table, for reads that go around them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "base/status.h"
#include "vtab/scan/read_rules.h"
#include "vtab/session/session.h"

namespace aztables {

// Makes SQLite connect every virtual table of ours, also those that were not used yet, in all
// databases, so that Session::tables() has them. An error where that is not allowed: rules that
// cannot be known are not taken for none.
Status ConnectAllTables(Session& session);

// The strictest rules of the connected virtual tables over `table`.
ReadRules RulesOver(Session& session, const Connection& connection, const std::string& table);

}  // namespace aztables
