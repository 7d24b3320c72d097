// ReportFailure: the sentence for the result of a failed COMMIT; see commit.h.
#include <algorithm>
#include <set>

#include "model/limits.h"
#include "write/commit.h"

namespace aztables {
namespace {

bool IsTransient(const Egt& egt) {
  return egt.outcome == EgtOutcome::kFailed && egt.status.code() == Code::kBusy;
}

// The failure to report. A permanent failure is preferred to a transient one, and that to an
// unknown outcome.
const Egt& FirstFailure(const std::vector<Egt>& egts) {
  const auto rank = [](const Egt& egt) {
    if (egt.status.ok()) return 0;
    if (egt.outcome != EgtOutcome::kFailed) return 1;
    return IsTransient(egt) ? 2 : 3;
  };
  const Egt* first = &egts.front();
  for (const Egt& egt : egts) {
    if (rank(egt) > rank(*first)) first = &egt;
  }
  return *first;
}

// What to run again after an interrupt: a statement that ends in the same rows if part of it is
// applied. Empty: it would not.
std::string_view StatementToRepeat(const std::vector<TableWrites>& writes,
                                   const std::vector<Egt>& egts) {
  bool deletes = false;
  bool upserts = false;
  for (const Egt& egt : egts) {
    if (!writes[egt.table].log->moves().empty()) return "";
    for (const EntityOperation& operation : egt.operations) {
      const bool is_delete = operation.verb == EntityVerb::kDelete;
      const bool is_upsert = operation.verb == EntityVerb::kInsertOrReplace ||
                             operation.verb == EntityVerb::kInsertOrMerge;
      if (!is_delete && !is_upsert) return "";
      deletes = deletes || is_delete;
      upserts = upserts || is_upsert;
    }
  }
  return deletes && upserts ? "statements" : deletes ? "DELETE" : upserts ? "statement" : "";
}

constexpr auto kLess = [](EntityKeyView a, EntityKeyView b) { return CompareEntityKeys(a, b) < 0; };
using Keys = std::set<EntityKeyView, decltype(kLess)>;

// "is there as PartitionKey='p', RowKey='r', too"
std::string IsThereAs(EntityKeyView key) {
  return "is there as " + DescribeEntity(key.partition_key, key.row_key) + ", too";
}

// The entities of one table that EGTs have written.
Keys Put(const std::vector<Egt>& egts, size_t table) {
  Keys keys;
  for (const Egt& egt : egts) {
    if (egt.table != table || egt.outcome != EgtOutcome::kApplied) continue;
    for (const EntityOperation& operation : egt.operations) {
      if (operation.verb == EntityVerb::kDelete) continue;
      keys.insert({operation.partition_key, operation.row_key});
    }
  }
  return keys;
}

// The first entity that exists under its old and its new key, as the end of a sentence. Empty if
// there is none.
std::string NameDuplicate(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts) {
  for (size_t table = 0; table < writes.size(); ++table) {
    if (writes[table].log->moves().empty()) continue;
    const Keys there = Put(egts, table);
    Keys kept;
    for (const Egt& egt : egts) {
      if (egt.table != table || egt.outcome == EgtOutcome::kApplied) continue;
      for (const EntityOperation& operation : egt.operations) {
        if (operation.verb != EntityVerb::kDelete) continue;
        kept.insert({operation.partition_key, operation.row_key});
      }
    }
    for (const EntityMove& move : writes[table].log->moves()) {
      if (kept.count(move.from) == 0 || there.count(move.to) == 0) continue;
      return "; the entity " + DescribeEntity(move.from.partition_key, move.from.row_key) + " " +
             IsThereAs(move.to);
    }
  }
  return "";
}

}  // namespace

void NameDuplicates(const std::vector<TableWrites>& writes, std::vector<Egt>& egts) {
  for (Egt& egt : egts) {
    const WriteLog& log = *writes[egt.table].log;
    if (egt.refused.empty() || log.moves().empty()) continue;
    const Keys there = Put(egts, egt.table);
    for (RefusedOperation& refused : egt.refused) {
      const EntityKeyView key(refused.operation.partition_key, refused.operation.row_key);
      if (refused.operation.verb != EntityVerb::kDelete || refused.named) continue;
      for (const EntityMove& move : log.moves()) {
        if (CompareEntityKeys(move.from, key) != 0 || there.count(move.to) == 0) continue;
        refused.named = true;
        refused.status = refused.status.Noting("; the entity " + IsThereAs(move.to));
        break;
      }
    }
  }
}

bool MayAllBeSettled(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts) {
  return std::all_of(egts.begin(), egts.end(), [&](const Egt& egt) {
    return egt.outcome != EgtOutcome::kUnknown ||
           ((egt.status.ok() || egt.status.code() == Code::kBusy) &&
            writes[egt.table].to.options.settle);
  });
}

std::string UnknownText(size_t unknown, std::string_view how) {
  if (unknown == 0) return "";
  return "; the outcome of " + std::to_string(unknown) + (unknown == 1 ? " EGT" : " EGTs") +
         " is unknown: " + std::string(how);
}

std::string AppliedText(size_t applied, size_t planned) {
  if (applied == 0 && planned == 0) return "; nothing was sent";
  std::string text = "; " + std::to_string(applied);
  if (planned > 0) text += " of " + std::to_string(planned);
  return text + (planned == 0 && applied == 1 ? " EGT" : " EGTs") +
         " applied: see aztables_commits";
}

Status ReportFailure(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts,
                     size_t sent_before, Again again) {
  const Status& first = FirstFailure(egts).status;
  const size_t unknown = CountEgts(egts, EgtOutcome::kUnknown);
  const bool transient = first.code() == Code::kBusy;
  const bool comes = again == Again::kCommit || (again == Again::kRepeatedCommit && transient);
  const bool settles = comes && MayAllBeSettled(writes, egts);
  const bool busy = transient && (unknown == 0 || settles);
  std::string note;
  std::string_view how = kReadEntities;
  if (settles) how = again == Again::kCommit ? "COMMIT settles it" : "repeat COMMIT to settle it";
  const bool interrupted = first.code() == Code::kInterrupt;
  const std::string_view repeated = interrupted ? StatementToRepeat(writes, egts) : "";
  if (!repeated.empty()) {
    note += "; run the same " + std::string(repeated) + " again";
    how = "the repeated statement settles it";
  }
  note += UnknownText(unknown, how) + NameDuplicate(writes, egts);
  note +=
      AppliedText(CountEgts(egts, EgtOutcome::kApplied) + sent_before, egts.size() + sent_before);
  const Code code = first.code() == Code::kBusy && !busy ? Code::kError : first.code();
  return first.As(code).Noting(note);
}

}  // namespace aztables
