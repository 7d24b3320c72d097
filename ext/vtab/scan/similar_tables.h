// WithSimilarTables: which tables of a connection have names like the one that does not exist.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "vtab/session/session.h"

namespace aztables {

// `status` with the names of similar tables, if it says that `table` does not exist and such tables
// can be listed with at most 9 more requests of the statement's budget; else `status`.
Status WithSimilarTables(const ServiceClient& client, const std::string& table, CallOptions call,
                         const Cancel& cancel, Status status);

}  // namespace aztables
