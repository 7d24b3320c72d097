// PlanEgts: from logs to entity group transactions; see egt_plan.h.
#include "write/egt_plan.h"

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "odata/batch/batch.h"
#include "write/move_phases.h"

namespace aztables {
namespace {

EntityVerb VerbOf(WriteVerb verb) {
  switch (verb) {
    case WriteVerb::kInsertOrReplace:
      return EntityVerb::kInsertOrReplace;
    case WriteVerb::kInsertOrMerge:
      return EntityVerb::kInsertOrMerge;
    case WriteVerb::kMerge:
      return EntityVerb::kMerge;
    case WriteVerb::kReplace:
      return EntityVerb::kReplace;
    case WriteVerb::kDelete:
      return EntityVerb::kDelete;
    case WriteVerb::kNothing:  // never planned
    case WriteVerb::kInsert:
    case WriteVerb::kInsertOrIgnore:
      break;
  }
  return EntityVerb::kInsert;
}

Skip SkipOf(const EntityWrite& write) {
  if (write.verb == WriteVerb::kInsertOrIgnore) return Skip::kIfExists;
  if (write.verb == WriteVerb::kDelete && write.if_match == "*") return Skip::kIfMissing;
  return Skip::kNever;
}

class TablePlan {
 public:
  TablePlan(const TableWrites& writes, size_t table, std::vector<Egt>& egts)
      : writes_(writes),
        table_(table),
        egts_(egts),
        items_(writes.log->Items()),
        order_(OrderMoves(items_, writes.log->moves())),
        waits_(items_.size()),
        sizes_(items_.size()) {
    for (size_t i = 0; writes.waits && i < items_.size(); ++i)
      waits_[i] = writes.waits(*items_[i].key);
  }

  void Make() {
    Group();
    // Partition by partition, in the order of their first entities.
    std::unordered_map<std::string_view, size_t> place;
    std::vector<std::vector<size_t>> partitions;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (waits_[i]) continue;
      const auto [found, added] = place.emplace(items_[i].key->partition_key, partitions.size());
      if (added) partitions.emplace_back();
      partitions[found->second].push_back(i);
    }
    for (const auto& partition : partitions) PlanPartition(partition);
  }

 private:
  EntityOperation OperationOf(size_t item) const {
    const EntityWrite& write = *items_[item].write;
    return {.verb = VerbOf(write.verb),
            .partition_key = items_[item].key->partition_key,
            .row_key = items_[item].key->row_key,
            .if_match = write.if_match,
            .properties = write.properties};
  }
  size_t SizeOf(size_t item) {
    if (sizes_[item] == 0) {
      sizes_[item] = writes_.to.client->EncodedOperationSize(writes_.to.table, OperationOf(item));
    }
    return sizes_[item];
  }

  // Makes units of linked writes that fit into one EGT, and assigns phases to the others.
  void Group() {
    for (auto& [first, group] : order_.groups) {
      if (std::any_of(group.begin(), group.end(), [&](size_t item) { return waits_[item]; })) {
        for (const size_t item : group) waits_[item] = true;
        continue;
      }
      for (const size_t item : group) group_of_[item] = first + 1;
      if (FitsOneEgt(group)) {
        for (const size_t item : group) unit_of_[item] = &group;
        continue;
      }
      auto phases = FindPhases(order_, group);
      if (!phases) {
        for (const size_t item : group) phases_[item] = kCycle;
        if (cycle_error_.ok()) cycle_error_ = CycleError(group.size(), *items_[first].key);
      } else if (IsOnePartition(group)) {
        Cut(group, *phases);
      } else {
        phases_.insert(phases->begin(), phases->end());
      }
    }
  }

  Status CycleError(size_t entities, EntityKeyView first) const {
    return Status::Error(
        "the key changes of " + std::to_string(entities) + " entities of table " +
        writes_.to.table +
        " form a cycle that does not fit into one entity group transaction, the entity " +
        DescribeEntity(first.partition_key, first.row_key) +
        " among them; change them over free keys in two transactions");
  }

  bool IsOnePartition(const std::vector<size_t>& group) const {
    const std::string& partition_key = items_[group.front()].key->partition_key;
    return std::all_of(group.begin(), group.end(), [&](size_t item) {
      return items_[item].key->partition_key == partition_key;
    });
  }

  // Cuts a group of one partition into units that each fit into one EGT. Each unit is one phase
  // after the previous one. A write that must be applied first is in an earlier unit or in the same
  // one.
  void Cut(std::vector<size_t> group, std::map<size_t, size_t>& phases) {
    std::stable_sort(group.begin(), group.end(),
                     [&](size_t a, size_t b) { return phases[a] < phases[b]; });
    size_t phase = 0;
    size_t bytes = kBatchFrameSize;
    std::vector<size_t>* unit = &units_.emplace_back();
    for (const size_t item : group) {
      const size_t size = SizeOf(item);
      if (!unit->empty() &&
          (unit->size() == writes_.batch || bytes + size > writes_.to.client->MaxEgtBytes())) {
        unit = &units_.emplace_back();
        bytes = kBatchFrameSize;
        ++phase;
      }
      unit->push_back(item);
      unit_of_[item] = unit;
      phases_[item] = phase;
      bytes += size;
    }
  }

