// OnlyTable: what the text of a SELECT tells of the tables that it reads.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

// The one table (or view) that the statement names in its one FROM, unquoted, without its schema,
// where nothing in the text can change the affinity of a parameter: no join, no subquery that
// reads, no compound, no CAST. Nothing for every other text, and for those that are hard to tell.
std::optional<std::string> OnlyTable(std::string_view sql);

}  // namespace aztables
