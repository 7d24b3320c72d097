// ReadPartitions: the entities of the partitions that a read from the last row to the first has
// read by RowKeys. The size of a partition shows that of the one before it.
//
// Thread rule: values; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace aztables {

class ReadPartitions {
 public:
  // More entities of the partition were read.
  void Add(std::string_view partition, size_t entities);

  // Its entities so far; nothing if none was read.
  std::optional<size_t> EntitiesOf(std::string_view partition) const;
  // The one that was read before it: the next in the order of keys. Null: it was the first.
  const std::string* Next(std::string_view partition) const;
  // The entities that are left of a partition if it is as large as the next one. Nothing: that one
  // is not known, or not larger than what was read of this one.
  std::optional<size_t> LeftOf(std::string_view partition) const;

 private:
  std::map<std::string, size_t, std::less<>> entities_;
};

}  // namespace aztables
