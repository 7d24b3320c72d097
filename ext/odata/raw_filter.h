// Analyzes a $filter that a user wrote. Source: Microsoft, "Querying tables and entities".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string_view>

namespace aztables {

// Whether the filter lets the service read less than the whole table. Every way to satisfy it must
// compare PartitionKey with a text by eq, lt, le, gt or ge; `gt ''` and `ge ''` do not count. If
// ParseFilter (filter_tree.h) rejects the filter, the result is false, even if a service would
// accept the filter.
bool LimitsPartitionKey(std::string_view filter);

}  // namespace aztables
