// DateFilter: a comparison of a DATETIME, which SQLite compares as text, as a range of instants.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "model/datetime.h"
#include "odata/filter.h"

namespace aztables {

// The instants whose forms share the text's prefix, as far as it is a prefix of a form. '2024-05'
// is the month. '2024-05-01 10:00' is the day, because a form has no blank there.
struct DateRange {
  Ticks first = 0;
  Ticks end = 0;       // after the last
  bool whole = false;  // the whole text is such a prefix
  bool exact = false;  // the text is the form of `first`
};

// Nothing if the text does not begin with a year.
std::optional<DateRange> DateRangeOf(std::string_view text);

// The instants whose canonical forms may satisfy `op` with the text. `op` is not kNe. Nothing if
// these are not a range that can be sent; empty if there are none.
std::optional<Disjunction> DateFilter(std::string_view property, CompareOp op,
                                      std::string_view text);

// The dates whose canonical forms have that prefix, in any case.
std::optional<Disjunction> DateLikeFilter(std::string_view property, std::string_view beginning);

// Comparisons of which every instant satisfies one.
Disjunction AnyInstant(std::string_view property);

}  // namespace aztables
