// TableShape: what earlier reads have shown of a table's size. ShapeCount counts the entities of
// such a read.
//
// Thread rule: values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace aztables {

struct TableShape {
  bool known = false;  // the table was read to its end
  int64_t entities = 1'000'000;
  int64_t per_partition = 1'000;  // on average
  // The entities of the largest partition: the cost is highest if too much of it is read.
  int64_t largest = 100'000;

  // How many requests read this many entities. The service returns at most 1,000 per response.
  static int64_t Pages(int64_t entities) {
    return entities <= 1'000 ? 1 : (entities + 999) / 1'000;
  }
};

// The entities of one range of a table.
class ShapeCount {
 public:
  // Adds entities of a partition. All of a partition follow each other.
  void Add(std::string_view partition, int64_t entities = 1) {
    const bool same = partitions_ > 0 && partition == partition_;
    of_partition_ = same ? of_partition_ + entities : entities;
    largest_ = std::max(largest_, of_partition_);
    entities_ += entities;
    if (same) return;
    partition_ = partition;
    ++partitions_;
  }
  int64_t entities() const { return entities_; }
  int64_t partitions() const { return partitions_; }
  int64_t largest() const { return largest_; }
  // The last partition and its entities so far.
  const std::string& last() const { return partition_; }
  int64_t of_last() const { return of_partition_; }

 private:
  int64_t entities_ = 0;
  int64_t partitions_ = 0;
  std::string partition_;     // the last one
  int64_t of_partition_ = 0;  // its entities
  int64_t largest_ = 0;
};

}  // namespace aztables
