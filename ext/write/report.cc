// ReportFailure: what a COMMIT that failed left behind, as a sentence; see
// include/aztables/write/commit.h.
#include <unordered_map>

#include "aztables/model/limits.h"
#include "aztables/write/commit.h"

namespace aztables {
namespace {

// The partitions with EGTs of one outcome, in order: 'Action', 'Comedy' (2 of 3 EGTs).
std::string Partitions(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts,
                       EgtOutcome outcome) {
  struct Count {
    std::string name;
    size_t with_outcome = 0;
    size_t all = 0;
  };
  std::vector<Count> counts;
  std::unordered_map<std::string, size_t> place;
  for (const Egt& egt : egts) {
    std::string name = QuoteForMessage(egt.partition_key());
    if (writes.size() > 1) name += " of " + writes[egt.table].table;
    const auto [found, added] =
        place.emplace(std::to_string(egt.table) + ":" + egt.partition_key(), counts.size());
    if (added) counts.push_back({.name = name});
    Count& count = counts[found->second];
    ++count.all;
    if (egt.outcome == outcome) ++count.with_outcome;
  }
  std::string text;
  for (const Count& count : counts) {
    if (count.with_outcome == 0) continue;
    if (!text.empty()) text += ", ";
    text += count.name;
    if (count.all > 1) {
      text +=
          " (" + std::to_string(count.with_outcome) + " of " + std::to_string(count.all) + " EGTs)";
    }
  }
  return text;
}

const Egt& FirstFailure(const std::vector<Egt>& egts) {
  const Egt* first = &egts.front();
  for (const Egt& egt : egts) {
    if (egt.status.ok()) continue;
    if (egt.outcome == EgtOutcome::kFailed) return egt;
    if (first->status.ok()) first = &egt;
  }
  return *first;
}

}  // namespace

Status ReportFailure(const std::vector<TableWrites>& writes, const std::vector<Egt>& egts) {
  const Status& first = FirstFailure(egts).status;
  size_t applied = 0;
  for (const Egt& egt : egts) applied += egt.outcome == EgtOutcome::kApplied ? 1 : 0;

  std::string message(first.message());
  message +=
      "; " + std::to_string(applied) + " of " + std::to_string(egts.size()) + " EGTs applied";
  constexpr std::pair<EgtOutcome, std::string_view> kOutcomes[] = {
      {EgtOutcome::kApplied, "applied: "},
      {EgtOutcome::kFailed, "failed: "},
      {EgtOutcome::kUnknown, "unknown (may be applied; read to see): "},
      {EgtOutcome::kNotSent, "not sent: "}};
  std::string_view separator = ": partitions ";
  for (const auto& [outcome, label] : kOutcomes) {
    const std::string partitions = Partitions(writes, egts, outcome);
    if (partitions.empty()) continue;
    message += separator;
    message += label;
    message += partitions;
    separator = "; ";
  }
  return first.WithMessage(std::move(message));
}

}  // namespace aztables
