// ReadSample: a sample of a remote table through a connection, for column inference.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "table/table_sample.h"
#include "vtab/session/session.h"

namespace aztables {

// Reads a sample of `table` in at most kMaxSampleRequests requests. Only the time of `call`'s
// limits applies. If the table does not exist, the error names similar tables.
Result<TableSample> ReadSample(Session& session, Connection& connection, const std::string& table,
                               CallOptions call);

}  // namespace aztables
