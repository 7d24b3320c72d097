// GeneratedTable: the entities of the benchmark's table, computed from their index. Rendering one
// copies a text that is made once and writes the digits of its keys and numbers into the copy.
//
// tests/bench/support/bench_data.py computes the same rows in SQL.
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

namespace aztables::bench {

// The first value of the property N, so that all have eight digits.
inline constexpr size_t kFirstN = 10'000'000;

class GeneratedTable {
 public:
  // REQUIRES: 0 < each, count <= 80,000,000, and at most a million partitions.
  GeneratedTable(size_t count, size_t each);
  ~GeneratedTable();

  size_t count() const { return count_; }
  size_t each() const { return each_; }
  size_t partitions() const { return (count_ + each_ - 1) / each_; }

  std::string PartitionKey(size_t index) const;
  std::string RowKey(size_t index) const;
  // The number of partitions whose key is less than `text`, or not greater if `or_equal`.
  size_t PartitionsBefore(std::string_view text, bool or_equal) const;
  // The same for the rows of a full partition.
  size_t RowsBefore(std::string_view text, bool or_equal) const;
  std::optional<size_t> Find(std::string_view partition, std::string_view row) const;

  // A projection of the entities.
  class Shape;
  // `select` is the query parameter $select; empty: all properties. Null: a property is unknown.
  const Shape* FindShape(std::string_view select);
  // Appends the JSON object of an entity.
  void Render(const Shape& shape, size_t index, std::string* to) const;

 private:
  const size_t count_;
  const size_t each_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Shape>, std::less<>> shapes_;  // under mutex_
};

}  // namespace aztables::bench
