// PageRules: what ends a page of a query early, as on the range servers of the service. By default
// a page ends only by its limits (query_page.h). A simulation sets these rules.
//
// Thread rule: a value; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace aztables {

struct PageRules {
  uint64_t seed = 1;
  // About every n-th PartitionKey begins a range. A page ends before the first entity of the next
  // range, even if it has no entity. 0: the table is one range.
  uint64_t ranges = 0;
  std::optional<std::chrono::milliseconds> scan_time;  // instead of 5 s
  uint64_t scan_rows = 0;         // a page ends after looking at this many entities; 0: no limit
  bool partition_tokens = false;  // no NextRowKey before the first entity of a partition

  bool NeedPartitions() const { return ranges > 0 || partition_tokens; }
  // Whether a range begins with this PartitionKey.
  bool BeginsRange(std::string_view partition_key) const {
    return ranges > 0 && SeededHash(seed, partition_key) % ranges == 0;
  }

  // Numbers that look random; equal on every machine.
  static constexpr uint64_t Mixed(uint64_t number) {
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
    return number ^ (number >> 31);
  }
  static constexpr uint64_t SeededHash(uint64_t seed, std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return Mixed(hash + Mixed(seed + 0x9E3779B97F4A7C15));
  }
};

}  // namespace aztables
