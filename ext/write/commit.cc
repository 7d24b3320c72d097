// CommitWrites: sends the EGTs of a transaction; see commit.h.
#include "write/commit.h"

namespace aztables {
namespace {

Status CheckBudget(const std::vector<Egt>& egts, const Budget& budget, size_t sent_before,
                   int64_t later) {
  int64_t requests = 0;
  int64_t entities = later;
  for (const Egt& egt : egts) {
    if (egt.outcome == EgtOutcome::kApplied) continue;
    ++requests;
    entities += static_cast<int64_t>(egt.operations.size());
  }
  Status status = budget.CheckFor(requests, entities);
  if (status.ok()) return status;
  const size_t applied = egts.size() - static_cast<size_t>(requests) + sent_before;
  const size_t unknown = CountEgts(egts, EgtOutcome::kUnknown);
  const size_t planned = applied + unknown > 0 ? egts.size() + sent_before : 0;
  return status.Noting(UnknownText(unknown) + AppliedText(applied, planned));
}

}  // namespace

Status CommitWrites(const std::vector<TableWrites>& writes, std::vector<Egt>& egts,
                    const Cancel& cancel, const Budget& budget, size_t sent_before, int64_t later,
                    Again again) {
  for (Egt& egt : egts) {
    if (egt.outcome == EgtOutcome::kApplied) continue;
    // An earlier COMMIT may have left it in doubt.
    egt.outcome = egt.doubt == Doubt::kOpen ? EgtOutcome::kUnknown : EgtOutcome::kNotSent;
    egt.status = {};
  }
  AZTABLES_RETURN_IF_ERROR(CheckBudget(egts, budget, sent_before, later));
  for (size_t table = 0; table < writes.size(); ++table) {
    std::vector<Egt*> unsent;
    for (Egt& egt : egts) {
      if (egt.table == table && egt.outcome != EgtOutcome::kApplied) unsent.push_back(&egt);
    }
    const bool done = SendEgts(writes[table].to, unsent, cancel, again);
    NameDuplicates(writes, egts);
    if (!done) return ReportFailure(writes, egts, sent_before, again);
  }
  return {};
}

}  // namespace aztables
