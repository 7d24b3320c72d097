// Commit: sends the entity group transactions (EGTs) of a plan, one table after another
// (egt_sender.h). After the first failure nothing more is sent.
// Source: Microsoft, "Performing entity group transactions".
//
// Ownership: logs and clients outlive the call.
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "write/egt_plan.h"
#include "write/egt_sender.h"

namespace aztables {

// Sends the EGTs that are not applied yet. If `budget` has not enough left for all of them, nothing
// is sent. An EGT without a clear response is sent again, and settled by reading its entities
// (settle.h). kBusy only if every failure was transient: then the same plan can be sent again,
// which settles what is unknown. `sent_before`: EGTs of the transaction that were applied before
// this plan was made, for the message. `later`: entities that the statement will write after this
// plan, for which the budget must have enough left too. `again`: who can send the plan again;
// otherwise an unknown outcome is not kBusy.
Status CommitWrites(const std::vector<TableWrites>& writes, std::vector<Egt>& egts,
                    const Cancel& cancel, const Budget& budget = {}, size_t sent_before = 0,
                    int64_t later = 0, Again again = Again::kNobody);

// Whether each unknown outcome is due to a transient failure, or was kept from an earlier COMMIT,
// and is settled if its EGT is sent again.
bool MayAllBeSettled(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts);

// "; the outcome of 2 EGTs is unknown: ..." for the end of a message; empty if there are none.
inline constexpr std::string_view kReadEntities = "read the entities to find out";
std::string UnknownText(size_t unknown, std::string_view how = kReadEntities);
// If a refused Delete was of a moved key, adds to its message under which other key the entity
// exists, too.
void NameDuplicates(const std::vector<TableWrites>& writes, std::vector<Egt>& egts);

// The end of each message about a transaction that failed, and the only text of it: "; 2 of 3 EGTs
// applied: see aztables_commits". Without a plan (`planned` is 0) it ends so only if something was
// sent before COMMIT, else in "; nothing was sent".
std::string AppliedText(size_t applied, size_t planned = 0);

// The sentence for a COMMIT in which at least one EGT failed. It names an entity that now exists
// twice: under its new key, and under the old key that could not be deleted.
Status ReportFailure(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts,
                     size_t sent_before = 0, Again again = Again::kNobody);

}  // namespace aztables
