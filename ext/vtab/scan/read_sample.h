// ReadSample: a sample of a remote table, for column inference; and WithSimilarTables: the error of
// a missing table.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>

#include "table/table_sample.h"
#include "vtab/session/session.h"

namespace aztables {

// Adds the names of similar tables to `status`, if `status` means that `table` does not exist. The
// list may take at most 9 more requests of the statement's budget; otherwise `status` is unchanged.
Status WithSimilarTables(const ServiceClient& client, const std::string& table, CallOptions call,
                         const Cancel& cancel, Status status);

// Reads a sample of `table` in at most kMaxSampleRequests requests. Only the time of `call`'s
// limits applies. If the table does not exist, the error names similar tables. The sample includes
// the entities that did not fit the inferred columns (RemoteTable::misfits).
Result<TableSample> ReadSample(Session& session, std::string_view connection,
                               const std::string& table, CallOptions call);

}  // namespace aztables
