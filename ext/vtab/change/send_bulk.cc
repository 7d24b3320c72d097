// SendBulk: sending by bulk=on while a statement runs; see transaction.h.
#include <algorithm>

#include "vtab/scan/budgeted_page_reader.h"
#include "vtab/scan/scan_hold.h"
#include "vtab/table.h"
#include "vtab/transaction.h"

namespace aztables {
namespace {

// Sending waits for this many full EGTs, so that they can be sent in parallel.
constexpr size_t kWindow = 64;

bool AnyHolds(const Table& table) {
  const RemoteTable& remote = table.part.remote();
  StatementTracker& statements = table.session->statements();
  if (remote.queried_by != 0 && statements.Runs(remote.queried_by)) return true;
  if (remote.reads.empty() && remote.scans.empty()) return false;
  const int64_t collected = table.part.collected() ? statements.Current().id : 0;
  const auto holds = [&](const auto* read) {
    return read->Holds() && (collected == 0 || !read->CollectsFor(collected));
  };
  return std::any_of(remote.reads.begin(), remote.reads.end(), holds) ||
         std::any_of(remote.scans.begin(), remote.scans.end(), holds);
}

// The refused INSERT stays in the log, with its outcome.
void NoteRefused(PendingWrites& pending, const Egt& egt) {
  const auto index = static_cast<size_t>(egt.status.failure().operation_index);  // huge: unknown
  if (egt.status.code() != Code::kAlreadyExists || index >= egt.operations.size()) return;
  const EntityOperation& operation = egt.operations[index];
  pending.NoteShown({operation.partition_key, operation.row_key}, true);
}

// Removes settled operations from the log: those applied, those left out, and those with an unknown
// outcome, which are never sent twice.
void Settle(RemoteTable& remote, const std::vector<Egt>& egts) {
  PendingWrites& pending = remote.pending;
  std::vector<EntityKey> settled;
  const auto settle = [&](const EntityOperation& operation, bool exists) {
    const EntityKeyView key(operation.partition_key, operation.row_key);
    if (exists) {
      pending.NoteShown(key, false);
    } else {
      pending.NoteGone(key);
    }
    settled.push_back({std::string(key.partition_key), std::string(key.row_key)});
  };
  for (const Egt& egt : egts) {
    const bool applied = egt.outcome == EgtOutcome::kApplied;
    if (egt.outcome == EgtOutcome::kFailed) NoteRefused(pending, egt);
    for (const EntityOperation& operation : egt.skipped) settle(operation, false);
    for (const RefusedOperation& refused : egt.refused) {
      const EntityOperation& operation = refused.operation;
      if (operation.verb == EntityVerb::kInsert) {
        pending.NoteRefusedInsert({operation.partition_key, operation.row_key});
      }
      settle(operation, false);
    }
    if (!applied && egt.outcome != EgtOutcome::kUnknown) continue;
    for (const EntityOperation& operation : egt.operations) {
      settle(operation, applied && operation.verb != EntityVerb::kDelete);
    }
  }
  if (settled.empty()) return;
  remote.bulk.Sent(remote.pending.log());
  remote.pending.log().Forget(settled);
}

// COMMIT settles EGTs of an unknown outcome. If it cannot, it fails.
void KeepUnknown(TransactionState& state, const std::vector<TableWrites>& writes,
                 const std::vector<Egt>& egts, const Status& status) {
  if (!state.may_repeat_commit || !MayAllBeSettled(writes, egts)) {
    state.commit_error = Status::Error(std::string(status.message()));
    return;
  }
  if (!state.open) state.open = std::make_unique<OpenEgts>();
  for (const Egt& egt : egts) {
    if (egt.outcome == EgtOutcome::kUnknown) state.open->Add(writes[egt.table], egt);
  }
}

// OK as long as refused rows can be recorded.
Status CheckRefused(const Table& table) {
  const size_t refused = table.session->commits().refused();
  if (refused < CommitHistory::kMostRefused) return {};
  return Status::Error(std::to_string(refused) +
                       " rows were refused; on_error=continue allows no more");
}

}  // namespace

std::string WhyHeld(const Table& table) {
  for (const Table* const other : table.session->transaction().participants) {
    if (!other->part.wrote()) continue;
    if (other->options.atomic != Atomicity::kEgt) {
      return "table " + other->name + " of the same transaction is declared with atomic";
    }
    if (other->part.shared_remote() == table.part.shared_remote() && !other->options.bulk) {
      return "table " + other->name + " is over the same remote table, without bulk=on";
    }
  }
  if (table.part.remote().bulk.failed()) return "sending has failed before";
  if (AnyHolds(table)) {
    return "a statement of this database connection still reads the same remote table";
  }
  return "";
}

bool IsWorthSending(const Table& table) {
  const RemoteTable& remote = table.part.remote();
  return remote.bulk.IsHalfFull(remote.pending.log(), table.options.max_pending) ||
         remote.bulk.HasEnough(remote.pending.log(), kWindow * table.options.batch);
}

Status SendBulk(Table& table, bool all) {
  RemoteTable& remote = table.part.remote();
  const WriteLog& log = remote.pending.log();
  if (!WhyHeld(table).empty()) return {};
  AZTABLES_RETURN_IF_ERROR(CheckRefused(table));
  AZTABLES_RETURN_IF_ERROR(DropRowsOfUncreated(table.session->transaction()));
  std::vector<TableWrites> writes = CollectWrites(table.session->transaction());
  std::erase_if(writes, [&](const TableWrites& of_table) { return of_table.log != &log; });
  if (writes.empty()) return {};
  writes.front().waits = [&](EntityKeyView key) {
    const auto rowid = remote.rowids.IdOf(key);
    return rowid && remote.pending.read_set().IsAwaited(*rowid);
  };
  remote.bulk.Begin();
  auto egts = PlanEgts(writes);
  if (!egts.ok()) return egts.status();
  // Moved keys must be sent in order.
  all = all || remote.bulk.IsHalfFull(log, table.options.max_pending) || !log.moves().empty();
  int64_t later = table.part.collected() ? remote.pending.read_set().CountAwaited() : 0;
  const auto leave = [&](const Egt& egt) {
    if (all || egt.full) return false;
    if (table.part.collected()) later += static_cast<int64_t>(egt.operations.size());
    return true;
  };
  std::erase_if(*egts, leave);
  TransactionState& state = table.session->transaction();
  const Again again = state.may_repeat_commit ? Again::kCommit : Again::kNobody;
  Status status = SendPlanned(*table.session, writes, *egts, later, again);
  const auto count = [&](EgtOutcome outcome) {
    return static_cast<size_t>(std::count_if(egts->begin(), egts->end(), [&](const Egt& egt) {
      return egt.outcome == outcome && !egt.operations.empty();
    }));
  };
  table.session->commits().SentBefore(count(EgtOutcome::kApplied));
  if (count(EgtOutcome::kUnknown) > 0) KeepUnknown(state, writes, *egts, status);
  Settle(remote, *egts);
  remote.bulk.End(log, all, status.ok());
  return status;
}

}  // namespace aztables
