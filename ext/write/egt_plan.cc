// PlanEgts: from logs to entity group transactions; see include/aztables/write/egt_plan.h.
#include "aztables/write/egt_plan.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "aztables/odata/batch.h"
#include "move_phases.h"

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
        phases_(items_.size()) {}

  Status Make() {
    for (size_t i = 0; i < items_.size(); ++i) {
      const EntityWrite& write = *items_[i].write;
      operations_.push_back({.verb = VerbOf(write.verb),
                             .partition_key = items_[i].key->partition_key,
                             .row_key = items_[i].key->row_key,
                             .if_match = write.if_match,
                             .properties = write.properties});
      sizes_.push_back(writes_.client->EncodedOperationSize(writes_.table, operations_[i]));
    }
    AZTABLES_RETURN_IF_ERROR(Group());
    // Partition by partition, in the order of their first entities.
    std::unordered_map<std::string_view, size_t> place;
    std::vector<std::vector<size_t>> partitions;
    for (size_t i = 0; i < items_.size(); ++i) {
      const auto [found, added] = place.emplace(operations_[i].partition_key, partitions.size());
      if (added) partitions.emplace_back();
      partitions[found->second].push_back(i);
    }
    for (const auto& partition : partitions) PlanPartition(partition);
    return {};
  }

 private:
  // Makes units of what has to be in one EGT, and gives phases to what cannot be.
  Status Group() {
    units_.resize(items_.size());
    std::map<size_t, std::vector<size_t>> linked;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (order_.group[i] == i) units_[i] = {i};
      if (order_.group[i] != i || !order_.after[i].empty()) linked[order_.group[i]];
    }
    if (linked.empty()) return {};
    for (size_t i = 0; i < items_.size(); ++i) {
      const auto group = linked.find(order_.group[i]);
      if (group != linked.end()) group->second.push_back(i);
    }
    for (const auto& [first, group] : linked) {
      if (FitsOneEgt(group)) {
        units_[first] = group;
        continue;
      }
      for (const size_t item : group) units_[item] = {item};
      if (FindPhases(order_, group, phases_)) continue;
      return Status::Error(
          "table " + writes_.table + ": the keys of " + std::to_string(group.size()) +
          " entities were changed in a circle that one entity group transaction cannot hold, the "
          "entity " +
          DescribeEntity(items_[first].key->partition_key, items_[first].key->row_key) +
          " among them; nothing was sent; change them over free keys in two transactions");
    }
    return {};
  }

  bool FitsOneEgt(const std::vector<size_t>& group) const {
    if (group.size() > writes_.batch) return false;
    size_t bytes = kBatchFrameSize;
    for (const size_t item : group) {
      if (operations_[item].partition_key != operations_[group.front()].partition_key) return false;
      bytes += sizes_[item];
    }
    return bytes <= writes_.client->MaxEgtBytes();
  }

  void PlanPartition(const std::vector<size_t>& partition) {
    // One EGT is open in each phase.
    std::map<size_t, size_t> open;
    for (const size_t first : partition) {
      const std::vector<size_t>& unit = units_[first];
      if (unit.empty()) continue;  // planned with the first of its group
      size_t bytes = 0;
      for (const size_t item : unit) bytes += sizes_[item];
      const auto egt = open.find(phases_[first]);
      if (egt == open.end() || !HasRoom(egts_[egt->second], unit.size(), bytes)) {
        open[phases_[first]] = egts_.size();
        egts_.emplace_back();
        egts_.back().table = table_;
        egts_.back().phase = phases_[first];
        egts_.back().partition_key = operations_[first].partition_key;
        egts_.back().bytes = kBatchFrameSize;
      }
      Egt& target = egts_[open[phases_[first]]];
      for (const size_t item : unit) {
        target.operations.push_back(operations_[item]);
        target.skips.push_back(SkipOf(*items_[item].write));
      }
      target.bytes += bytes;
    }
  }

  bool HasRoom(const Egt& egt, size_t operations, size_t bytes) const {
    return egt.operations.size() + operations <= writes_.batch &&
           egt.bytes + bytes <= writes_.client->MaxEgtBytes();
  }

  const TableWrites& writes_;
  const size_t table_;
  std::vector<Egt>& egts_;
  const std::vector<WriteLog::Item> items_;
  const MoveOrder order_;
  std::vector<size_t> phases_;
  std::vector<EntityOperation> operations_;
  std::vector<size_t> sizes_;               // in the body of an EGT
  std::vector<std::vector<size_t>> units_;  // by first item: what shares an EGT; empty for others
};

}  // namespace

Result<std::vector<Egt>> PlanEgts(const std::vector<TableWrites>& writes) {
  std::vector<Egt> egts;
  for (size_t i = 0; i < writes.size(); ++i) {
    AZTABLES_RETURN_IF_ERROR(TablePlan(writes[i], i, egts).Make());
  }
  return egts;
}

Status CheckAtomicity(const std::vector<Egt>& egts, const std::vector<TableWrites>& writes,
                      Atomicity atomicity) {
  if (atomicity == Atomicity::kStrict && egts.size() > 1) {
    return Status::Error("the transaction needs " + std::to_string(egts.size()) +
                         " entity group transactions, and atomic=strict allows one; nothing was "
                         "sent");
  }
  if (atomicity != Atomicity::kPartition) return {};
  std::map<std::pair<size_t, std::string_view>, size_t> count;
  for (const Egt& egt : egts) ++count[{egt.table, egt.partition_key}];
  for (const auto& [partition, needed] : count) {
    if (needed == 1) continue;
    return Status::Error("the partition " + QuoteForMessage(partition.second) + " of table " +
                         writes[partition.first].table + " needs " + std::to_string(needed) +
                         " entity group transactions, and atomic=partition allows one for each "
                         "partition; nothing was sent");
  }
  return {};
}

}  // namespace aztables
