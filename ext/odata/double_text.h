// Doubles as texts: the rules that literals in a filter and numbers in JSON share.
//
// Thread rule: free functions.
#pragma once

#include <optional>
#include <string_view>

namespace aztables {

// The value of `text` if all of it is one number. A number too small for a Double is zero with its
// sign. A number too large for a Double is not valid.
std::optional<double> ParseDouble(std::string_view text);

}  // namespace aztables
