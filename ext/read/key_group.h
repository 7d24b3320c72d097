// KeyGroup: the entities on which SQLite's order of keys and the service's differ: those that have
// one beginning of a key in common and go on with a code point from U+E000 on. Among these the
// service gives the code points above U+FFFF (surrogates in UTF-16) first, SQLite those up to it.
//
// Thread rule: pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "odata/filter.h"
#include "write/write_log.h"

namespace aztables {

struct KeyGroup {
  bool of_rows = false;       // the beginning of RowKey, in one partition; else of PartitionKey
  std::string partition_key;  // of rows
  std::string beginning;
  bool read_high = false;  // what SQLite has first was read
  bool whole = false;      // its own read gives out all of it, else what a filter can name of that

  // Whether they are one group, read or not.
  bool IsSame(const KeyGroup& other) const {
    return of_rows == other.of_rows && partition_key == other.partition_key &&
           beginning == other.beginning;
  }

  // Whether the entity goes on with U+E000 to U+FFFF: first for SQLite, last for the service.
  bool HasHigh(EntityKeyView key) const { return PlaceOf(key) == Place::kHigh; }
  // Whether it goes on with what lies above.
  bool HasSurrogate(EntityKeyView key) const { return PlaceOf(key) == Place::kSurrogate; }
  // Whether it goes on with half of a surrogate pair (base/encoding.h), which SQLite has as U+FFFD:
  // the service has a first half among those that lie above, and a second half behind them.
  bool HasFirstHalf(EntityKeyView key) const { return PlaceOf(key) == Place::kFirstHalf; }
  bool HasSecondHalf(EntityKeyView key) const { return PlaceOf(key) == Place::kSecondHalf; }
  bool Has(EntityKeyView key) const { return PlaceOf(key) != Place::kOutside; }
  // Whether the group's own read gives out the entity.
  bool ReadsAside(EntityKeyView key) const {
    return whole ? Has(key) : HasHigh(key) || HasSecondHalf(key);
  }
  // A filter for those that ReadsAside() names, and for others too.
  Conjunction Filter() const;
  // A key that begins like all of them.
  EntityKeyView Beginning() const {
    return of_rows ? EntityKeyView{partition_key, beginning} : EntityKeyView{beginning, ""};
  }

 private:
  enum class Place : uint8_t { kOutside, kHigh, kSurrogate, kFirstHalf, kSecondHalf };
  Place PlaceOf(EntityKeyView key) const;
};

// The groups that the entity belongs to, the widest first.
std::vector<KeyGroup> GroupsOf(EntityKeyView key);

}  // namespace aztables
