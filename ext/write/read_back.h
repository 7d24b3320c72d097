// ReadBack: queries entities of one partition by their keys, to learn why an entity group
// transaction (EGT) was refused, or whether it was applied.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <span>
#include <string>
#include <unordered_map>

#include "base/cancel.h"
#include "base/status.h"
#include "write/egt.h"

namespace aztables {

struct FoundEntity {
  std::string etag;
  std::string timestamp;
  std::string properties;  // a JSON object; empty if only keys were read
};
using FoundEntities = std::unordered_map<std::string, FoundEntity>;  // by row key

// Queries the entities of the first operations, at most 14, and adds those that exist to `found`.
// Returns the number of these operations. REQUIRES: one partition; at least one operation
Result<size_t> ReadBack(const EgtTarget& to, std::span<const EntityOperation* const> operations,
                        bool whole, const Cancel& cancel, FoundEntities& found);

}  // namespace aztables
