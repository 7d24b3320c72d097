// GeneratedTable: the entities of the benchmark's table, computed from their index. Rendering one
// copies a text that is made once, with its keys and numbers.
//
// tests/bench/support/bench_data.py computes the same rows in SQL, for the keys of PaddedKeys().
//
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/table_keys.h"

namespace aztables::bench {

// The first value of the property N, so that all have eight digits.
inline constexpr size_t kFirstN = 10'000'000;

// `each` entities in a partition: p000000, r0000000. REQUIRES: 0 < each, count <= 80,000,000, and
// at most a million partitions.
support::TableKeys PaddedKeys(size_t count, size_t each);

class GeneratedTable {
 public:
  explicit GeneratedTable(support::TableKeys keys);
  ~GeneratedTable();

  const support::TableKeys& keys() const { return keys_; }
  std::string PartitionKey(size_t index) const;
  std::string RowKey(size_t index) const;
  // The number of partitions whose key is less than `text`, or not greater if `or_equal`.
  size_t PartitionsBefore(const std::string& text, bool or_equal) const;
  // The same for the rows of a partition.
  size_t RowsBefore(size_t partition, const std::string& text, bool or_equal) const;
  std::optional<size_t> Find(const std::string& partition, const std::string& row) const;

  // A projection of the entities.
  class Shape;
  // `select` is the query parameter $select; empty: all properties. Null: a property is unknown.
  const Shape* FindShape(std::string_view select);
  // Appends the JSON object of an entity.
  void Render(const Shape& shape, size_t index, std::string* to) const;

 private:
  const support::TableKeys keys_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Shape>, std::less<>> shapes_;  // under mutex_
};

}  // namespace aztables::bench
