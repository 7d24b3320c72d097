// OrderConflictRange: a group of entities that SQLite's order of keys and the service's sort
// differently. The keys of a group share a prefix, and the next code point is U+E000 or above. The
// service sorts code points above U+FFFF first (surrogates in UTF-16). SQLite sorts those up to
// U+FFFF first.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "odata/entity_page.h"
#include "odata/filter.h"
#include "write/write_log.h"

namespace aztables {

struct OrderConflictRange {
  bool of_rows = false;       // a prefix of RowKey, in one partition; else a prefix of PartitionKey
  std::string partition_key;  // if of_rows
  std::string beginning;
  bool read_high = false;  // the part that SQLite sorts first was read
  bool whole = false;      // the group's own read returns all of it; else a part (ReadsAside())

  // Whether both are the same group, read or not.
  bool IsSame(const OrderConflictRange& other) const {
    return of_rows == other.of_rows && partition_key == other.partition_key &&
           beginning == other.beginning;
  }

  // Whether the key continues with U+E000 to U+FFFF: first for SQLite, last for the service.
  bool HasHigh(EntityKeyView key) const { return PlaceOf(key) == Place::kHigh; }
  // Whether the key continues with a code point above U+FFFF.
  bool HasSurrogate(EntityKeyView key) const { return PlaceOf(key) == Place::kSurrogate; }
  // Whether the key continues with half of a surrogate pair (base/encoding.h). SQLite sees the half
  // as U+FFFD. The service sorts a first half among the surrogate pairs, and a second half after
  // them.
  bool HasHalf(EntityKeyView key) const {
    return HasSecondHalf(key) || PlaceOf(key) == Place::kFirstHalf;
  }
  bool HasSecondHalf(EntityKeyView key) const { return PlaceOf(key) == Place::kSecondHalf; }
  bool Has(EntityKeyView key) const { return PlaceOf(key) != Place::kOutside; }
  // Whether the group's own read returns the entity.
  bool ReadsAside(EntityKeyView key) const {
    return whole ? Has(key) : HasHigh(key) || HasSecondHalf(key);
  }
  // A filter that selects all entities of ReadsAside(), and possibly others.
  Conjunction Filter() const;
  // The group's prefix as a key.
  EntityKeyView Beginning() const {
    return of_rows ? EntityKeyView{partition_key, beginning} : EntityKeyView{beginning, ""};
  }

 private:
  enum class Place : uint8_t { kOutside, kHigh, kSurrogate, kFirstHalf, kSecondHalf };
  Place PlaceOf(EntityKeyView key) const;
};

// The groups that the entity belongs to, the widest first.
std::vector<OrderConflictRange> GroupsOf(EntityKeyView key);

inline EntityKeyView KeyOf(const EntityPage& page, size_t row) {
  return {page.At(row, EntityPage::kPartitionKey).view(), page.At(row, EntityPage::kRowKey).view()};
}
// The first of these rows whose keys have a UTF-16 code unit of U+D800 or above; `end`: none. Other
// keys have the same order for SQLite and the service, also relative to these.
size_t FirstConflict(const EntityPage& page, size_t begin, size_t end);
// Whether the service returns one key before the other.
bool IsBefore(EntityKeyView key, EntityKeyView other);

}  // namespace aztables
