// SampleTable: which properties of which types a remote table has, from a few requests, however
// many entities there are: what column inference is made from. How the regions are chosen is
// ext/table/sample_frontier.h's to say; what is made of the counts is the caller's.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <vector>

#include "model/property_use.h"
#include "table/service_client.h"

namespace aztables {

// Queries that a sample makes at most; retries after a failure are not counted.
inline constexpr int kMaxSampleRequests = 10;

struct TableSample {
  size_t entities = 0;  // seen, each counted once
  int requests = 0;
  bool complete = false;                // every entity was seen
  std::vector<PropertyUse> properties;  // most frequent first, ties in order of first appearance
};

// Every failure is an error, a missing table kNotFound: there is no half of a sample.
Result<TableSample> SampleTable(const ServiceClient& client, const std::string& table,
                                const CallOptions& options, const Cancel& cancel);

}  // namespace aztables
