// Rows that are refused before they are sent, if on_error=continue continues without them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>

#include "table/entity_operation.h"
#include "vtab/table.h"

namespace aztables {

// Whether the statement continues although this row was refused. It does not if its clause is FAIL
// or ROLLBACK, or if IGNORE silently leaves the row out.
bool GoesOnPast(const Table& table, const Status& refusal);

// Records the row in aztables_commits. `key`: of the row, if it is known.
void RecordRefused(Table& table, EntityVerb verb, const std::optional<EntityKey>& key,
                   const Status& refusal);

}  // namespace aztables
