// Settle: whether an entity group transaction (EGT) was applied although no response says so. An
// attempt may have been carried out; the next one was refused, perhaps only because of that. The
// entities show it: they are as the EGT would leave them and not older than its first attempt, or
// they are not. An EGT is atomic, so the entity with the strongest evidence decides it.
// Source: Microsoft, "Performing entity group transactions"; the ETag and the Timestamp of an
// entity change with every write.
//
// An equal write of somebody else cannot be distinguished from that of the EGT: it counts as ours.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "base/cancel.h"
#include "base/status.h"
#include "model/datetime.h"
#include "odata/entity_reader.h"
#include "write/egt.h"

namespace aztables {

struct FoundEntity {
  std::string etag;
  std::string timestamp;
  std::string properties;  // a JSON object; empty if only keys were read
};
using FoundEntities = std::unordered_map<std::string, FoundEntity>;  // by row key

// Queries entities by their keys, to learn why an EGT was refused, or whether it was applied: those
// of the first operations, at most 14, and adds those that exist to `found`.
// Returns the number of these operations. REQUIRES: one partition; at least one operation
Result<size_t> ReadBack(const EgtTarget& to, std::span<const EntityOperation* const> operations,
                        bool whole, const Cancel& cancel, FoundEntities& found);

// What one entity shows, in ascending order of certainty.
struct Evidence {
  enum class Certainty : uint8_t { kNone, kWeak, kFair, kGood, kProof };
  Certainty certainty = Certainty::kNone;
  bool applied = false;
};

// `found`: the entity of `operation` now; null: there is none. `first_attempt`: in the service's
// clock.
Evidence Weigh(const EntityOperation& operation, const FoundEntity* found, Ticks first_attempt,
               EntityReader& reader);

struct Settlement {
  enum class Finding : uint8_t { kApplied, kNotApplied, kOpen };
  Finding finding = Finding::kOpen;
  std::string reason;  // of kOpen: names an entity
};
// Reads entities of `egt` until they decide. Counts the reads in egt.settle_reads. REQUIRES:
// egt.first_attempt is set
Result<Settlement> Settle(const EgtTarget& to, Egt& egt, const Cancel& cancel);

}  // namespace aztables
