// aztables_pending: the EGTs that a COMMIT now would send.
#include "vtab/table.h"
#include "vtab/tables/eponymous.h"
#include "vtab/transaction.h"

namespace aztables {
namespace {

Row RowOf(const TableWrites& writes, const Egt& egt, RowValue number) {
  int64_t inserts = 0;
  int64_t updates = 0;
  int64_t deletes = 0;
  for (const EntityOperation& operation : egt.operations) {
    switch (operation.verb) {
      case EntityVerb::kInsert:
      case EntityVerb::kInsertOrReplace:
      case EntityVerb::kInsertOrMerge:
        ++inserts;
        break;
      case EntityVerb::kReplace:
      case EntityVerb::kMerge:
        ++updates;
        break;
      case EntityVerb::kDelete:
        ++deletes;
    }
  }
  return {writes.to.table, std::string(egt.partition_key),  inserts,          updates,
          deletes,         static_cast<int64_t>(egt.bytes), std::move(number)};
}

Status FillPending(Session& session, const Arguments&, std::vector<Row>& rows) {
  const TransactionState& state = session.transaction();
  if (state.plan) {  // a COMMIT that was tried and can be repeated
    int64_t number = 0;
    for (const Egt& egt : state.plan->egts) {
      ++number;
      if (egt.outcome == EgtOutcome::kApplied) continue;
      rows.push_back(RowOf(state.plan->writes[egt.table], egt, number));
    }
    return {};
  }
  AZTABLES_RETURN_IF_ERROR(DropRowsOfUncreated(state));
  const std::vector<TableWrites> writes = CollectWrites(state);
  int64_t number = 0;
  for (const Egt& egt : PlanAllEgts(writes)) {
    // COMMIT refuses a cycle of moved keys, so no EGT has a number then.
    RowValue egt_number;
    if (egt.status.ok()) egt_number = ++number;
    rows.push_back(RowOf(writes[egt.table], egt, std::move(egt_number)));
  }
  return {};
}

}  // namespace

const EponymousTable kPendingTable = {
    .name = "aztables_pending",
    .columns =
        "table_name TEXT, partition_key TEXT, inserts INTEGER, updates INTEGER, deletes INTEGER, "
        "bytes INTEGER, egt_number INTEGER",
    .visible = 7,
    .fill = FillPending,
};

}  // namespace aztables
