// Commit: sends the entity group transactions of a plan, several of a table at once.
// After the first failure nothing more is sent; what is under way is waited for.
// Source: Microsoft, "Performing entity group transactions".
//
// Ownership: logs and clients outlive the call.
// Thread rule: the thread of the database connection.
#pragma once

#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "write/egt_plan.h"

namespace aztables {

// Sends those that are not applied yet, if `budget` has enough left for them: where it has not,
// nothing is sent. kBusy only where every failure was one that passes by itself and left nothing
// open: the same plan can be sent again then. `sent_before`: EGTs of the transaction that were
// applied before there was this plan, to be counted in the message.
Status CommitWrites(const std::vector<TableWrites>& writes, std::vector<Egt>& egts,
                    const Cancel& cancel, const Budget& budget = {}, size_t sent_before = 0);

// Adds to what is told of a refused Delete, if it was of a moved key, under which key the entity is
// there, too.
void NameDuplicates(const std::vector<TableWrites>& writes, std::vector<Egt>& egts);

// The sentence for a commit in which at least one EGT failed. It names an entity that is there
// twice now: under its new key, and under the old one that could not be deleted.
Status ReportFailure(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts,
                     size_t sent_before = 0);

}  // namespace aztables