  bool FitsOneEgt(const std::vector<size_t>& group) {
    if (group.size() > writes_.batch || !IsOnePartition(group)) return false;
    size_t bytes = kBatchFrameSize;
    for (const size_t item : group) bytes += SizeOf(item);
    return bytes <= writes_.to.client->MaxEgtBytes();
  }

  size_t PhaseOf(size_t item) const {
    const auto phase = phases_.find(item);
    return phase == phases_.end() ? 0 : phase->second;
  }

  void PlanPartition(const std::vector<size_t>& partition) {
    std::map<size_t, size_t> open;  // one EGT in each phase
    for (const size_t item : partition) {
      const auto linked = unit_of_.find(item);
      if (linked == unit_of_.end()) {
        Place({&item, 1}, PhaseOf(item), open);
      } else if (linked->second->front() == item) {  // the others go with the first
        Place(*linked->second, PhaseOf(item), open);
      }
    }
  }

  // Puts a unit into the open EGT, or into a new one.
  void Place(std::span<const size_t> unit, size_t phase, std::map<size_t, size_t>& open) {
    size_t bytes = 0;
    for (const size_t item : unit) bytes += SizeOf(item);
    const auto known = open.find(phase);
    if (known == open.end() || !HasRoom(egts_[known->second], unit.size(), bytes)) {
      if (known != open.end()) egts_[known->second].full = true;
      open[phase] = egts_.size();
      egts_.push_back({.table = table_,
                       .phase = phase,
                       .partition_key = items_[unit.front()].key->partition_key,
                       .bytes = kBatchFrameSize,
                       .status = phase == kCycle ? cycle_error_ : Status()});
    }
    Egt& egt = egts_[open[phase]];
    for (const size_t item : unit) {
      egt.operations.push_back(OperationOf(item));
      const auto group = group_of_.find(item);
      if (!group_of_.empty()) egt.groups.push_back(group == group_of_.end() ? 0 : group->second);
      const bool must_exist = order_.must_exist.count(item) > 0;
      egt.skips.push_back(must_exist ? Skip::kNever : SkipOf(*items_[item].write));
    }
    egt.bytes += bytes;
    if (egt.operations.size() == writes_.batch) egt.full = true;
  }

  bool HasRoom(const Egt& egt, size_t operations, size_t bytes) const {
    return egt.operations.size() + operations <= writes_.batch &&
           egt.bytes + bytes <= writes_.to.client->MaxEgtBytes();
  }

  // The phase of a write in a cycle.
  static constexpr size_t kCycle = static_cast<size_t>(-1);

  const TableWrites& writes_;
  const size_t table_;
  std::vector<Egt>& egts_;
  const std::vector<WriteLog::Item> items_;
  MoveOrder order_;
  std::vector<bool> waits_;    // per item
  std::vector<size_t> sizes_;  // per item; 0: not measured yet
  // Only of linked writes, by item: the group's number, the group itself if one EGT holds it, and
  // the phases of the others.
  std::map<size_t, size_t> group_of_;
  std::deque<std::vector<size_t>> units_;  // of groups that were cut
  std::map<size_t, const std::vector<size_t>*> unit_of_;
  std::map<size_t, size_t> phases_;
  Status cycle_error_;  // of the first cycle that does not fit into one EGT
};

}  // namespace

size_t CountEgts(const std::vector<Egt>& egts, EgtOutcome outcome) {
  const auto has = [outcome](const Egt& egt) { return egt.outcome == outcome; };
  return static_cast<size_t>(std::count_if(egts.begin(), egts.end(), has));
}

std::vector<Egt> PlanAllEgts(const std::vector<TableWrites>& writes) {
  std::vector<Egt> egts;
  for (size_t i = 0; i < writes.size(); ++i) TablePlan(writes[i], i, egts).Make();
  return egts;
}

Result<std::vector<Egt>> PlanEgts(const std::vector<TableWrites>& writes) {
  std::vector<Egt> egts = PlanAllEgts(writes);
  for (const Egt& egt : egts) AZTABLES_RETURN_IF_ERROR(egt.status);
  return egts;
}

Status CheckAtomicity(const std::vector<Egt>& egts, const std::vector<TableWrites>& writes,
                      Atomicity atomicity, size_t sent_before) {
  if (atomicity == Atomicity::kEgt) return {};
  if (sent_before > 0) {
    return Status::Error(
        "a table of the transaction is declared with atomic, which allows nothing to be sent "
        "before "
        "COMMIT");
  }
  if (atomicity == Atomicity::kStrict && egts.size() > 1) {
    return Status::Error("the transaction needs " + std::to_string(egts.size()) +
                         " entity group transactions, and atomic=strict allows one");
  }
  if (atomicity != Atomicity::kPartition) return {};
  std::map<std::pair<size_t, std::string_view>, size_t> count;
  for (const Egt& egt : egts) ++count[{egt.table, egt.partition_key}];
  for (const auto& [partition, needed] : count) {
    if (needed == 1) continue;
    return Status::Error("the partition " + QuoteForMessage(partition.second) + " of table " +
                         writes[partition.first].to.table + " needs " + std::to_string(needed) +
                         " entity group transactions, and atomic=partition allows one for each "
                         "partition");
  }
  return {};
}

}  // namespace aztables
