// StatementShape: whether every running statement that reads our tables is plain. In a plain
// statement each constraint that SQLite offers means what it seems to mean. In another statement a
// value may have an affinity (`N = 5 AND RowKey = N` finds the RowKey '05'), a list may have
// another collation, and IS NOT NULL may be a condition of an outer join.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>
#include <string_view>

#include "vtab/session/session.h"
#include "vtab/trust/direct_use.h"

namespace aztables {

// The one table (or view) that a plain statement names. Plain is one SELECT, UPDATE or DELETE of
// one table: no subquery, CTE, compound or join, no CAST, no COLLATE, and no comparison of two
// columns. Nothing if the statement is not plain, or if that is hard to determine.
std::optional<NamedTable> PlainTable(std::string_view sql);

// Whether every running statement that may read one of our tables is plain and names one of them.
// Then it runs no view and no trigger.
bool AreReadersPlain(Session& session);

}  // namespace aztables
