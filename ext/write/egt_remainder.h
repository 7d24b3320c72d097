// The remainder of an EGT whose operations met entities that they may skip. INSERT OR IGNORE skips
// an entity that exists. A DELETE of any version skips one that does not exist. With
// on_error=continue any operation that the service refuses may be left out, and is reported as
// refused.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "base/cancel.h"
#include "base/status.h"
#include "write/egt_plan.h"

namespace aztables {

// Whether the failed operation may be left out after the failure egt.status. If so, it is left out;
// of a group of moved keys, all operations that `egt` has are left out. The caller handles a second
// such failure of the same EGT.
bool LeaveOut(const TableWrites& writes, Egt& egt);

// Leaves out all operations of each group in which `of` has a refusal.
void LeaveOutGroups(const Egt& of, Egt& egt);

// Queries the entities of the operations that may be left out, at most 14 per request, and leaves
// out the operations that would fail.
Status LeaveOutAll(const TableWrites& writes, Egt& egt, const Cancel& cancel);

}  // namespace aztables
