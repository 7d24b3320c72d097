// An EGT that failed because of one operation, and is sent again without it. INSERT OR IGNORE skips
// an entity that exists. A DELETE of any version skips one that does not exist. With
// on_error=continue any operation that the service refuses is skipped, and reported as refused.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "base/cancel.h"
#include "base/status.h"
#include "write/egt.h"

namespace aztables {

// Whether the failure egt.status allows to skip the failed operation. If so, it is removed from
// `egt`, with all operations of its group of moved keys. The caller handles a second such failure
// of the same EGT.
bool SkipFailed(const EgtTarget& to, Egt& egt);

// Removes all operations of each group that contains a refused operation of `of`.
void SkipGroups(const Egt& of, Egt& egt);

// Queries the entities of the operations that may be skipped, at most 14 per request, and removes
// the operations that would fail.
Status SkipForeseen(const EgtTarget& to, Egt& egt, const Cancel& cancel);

}  // namespace aztables
