// TableKeys: the keys of a table of any size, computed from the number of an entity.
//
// Thread rule: values and free functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/key_forms.h"

namespace aztables::support {

std::u16string Utf16Units(std::string_view text);

struct TableKeys {
  size_t entities = 0;
  size_t per_partition = 1;
  std::vector<size_t> starts;  // instead: the first entity of each partition; begins with 0
  KeyForm partition_key;       // of the n-th partition; ascending in the service's order
  KeyForm row_key;             // of the n-th entity of a partition; ascending likewise

  size_t Partitions() const;
  size_t PartitionOf(size_t entity) const;
  // The first entity of a partition; the number of entities after the last one.
  size_t Begin(size_t partition) const;

  // The first n below `count` whose key is at or after `bound`, or after it if `above`.
  static size_t Search(const KeyForm& key, size_t count, const std::string& bound, bool above);
};

}  // namespace aztables::support
