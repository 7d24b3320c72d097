// DateFilter: a comparison of a DATETIME, which SQLite compares as text, as a range of instants.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "odata/filter.h"

namespace aztables {

// The instants whose forms may compare so with the text. `op` is not kNe. Nothing where that is no
// range that can be sent; empty where there are none.
std::optional<Alternatives> DateFilter(std::string_view property, CompareOp op,
                                       std::string_view text);

// The dates whose forms begin so, in any case.
std::optional<Alternatives> DateLikeFilter(std::string_view property, std::string_view beginning);

// Comparisons of which every instant passes one.
Alternatives AnyInstant(std::string_view property);

}  // namespace aztables
