// PlanEgts: from logs to entity group transactions; see include/aztables/write/commit.h.
#include <string_view>
#include <unordered_map>

#include "aztables/model/limits.h"
#include "aztables/odata/batch.h"
#include "aztables/write/commit.h"

namespace aztables {
namespace {

void PlanTable(const TableWrites& writes, size_t table, std::vector<Egt>& egts) {
  std::vector<std::vector<const InsertOperation*>> partitions;
  std::unordered_map<std::string_view, size_t> place;
  for (const WriteLog::Operation& operation : writes.log->operations()) {
    const auto [found, added] = place.emplace(operation.insert.partition_key, partitions.size());
    if (added) partitions.emplace_back();
    partitions[found->second].push_back(&operation.insert);
  }
  const size_t most_bytes = writes.client->MaxEgtBytes();
  for (const auto& partition : partitions) {
    size_t bytes = 0;
    for (const InsertOperation* insert : partition) {
      const size_t size = writes.client->EncodedInsertSize(writes.table, *insert);
      const bool full = egts.empty() || bytes == 0 || bytes + size > most_bytes ||
                        egts.back().inserts.size() == kMaxEgtOperations;
      if (full) {
        egts.push_back({.table = table, .inserts = {}, .outcome = {}, .status = {}});
        bytes = kBatchFrameSize;
      }
      egts.back().inserts.push_back(insert);
      bytes += size;
    }
  }
}

}  // namespace

std::vector<Egt> PlanEgts(const std::vector<TableWrites>& writes) {
  std::vector<Egt> egts;
  for (size_t i = 0; i < writes.size(); ++i) PlanTable(writes[i], i, egts);
  return egts;
}

}  // namespace aztables
