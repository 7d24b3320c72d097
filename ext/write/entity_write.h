// EntityWrite: what a transaction does to one entity, and how a sequence of such writes comes to
// one operation that means the same, its If-Match included. An entity may be in an entity group
// transaction once only. The table of all pairs is in tests/unit/write/coalesce_test.cc.
//
// Existence is not always known: an insert may meet an entity that nobody read. Whatever follows
// keeps the meaning of the first: the COMMIT fails as the insert alone would, and the entity that
// was there stays as it is.
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
  kNothing,  // what was written was taken back: nothing is sent
  kInsert,
  kInsertOrIgnore,  // skipped in the COMMIT where the entity exists
  kInsertOrReplace,
  kInsertOrMerge,
  kMerge,
  kReplace,
  kDelete,
};

struct EntityWrite {
  WriteVerb verb = WriteVerb::kNothing;
  // Of kMerge, kReplace and kDelete: the ETag of the entity as it was read, or "*" for any. Empty
  // only in what is handed to Coalesce(): the row was this transaction's own, the service has shown
  // none.
  std::string if_match;
  // A JSON object of properties, types annotated, on one line; empty of kDelete and kNothing.
  std::string properties;
  // The sequence number of the log's next write when the entity with this ETag was asked for.
  int64_t read_at = 0;

  bool operator==(const EntityWrite& other) const = default;
};

// What `before` and then `next` come to. Total: pairs that SQL never makes have some meaning too.
Result<EntityWrite> Coalesce(const EntityWrite& before, const EntityWrite& next,
                             EntityReader& reader);

// Whether `next` gives every property that `before` gives.
Result<bool> GivesAllOf(const EntityWrite& before, const EntityWrite& next, EntityReader& reader);

// What is known of an entity from what is written to it.
enum class Existence : uint8_t { kUnknown, kExists, kAbsent };
Existence ExistenceAfter(WriteVerb verb);

// Whether the write gives all properties that the entity will have.
bool IsWhole(WriteVerb verb);

}  // namespace aztables
