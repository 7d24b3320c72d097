// PropertyFilter: what of a comparison of a property's column may be sent to the service. Sound
// means: the alternatives hold for every entity that SQLite would keep, whatever EDM types its
// property may have, as far as a column of the declared type shows them. Where the service's rules
// are not documented (how it compares across numeric types, how many digits of a double it shows),
// what is sent asks for more.
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

// Alternatives of which one holds for each entity that `property condition value` may be true for,
// the property being shown by a column of type `declared` (kNull: ANY). Nothing where none are
// sound; empty where it is true for none, whatever the service has. `value`: of kLike the beginning
// that all have in common, see CommonBeginning(); of kNotNull it says nothing. `computed`: of an
// upper bound, see Condition::computed. REQUIRES: condition is not kIn
std::optional<Alternatives> PropertyFilter(std::string_view property, EdmType declared,
                                           ConditionOp condition, const SqlValue& value,
                                           bool computed);

}  // namespace aztables
