// Strict comparisons: a DATETIME, GUID or BOOLEAN column shows each value in one form, and SQLite
// compares that form. A value in another form matches nothing, or too much, without an error. So a
// comparison with such a value is an error, unless the option compare=text is set.
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
#include "plan/read_plan.h"

namespace aztables {

// Whether columns of the type show each value in one form: DATETIME, GUID, BOOLEAN.
bool HasOneForm(EdmType type);

// An error if a condition of the plan compares such a column with a number, or with another form of
// a value of the type. The message shows the correct form. A prefix of a date's form is valid as a
// bound: `>= '2026-02'` and `<`; up to a date also `>` and `<=`. `arguments` are those of xFilter;
// `sql_name` writes a column's name as SQL does.
Status CheckComparisons(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                        const Schema& schema,
                        const std::function<std::string(std::string_view)>& sql_name);

}  // namespace aztables
