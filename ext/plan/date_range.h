// DateRange: which instants a comparison of texts lets through, where one side is an instant in its
// canonical form (YYYY-MM-DDTHH:MM:SS.fffffffZ) and the other any text.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "model/datetime.h"

namespace aztables {

// The instants whose forms begin as the text does, as far as the text is the beginning of a form:
// '2024-05' is the month, '2024-05-01 10:00' the day, since no form has a blank there.
struct DateRange {
  Ticks first = 0;
  Ticks end = 0;       // behind the last
  bool whole = false;  // the text is that beginning and nothing else
  bool exact = false;  // the text is the form of `first`
};

// Nothing where the text does not begin with a year.
std::optional<DateRange> DateRangeOf(std::string_view text);

}  // namespace aztables
