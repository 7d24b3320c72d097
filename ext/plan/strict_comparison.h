// Strict comparisons: a DATETIME, GUID or BOOLEAN column shows each value in one form, and SQLite
// compares that form. A value in another form matches nothing, or every row, without an error. The
// keys are text, and a REAL such as 5.0 does not equal the key '5'. So a comparison with such a
// value is an error, unless the option compare=text is set.
//
// Thread rule: pure; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/schema.h"
#include "plan/bound_plan.h"
#include "plan/planner.h"
#include "plan/read_plan.h"

namespace aztables {

// Whether values that are compared with this column of the schema are checked.
bool IsStrict(const Schema& schema, int column);

// Whether the constraint is a bound that SQLite made of a GLOB or LIKE. Such a bound is valid.
bool IsPatternBound(const std::vector<OfferedConstraint>& constraints, size_t i);

// An error if a value of a constraint or condition is not valid. Valid values are:
//   DATETIME  a text with which the form of a real date begins. A text of four characters or more
//             that is no whole date equals nothing, so it is valid as a bound only. With `>` and
//             `<=`, at most a day is valid
//   GUID      a whole GUID in lower case; as a bound, a text with which one begins
//   BOOLEAN   0 or 1
//   keys      text and integers
// NULL is always valid. The message shows how to write the comparison. `sql_name` writes a column's
// name as SQL does.
using SqlName = std::function<std::string(std::string_view)>;
// For xBestIndex: checks the literals, also those of an OR.
Status CheckLiterals(const PlanRequest& request, const SqlName& sql_name);
// For xFilter: `arguments` are its values.
Status CheckComparisons(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                        const Schema& schema, const SqlName& sql_name);

}  // namespace aztables
