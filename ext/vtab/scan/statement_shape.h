// StatementShape: whether the text of a statement has the plain form. In that form, each constraint
// that SQLite offers means what it seems to mean.
//
// Thread rule: pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aztables {

// The one table (or view) that a plain statement reads, unquoted, without its schema. Nothing if
// the statement is not plain, or if that is hard to determine. Plain is one SELECT from one table:
// no view, no CTE, no subquery, no join, no compound, no CAST, no COLLATE, and no comparison of two
// columns.
//
// In a plain statement no value has an affinity: a key is compared with a number as text. In other
// statements a value may have one: `N = 5 AND RowKey = N` compares as numbers, and so finds the
// RowKey '05'.
std::optional<std::string> PlainTable(std::string_view sql);

}  // namespace aztables
