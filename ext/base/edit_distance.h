// How far apart two names are, for errors that suggest the one that was meant.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aztables {

// The code points of `text`, ASCII letters in lower case.
std::u32string FoldedCodePoints(std::string_view text);

// The fewest insertions, deletions, replacements and swaps of neighbours that make one of the
// other.
size_t EditDistance(std::u32string_view a, std::u32string_view b);

}  // namespace aztables
