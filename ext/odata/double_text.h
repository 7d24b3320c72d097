// Doubles as texts: what a literal in a filter and a number in JSON have in common.
//
// Thread rule: free functions.
#pragma once

#include <optional>
#include <string_view>

namespace aztables {

// The number that `text` is, and nothing else. One too small for a Double is zero with its sign;
// one too large is none.
std::optional<double> ParseDouble(std::string_view text);

}  // namespace aztables
