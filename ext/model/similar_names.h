// Suggestions of names, for "no such table; did you mean ...".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aztables {

// The names that are similar to `name`, at most `most`, the best first. Names are similar if they
// are equal except for case. They are similar if they are few edits apart: at most one in three
// characters, and a swap of two neighbours is one edit. They are similar if one contains the other
// and has at least three characters. Case does not matter.
std::vector<std::string> SimilarNames(std::string_view name, const std::vector<std::string>& names,
                                      size_t most);

}  // namespace aztables
