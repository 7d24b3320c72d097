// PropertyFilter: the part of a comparison of a property's column that may be sent to the service.
// The clauses are sound: they hold for every entity that SQLite would keep. This is so for
// every EDM type of the property that a column of the declared type shows. If the service's rules
// are not documented, the filter selects more. Examples are how it compares across numeric types,
// and how many digits of a double it shows.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/edm.h"
#include "odata/filter.h"
#include "plan/read_plan.h"

namespace aztables {

// The comparison of a condition with a value that is not NULL. Nothing if there is none.
std::optional<CompareOp> CompareOpOf(ConditionOp op);

// The clauses of which one holds for each entity that `property condition value` may be true for.
// A column of type `declared` (kNull: ANY) shows the property. Nothing if none are sound. Empty if
// the comparison is never true. `value`: for kLike the common
// prefix, see CommonBeginning(); unused for kNotNull. `computed`: for an upper bound, see
// Condition::computed. REQUIRES: condition is not kIn
std::optional<Disjunction> PropertyFilter(std::string_view property, EdmType declared,
                                          ConditionOp condition, const SqlValue& value,
                                          bool computed);

}  // namespace aztables
