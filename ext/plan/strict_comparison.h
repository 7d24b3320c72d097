// Strict comparisons: a column of dates, GUIDs or truth values shows each value in one form, and
// SQLite compares that form. A value in another form finds nothing, or too much, without an error.
// So a comparison with one is an error, unless the option compare=text is set.
//
// Thread rule: pure; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/schema.h"
#include "plan/bound_read.h"
#include "plan/read_plan.h"

namespace aztables {

// Whether columns of the type show each value in one form: DATETIME, GUID, BOOLEAN.
bool HasOneForm(EdmType type);

// An error if a condition of the plan compares such a column with a number, or with a text that
// means a value of the type in another form. The message says what to write. Texts that begin as
// the form of a date does are bounds: `>= '2026-02'` and `<`, and up to a date `>` and `<=`.
// `arguments` are those of xFilter; `sql_name` writes the name of a column as SQL does.
Status CheckComparisons(const ReadPlan& plan, const std::vector<ReadArgument>& arguments,
                        const Schema& schema,
                        const std::function<std::string(std::string_view)>& sql_name);

}  // namespace aztables
