// DateFilter: a comparison of a DATETIME, which SQLite compares as text, as a range of instants.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "odata/filter.h"

namespace aztables {

// The instants whose canonical forms may satisfy `op` with the text. `op` is not kNe. Nothing if
// these are not a range that can be sent; empty if there are none.
std::optional<Disjunction> DateFilter(std::string_view property, CompareOp op,
                                      std::string_view text);

// The dates whose canonical forms have that prefix, in any case.
std::optional<Disjunction> DateLikeFilter(std::string_view property, std::string_view beginning);

// Comparisons of which every instant satisfies one.
Disjunction AnyInstant(std::string_view property);

}  // namespace aztables
