// The plan of a COMMIT: the entity group transactions (EGTs) for the writes of a transaction, and
// the order in which they must be sent. It is made once for a COMMIT. A repeated COMMIT continues
// with it.
// Source: Microsoft, "Performing entity group transactions".
//
// Tables are in order, partitions by first appearance, entities in the order of their first write.
// If a key was moved, the removal of the old entity may only be applied with, or after, the write
// that now holds its properties. Such linked writes share an EGT if one can hold them. Else the
// EGTs have phases: all EGTs of one phase are acknowledged before one of the next phase is sent.
//
// Ownership: the plan points into the logs, which must not change as long as it is used.
// Thread rule: pure; the thread of the database connection.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/limits.h"
#include "write/egt.h"
#include "write/write_log.h"

namespace aztables {

// One remote table of the transaction.
struct TableWrites {
  EgtTarget to;
  const WriteLog* log = nullptr;
  size_t batch = kMaxEgtOperations;  // most operations of an EGT
  // Whether the entity's writes are not planned yet; null: all are planned. A write waits with
  // those that moves link to it.
  std::function<bool(EntityKeyView)> waits = nullptr;
};

// The plan for display. If a cycle of moved keys does not fit into one EGT, its writes are in
// separate EGTs, with an error as their status.
std::vector<Egt> PlanAllEgts(const std::vector<TableWrites>& writes);
// The plan to send; that error if there is such a cycle.
Result<std::vector<Egt>> PlanEgts(const std::vector<TableWrites>& writes);

// The atomicity that the option `atomic` requires of a COMMIT.
enum class Atomicity : uint8_t { kEgt, kPartition, kStrict };
// OK, or why the plan violates `atomicity`. `sent_before`: EGTs of the transaction that were
// applied before this plan was made.
Status CheckAtomicity(const std::vector<Egt>& egts, const std::vector<TableWrites>& writes,
                      Atomicity atomicity, size_t sent_before = 0);

}  // namespace aztables
