// SendEgts: sends entity group transactions (EGTs) to one table, several at once, phase by phase.
// After the first failure nothing more is sent, and the EGTs under way are waited for. After an
// interrupt they have two seconds to end.
//
// A missing table is created once if the target allows it. An operation that may be skipped is
// skipped, and the rest of its EGT is sent again. An EGT without a clear response is sent again,
// and settled by reading its entities (settle.h).
// Source: Microsoft, "Performing entity group transactions".
//
// Ownership: the target, its client, the EGTs and their texts outlive the call.
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <span>

#include "base/cancel.h"
#include "write/egt.h"

namespace aztables {

// Who can send EGTs again after a transient failure, with the same ids.
enum class Again : uint8_t { kNobody, kCommit, kRepeatedCommit };

// Sets the outcome and the status of each EGT. An EGT that is left in doubt (Egt::doubt) by an
// earlier call is sent with its old request id, which settles it. `again`: an unknown outcome that
// somebody will settle by sending again is not settled here. False: something failed.
bool SendEgts(const EgtTarget& to, std::span<Egt* const> egts, const Cancel& cancel, Again again);

}  // namespace aztables
