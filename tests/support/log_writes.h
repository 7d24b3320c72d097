// Adds writes to a WriteLog as SQL would, for tests of the log.
//
// Thread rule: free functions.
#pragma once

#include <string>
#include <vector>

#include "odata/json_writer.h"
#include "write/commit.h"
#include "write/write_log.h"

namespace aztables::support {

inline constexpr size_t kNoLimit = size_t{1} << 40;

inline EntityWrite WriteOf(WriteVerb verb, const std::vector<Property>& properties = {},
                           std::string if_match = "") {
  EntityWrite write{verb, std::move(if_match), ""};
  if (verb != WriteVerb::kDelete) AppendPropertiesJson(write.properties, properties);
  return write;
}

// INSERT by the virtual table `owner`.
inline Status Insert(WriteLog& log, int64_t owner, const Entity& entity) {
  return log.Add(owner, {entity.partition_key, entity.row_key},
                 WriteOf(WriteVerb::kInsert, entity.properties), kNoLimit);
}

// Plans and sends.
inline Status Commit(const std::vector<TableWrites>& writes, const Cancel& cancel = {}) {
  auto egts = PlanEgts(writes);
  if (!egts.ok()) return egts.status();
  return CommitWrites(writes, *egts, cancel);
}

// An insert with its texts.
struct OwnedInsert {
  std::string partition_key;
  std::string row_key;
  std::string properties = "{}";
};
inline std::vector<EntityOperation> ViewsOf(const std::vector<OwnedInsert>& inserts) {
  std::vector<EntityOperation> operations;
  operations.reserve(inserts.size());
  for (const OwnedInsert& insert : inserts) {
    operations.push_back(
        {EntityVerb::kInsert, insert.partition_key, insert.row_key, "", insert.properties});
  }
  return operations;
}

}  // namespace aztables::support
