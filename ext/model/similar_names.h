// Names that somebody may have meant: for "no such table; did you mean ...".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aztables {

// Those of `names` that are like `name`, `most` at most, the best first: equal but for case; few
// edits away (one in three characters at most; two neighbours that changed places are one edit);
// one containing the other (three characters at least). Case does not matter.
std::vector<std::string> SimilarNames(std::string_view name, const std::vector<std::string>& names,
                                      size_t most);

}  // namespace aztables
