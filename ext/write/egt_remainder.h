// What is left of an EGT whose operations met entities that they may skip: INSERT OR IGNORE of one
// that exists, a DELETE of any version of one that does not. With on_error=continue every operation
// may be left out that the service refuses, and is told as refused.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "base/cancel.h"
#include "base/status.h"
#include "write/egt_plan.h"

namespace aztables {

// Whether the failure, egt.status, is one for which the operation that failed may be left out,
// which then is done: of a group of moved keys all that `egt` has. A second such failure of the
// same EGT is the caller's to tell.
bool LeaveOut(const TableWrites& writes, Egt& egt);

// Leaves out all that belongs to a group in which `of` has a refusal.
void LeaveOutGroups(const Egt& of, Egt& egt);

// Asks for the entities of the operations that may be left out, at most 14 in a request, and leaves
// out those that would fail.
Status LeaveOutAll(const TableWrites& writes, Egt& egt, const Cancel& cancel);

}  // namespace aztables
