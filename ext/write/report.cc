// ReportFailure: what a COMMIT that failed left behind, as a sentence; see
// include/aztables/write/commit.h.
#include <set>

#include "aztables/model/limits.h"
#include "aztables/write/commit.h"

namespace aztables {
namespace {

bool PassesByItself(const Egt& egt) {
  return egt.outcome == EgtOutcome::kFailed && egt.status.code() == Code::kBusy;
}

// The failure to be told: one that stays, before one that passes by itself, before an outcome that
// nobody knows.
const Egt& FirstFailure(const std::vector<Egt>& egts) {
  const auto rank = [](const Egt& egt) {
    if (egt.status.ok()) return 0;
    if (egt.outcome != EgtOutcome::kFailed) return 1;
    return PassesByItself(egt) ? 2 : 3;
  };
  const Egt* first = &egts.front();
  for (const Egt& egt : egts) {
    if (rank(egt) > rank(*first)) first = &egt;
  }
  return *first;
}

size_t Count(const std::vector<Egt>& egts, EgtOutcome outcome) {
  size_t count = 0;
  for (const Egt& egt : egts) count += egt.outcome == outcome ? 1 : 0;
  return count;
}

// The first entity that is there under its old and its new key, as the end of a sentence; empty
// where there is none.
std::string NameDuplicate(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts) {
  for (size_t table = 0; table < writes.size(); ++table) {
    if (writes[table].log->moves().empty()) continue;
    const auto less = [](EntityKeyView a, EntityKeyView b) { return CompareEntityKeys(a, b) < 0; };
    std::set<EntityKeyView, decltype(less)> there(less);
    std::set<EntityKeyView, decltype(less)> kept(less);
    for (const Egt& egt : egts) {
      if (egt.table != table) continue;
      const bool applied = egt.outcome == EgtOutcome::kApplied;
      for (const EntityOperation& operation : egt.operations) {
        const EntityKeyView key(operation.partition_key, operation.row_key);
        if (applied && operation.verb != EntityVerb::kDelete) there.insert(key);
        if (!applied && operation.verb == EntityVerb::kDelete) kept.insert(key);
      }
    }
    for (const EntityMove& move : writes[table].log->moves()) {
      if (kept.count(move.from) == 0 || there.count(move.to) == 0) continue;
      return "; the entity " + DescribeEntity(move.from.partition_key, move.from.row_key) +
             " is there as " + DescribeEntity(move.to.partition_key, move.to.row_key) + ", too";
    }
  }
  return "";
}

}  // namespace

Status ReportFailure(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts,
                     size_t sent_before) {
  const Status& first = FirstFailure(egts).status;
  const size_t unknown = Count(egts, EgtOutcome::kUnknown);
  std::string message(first.message());
  if (unknown > 0) {
    message += "; of " + std::to_string(unknown) + (unknown == 1 ? " EGT" : " EGTs") +
               " the outcome is unknown, may be applied: read to see";
  }
  message += NameDuplicate(writes, egts);
  message += "; " + std::to_string(Count(egts, EgtOutcome::kApplied) + sent_before) + " of " +
             std::to_string(egts.size() + sent_before) + " EGTs applied: see aztables_commits";
  // The same COMMIT can be tried again only where nothing is left open.
  const bool again = first.code() == Code::kBusy && unknown == 0;
  const Code code = first.code() == Code::kBusy && !again ? Code::kError : first.code();
  return {code, std::move(message), first.detail()};
}

}  // namespace aztables
