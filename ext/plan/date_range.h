// DateRange: the instants that satisfy a comparison of texts. One side is an instant in its
// canonical form (YYYY-MM-DDTHH:MM:SS.fffffffZ), the other is any text.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "model/datetime.h"

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

}  // namespace aztables
