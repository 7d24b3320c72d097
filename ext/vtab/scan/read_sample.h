// ReadSample: a sample of a remote table through a connection, for column inference.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "table/table_sample.h"
#include "vtab/session/session.h"

namespace aztables {

// Reads a sample of `table`, in at most kMaxSampleRequests requests whatever the limits of `call`
// are (its time counts). A missing table is an error that names similar ones.
Result<TableSample> ReadSample(Session& session, Connection& connection, const std::string& table,
                               CallOptions call);

}  // namespace aztables
