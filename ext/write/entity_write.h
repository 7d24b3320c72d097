// EntityWrite: what a transaction does to one entity. A sequence of such writes is coalesced into
// one operation with the same meaning, its If-Match included. An entity may be in an entity group
// transaction only once. The table of all pairs is in tests/unit/write/coalesce_test.cc.
//
// It is not always known if an entity exists: an insert may meet an entity that was never read.
// Later writes keep the meaning of the first one. The COMMIT then fails as the insert alone would,
// and the existing entity is unchanged.
//
// Thread rule: values and free functions; any thread, a reader on one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "odata/entity_reader.h"

namespace aztables {

enum class WriteVerb : uint8_t {
  kNothing,  // the writes were undone: nothing is sent
  kInsert,
  kInsertOrIgnore,  // skipped in the COMMIT if the entity exists
  kInsertOrReplace,
  kInsertOrMerge,
  kMerge,
  kReplace,
  kDelete,
};

struct EntityWrite {
  WriteVerb verb = WriteVerb::kNothing;
  // For kMerge, kReplace and kDelete: the ETag of the entity when it was read, or "*" for any.
  // Empty only in a write for Coalesce(): the row was made by this transaction, and the service has
  // not returned an ETag.
  std::string if_match;
  // A JSON object of properties with type annotations, on one line. Empty for kDelete and kNothing.
  std::string properties;
  // The sequence number of the log's next write when the entity with this ETag was requested.
  int64_t read_at = 0;

  bool operator==(const EntityWrite& other) const = default;
};

// The one write that has the meaning of `before` and then `next`. It is total: pairs that SQL never
// makes have a meaning, too.
Result<EntityWrite> Coalesce(const EntityWrite& before, const EntityWrite& next,
                             EntityReader& reader);

// Whether `next` gives every property that `before` gives.
Result<bool> GivesAllOf(const EntityWrite& before, const EntityWrite& next, EntityReader& reader);

// The existence of an entity that follows from the writes to it.
enum class Existence : uint8_t { kUnknown, kExists, kAbsent };
Existence ExistenceAfter(WriteVerb verb);

// Whether the write gives all properties that the entity will have.
bool IsWhole(WriteVerb verb);

}  // namespace aztables
