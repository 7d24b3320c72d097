// SimulatedTables of up to 1,600 entities, with random keys, sizes of pages, empty pages and
// additional tokens.
//
// Thread rule: free functions.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "model/key.h"
#include "support/simulated_table.h"

namespace aztables::support {

// Up to 40 keys in the service's order, the empty one among them.
inline std::vector<std::string> RandomKeys(std::mt19937& random) {
  const std::vector<std::vector<std::string>> alphabets = {
      {"0", "1", "2", "9"},
      {"a", "e", "z", "-"},
      {"'", " ", "%", "&", "+", "~", "\xC3\xA9"},
      {"A", "a", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xA0", "\xF0\x9F\x98\x80"}};
  const size_t count = 1 + random() % 40;
  const auto& alphabet = alphabets[random() % alphabets.size()];
  std::vector<std::string> all(1);
  while (all.size() < count) {
    std::string key;
    for (size_t n = random() % 7 + 1; n > 0; --n) key += alphabet[random() % alphabet.size()];
    all.push_back(std::move(key));
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return CompareKeys(a, b) < 0; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  return all;
}

inline SimulatedTable RandomTable(std::mt19937& random) {
  const std::vector<std::string> partitions = RandomKeys(random);
  const std::vector<std::string> rows = RandomKeys(random);
  SimulatedTable table = TableOf(
      partitions.size() * rows.size(), rows.size(),
      [partitions](size_t n) { return partitions[n]; }, [rows](size_t n) { return rows[n]; });
  table.page = 1 + random() % 30;
  table.token_at_end = random() % 2 == 0;
  table.empty_pages = random() % 4 == 0 ? 1 : 0;
  return table;
}

}  // namespace aztables::support
