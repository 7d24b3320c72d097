// EntityVersions: the writes of one transaction to one entity. Each is kept by its sequence number,
// so that a savepoint can drop the later ones and a cursor can see the earlier ones.
//
// Dropping or reading versions coalesces at most kStep versions again, however many there are.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "odata/entity_reader.h"
#include "write/entity_write.h"

namespace aztables {

class EntityVersions {
 public:
  EntityVersions(int64_t sequence, EntityWrite write) : first_{sequence, std::move(write)} {}
  EntityVersions(const EntityVersions& other);
  EntityVersions(EntityVersions&&) = default;
  EntityVersions& operator=(const EntityVersions&) = delete;
  EntityVersions& operator=(EntityVersions&&) = default;
  ~EntityVersions() = default;

  // Appends a version. `sequence` is greater than all earlier ones. After an error, nothing has
  // changed.
  Status Add(int64_t sequence, EntityWrite write, EntityReader& reader);
  // All versions, coalesced. Valid until the next change.
  const EntityWrite& All() const { return more_ ? more_->merged : first_.write; }
  // The versions before `sequence`, coalesced; null if there is none. The result is All() or
  // `scratch`.
  Result<const EntityWrite*> Before(int64_t sequence, EntityWrite& scratch,
                                    EntityReader& reader) const;
  int64_t first_sequence() const { return first_.sequence; }

  // The version with this number. REQUIRES: it exists
  const EntityWrite& At(int64_t sequence) { return Find(sequence).write; }
  // Makes the version with this number do nothing. REQUIRES: it exists
  void Void(int64_t sequence, EntityReader& reader);
  // Marks the version with this number. Settle() removes it. REQUIRES: it exists
  void Drop(int64_t sequence);
  // Removes the marked versions. False if none is left: then this object must not be used again.
  bool Settle(EntityReader& reader);

 private:
  // A small step costs memory, a large one time.
  static constexpr size_t kStep = 16;

  struct Version {
    int64_t sequence = 0;
    EntityWrite write;
    bool dropped = false;
  };
  // Most entities are written once, and have no More.
  struct More {
    std::vector<Version> versions;   // after the first, by ascending sequence; one or more
    size_t intact = SIZE_MAX;        // no version before this index is marked
    EntityWrite merged;              // all versions, coalesced
    std::vector<EntityWrite> parts;  // the first and kStep, 2 * kStep ... of `versions`, coalesced
  };

  Version& Find(int64_t sequence);
  // The first version and `count` of more_->versions, coalesced.
  Result<EntityWrite> Coalesced(size_t count, EntityReader& reader) const;
  // Makes merged and parts again, from the version at `index` of more_->versions on.
  void CoalesceFrom(size_t index, EntityReader& reader);

  Version first_;
  std::unique_ptr<More> more_;
};

}  // namespace aztables
