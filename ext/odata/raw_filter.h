// What can be told of a $filter that a person wrote. Source: Microsoft, "Querying tables and
// entities".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string_view>

namespace aztables {

// Whether the filter lets the service read less than the whole table: every way to satisfy it
// compares PartitionKey with a text by eq, lt, le, gt or ge, and not just with '' from above. A
// filter that ParseFilter (filter_tree.h) refuses does not, whatever a service would make of it.
bool LimitsPartitionKey(std::string_view filter);

}  // namespace aztables
