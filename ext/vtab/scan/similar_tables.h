// WithSimilarTables: the tables of a connection whose names are similar to that of a missing table.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "vtab/session/session.h"

namespace aztables {

// Adds the names of similar tables to `status`, if `status` means that `table` does not exist. The
// list may take at most 9 more requests of the statement's budget; otherwise `status` is unchanged.
Status WithSimilarTables(const ServiceClient& client, const std::string& table, CallOptions call,
                         const Cancel& cancel, Status status);

}  // namespace aztables
