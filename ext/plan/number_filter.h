// NumberFilter: a comparison with a number as alternatives, one for each EDM type that a numeric
// column shows, so that no rule of the service for comparing across types is relied on.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "model/edm.h"
#include "odata/filter.h"

namespace aztables {

// The number that SQLite takes a value for where the other side is numeric: kInteger or kReal.
// Nothing for other values, and where reading a text exactly is not certain.
std::optional<SqlValue> NumberOf(const SqlValue& value);

// The alternatives of one EDM type (kInt32, kInt64, kDouble, kBoolean). `op` is not kNe. Empty:
// no value of that type compares so. Nothing: it cannot be said.
std::optional<Alternatives> NumberFilter(std::string_view property, EdmType type, CompareOp op,
                                         const SqlValue& number);

// A comparison that every value of the type passes, NaN not among them.
Alternatives AnyNumber(std::string_view property, EdmType type);

}  // namespace aztables
