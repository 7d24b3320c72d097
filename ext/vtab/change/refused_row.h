// Rows that are refused before they are sent, where on_error=continue goes on without them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>

#include "table/entity_operation.h"
#include "vtab/table.h"

namespace aztables {

// Whether the statement goes on although this row was refused: not where its clause is FAIL or
// ROLLBACK, nor where IGNORE leaves the row out without a word.
bool GoesOnPast(const Table& table, const Status& refusal);

// Records it in aztables_commits. `key`: of the row, where it is known.
void RecordRefused(Table& table, EntityVerb verb, const std::optional<EntityKey>& key,
                   const Status& refusal);

}  // namespace aztables
