// The keys of fourteen tables of any size with typical keys: one row per partition, one partition,
// many of equal or different sizes; GUIDs, times, names, composites.
//
// Thread rule: free functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/key_forms.h"
#include "support/table_keys.h"

namespace aztables::support {

struct NamedKeys {
  std::string name;
  TableKeys keys;
};

TableKeys TableOf(size_t entities, size_t per_partition, KeyForm partition_key, KeyForm row_key);

// The first entity of each partition, for partitions of these relative sizes. Each has an entity.
// If there are too few entities, the last partitions are left out.
std::vector<size_t> StartsOf(size_t entities, const std::vector<size_t>& weights);

std::vector<NamedKeys> KeyDistributions(size_t n);

}  // namespace aztables::support
