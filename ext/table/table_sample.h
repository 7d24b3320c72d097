// SampleTable: which properties of which types a remote table has: the input of column inference.
// It uses a few requests, for any number of entities.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/property_use.h"
#include "table/service_client.h"

namespace aztables {

// The most queries of a sample; retries after a failure are not counted.
inline constexpr int kMaxSampleRequests = 10;

// PartitionKey and RowKey.
using SampledKey = std::pair<std::string, std::string>;

struct TableSample {
  size_t entities = 0;  // seen, each counted once
  int requests = 0;
  bool complete = false;                // every entity was seen
  std::vector<PropertyUse> properties;  // most frequent first, ties in order of first appearance
};

// Every failure is an error, and there is no partial sample. A missing table is kNotFound. `also`:
// entities that the sample has to include if they exist, with one more request for each.
Result<TableSample> SampleTable(const ServiceClient& client, const std::string& table,
                                const CallOptions& options, const Cancel& cancel,
                                std::span<const SampledKey> also = {});

}  // namespace aztables
