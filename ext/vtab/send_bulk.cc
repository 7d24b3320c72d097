// SendBulk: what bulk=on sends while a statement runs; see transaction.h.
#include <algorithm>

#include "sql.h"
#include "table.h"
#include "transaction.h"

namespace aztables {
namespace {

// Full EGTs that are waited for, so that they can be sent side by side.
constexpr size_t kWindow = 64;

bool AnyMayAskMore(const RemoteTable& remote) {
  return std::any_of(remote.reads.begin(), remote.reads.end(),
                     [](const GuardedRead* read) { return read->MayAskMore(); });
}

// The row was read before what the transaction had pending of it was sent: what it is about to
// change is the service's now, of a new version.
void NoteApplied(RemoteTable& remote, const EntityOperation& operation, const std::string& etag) {
  const auto& [pk, rk] = std::pair(operation.partition_key, operation.row_key);
  const auto id = remote.rowids.IdOf(pk, rk);
  if (operation.verb == EntityVerb::kDelete) {
    remote.keys_seen.Remove(pk, rk);
    if (id) remote.rows_read.Take(*id);
    return;
  }
  remote.keys_seen.Add(pk, rk);
  RowRead* const row = id ? remote.rows_read.Find(*id) : nullptr;
  if (row == nullptr) return;
  row->remote = true;
  row->etag = etag;
}

// The entities of an EGT as it was planned, by their places in the log.
using Planned = std::vector<EntityKeyView>;

std::vector<Planned> PlannedIn(const std::vector<Egt>& egts) {
  std::vector<Planned> planned;
  for (const Egt& egt : egts) {
    Planned& keys = planned.emplace_back();
    for (const EntityOperation& operation : egt.operations) {
      keys.emplace_back(operation.partition_key, operation.row_key);
    }
  }
  return planned;
}

// Takes what is settled out of the log: what was applied, and what was left out.
void Settle(RemoteTable& remote, const std::vector<Egt>& egts,
            const std::vector<Planned>& planned) {
  std::vector<EntityKey> settled;
  for (size_t i = 0; i < egts.size(); ++i) {
    const Egt& egt = egts[i];
    const bool applied = egt.outcome == EgtOutcome::kApplied;
    for (size_t op = 0; applied && op < egt.operations.size(); ++op) {
      NoteApplied(remote, egt.operations[op], egt.etags[op]);
    }
    size_t next = 0;  // of those that are left, in the same order
    for (const EntityKeyView key : planned[i]) {
      const bool left =
          next < egt.operations.size() && egt.operations[next].row_key.data() == key.row_key.data();
      if (left) ++next;
      if (applied || !left) {
        settled.push_back({std::string(key.partition_key), std::string(key.row_key)});
      }
    }
  }
  remote.sent_through = remote.writes.next_sequence();
  remote.writes.Forget(settled);
}

// OK as long as what is refused can be told.
Status CheckRefused(const Table& table) {
  const size_t refused = table.session->commits().refused();
  if (refused < CommitHistory::kMostRefused) return {};
  return Status::Error(std::to_string(refused) +
                       " rows were refused, and on_error=continue goes no further");
}

}  // namespace

std::string WhyHeld(const Table& table) {
  for (const Table* const other : table.transactions->participants) {
    if (other->options.atomic != Atomicity::kEgt) {
      return "table " + other->name + " of the same transaction is declared with atomic";
    }
    if (other->writing == table.writing && !other->options.bulk) {
      return "table " + other->name + " is over the same remote table, without bulk=on";
    }
  }
  if (table.writing->send_failed) return "sending has failed before";
  if (AnyMayAskMore(*table.writing)) {
    return "a statement of this database connection still reads the same remote table";
  }
  return "";
}

Status SendBulk(Table& table) {
  RemoteTable& remote = *table.writing;
  const WriteLog& log = remote.writes;
  const size_t worth_it = std::max(remote.send_at, kWindow * table.options.batch);
  const bool half_full = log.bytes() >= table.options.max_pending / 2;
  if ((!half_full && log.size() < worth_it) || !WhyHeld(table).empty()) return {};
  AZTABLES_RETURN_IF_ERROR(CheckRefused(table));
  std::vector<TableWrites> writes = CollectWrites(*table.transactions);
  std::erase_if(writes, [&](const TableWrites& of_table) { return of_table.log != &log; });
  if (writes.empty()) return {};
  writes.front().keep_etags = true;
  auto egts = PlanEgts(writes);
  if (!egts.ok()) return egts.status();
  // Moved keys have an order to keep.
  const bool all = half_full || !log.moves().empty();
  if (!all) std::erase_if(*egts, [](const Egt& egt) { return !egt.full; });
  const std::vector<Planned> planned = PlannedIn(*egts);
  Status status = SendPlanned(*table.session, *table.transactions, writes, *egts);
  const auto applied = std::count_if(egts->begin(), egts->end(), [](const Egt& egt) {
    return egt.outcome == EgtOutcome::kApplied && !egt.operations.empty();
  });
  table.session->commits().SentBefore(static_cast<size_t>(applied));
  Settle(remote, *egts, planned);
  remote.send_at = 2 * log.size();
  remote.send_failed = !status.ok();
  return status;
}

}  // namespace aztables
