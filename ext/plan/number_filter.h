// NumberFilter: a comparison with a number as clauses for each EDM type that a numeric
// column shows. So it does not rely on the service's rules for comparing across types.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "model/edm.h"
#include "odata/filter.h"

namespace aztables {

// The number that SQLite compares a value as if the other side is numeric: kInteger or kReal.
// Nothing for other values, and for a text that readers may not read exactly.
std::optional<SqlValue> NumberOf(const SqlValue& value);

// The clauses for one EDM type (kInt32, kInt64, kDouble, kBoolean). `op` is not kNe. Empty: no
// value of that type satisfies the comparison. Nothing: no filter expresses it.
std::optional<Disjunction> NumberFilter(std::string_view property, EdmType type, CompareOp op,
                                        const SqlValue& number);

// A comparison that every value of the type except NaN satisfies.
Disjunction AnyNumber(std::string_view property, EdmType type);

}  // namespace aztables
