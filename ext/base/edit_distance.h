// The edit distance of two names, for errors that suggest the intended name.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aztables {

// The code points of `text`, ASCII letters in lower case.
std::u32string FoldedCodePoints(std::string_view text);

// The fewest insertions, deletions, replacements and swaps of neighbours that turn one text into
// the other.
size_t EditDistance(std::u32string_view a, std::u32string_view b);

}  // namespace aztables
