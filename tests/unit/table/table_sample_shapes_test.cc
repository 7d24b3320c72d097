// Checks samples of tables of many sizes and forms of keys: at most ten requests, every entity
// counted once, and properties of distant regions found. A failure shows the whole row: shape,
// requests, entities, completeness, and missing properties.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/scripted_client.h"
#include "support/simulated_table.h"
#include "table/table_sample.h"

namespace aztables {
namespace {

using support::Addresses;
using support::Guids;
using support::KeyedTable;
using support::KeyedTables;
using support::KeyForm;
using support::Letters;
using support::Padded;
using support::ReverseTicks;
using support::ScriptedClient;
using support::SimulatedTable;
using support::TableOf;
using support::Unpadded;
using support::Words;

const bool kShow = std::getenv("AZTABLES_SHOW_SAMPLES") != nullptr;

// A property, and the entities that have it.
struct Region {
  std::string property;
  std::function<bool(size_t entity)> has;
};

bool Contains(const TableSample& sample, const std::string& name) {
  return std::any_of(sample.properties.begin(), sample.properties.end(),
                     [&](const PropertyUse& use) { return use.name == name; });
}

// Returns the properties that a sample of the table lacks, and appends its row.
std::vector<std::string> Missed(KeyedTable named, const std::vector<Region>& regions,
                                std::string& rows) {
  SimulatedTable& table = named.table;
  table.members = [&](size_t entity) {
    std::string members;
    for (const Region& region : regions) {
      if (region.has(entity)) members += ",\"" + region.property + "\":1";
    }
    return members;
  };
  ScriptedClient s(table.Handler());
  const auto sample = SampleTable(s.client, "T", s.options, s.cancel);
  EXPECT_TRUE(sample.ok()) << named.name << ": " << sample.status().message();
  if (!sample.ok()) return {};
  EXPECT_LE(sample->requests, kMaxSampleRequests);
  EXPECT_EQ(table.filters.size(), static_cast<size_t>(sample->requests)) << named.name;
  EXPECT_EQ(sample->entities, table.sent.size()) << named.name;
  EXPECT_EQ(sample->complete, table.sent.size() == table.entities) << named.name;
  EXPECT_TRUE(table.problems.empty()) << named.name << ": " << table.problems.front();
  rows += "  " + named.name + ", " + std::to_string(table.entities) +
          " entities: " + std::to_string(sample->requests) + " requests, " +
          std::to_string(sample->entities) + " seen" + (sample->complete ? ", complete" : "");
  std::vector<std::string> missed;
  for (const Region& region : regions) {
    if (Contains(*sample, region.property)) continue;
    rows += ", NOT " + region.property;
    missed.push_back(region.property);
  }
  if (kShow || !missed.empty()) {
    for (const std::string& filter : table.filters) rows += "\n      [" + filter + "]";
  }
  rows += "\n";
  return missed;
}

// One entity per partition, one partition, 10 partitions, 1000 partitions.
std::vector<KeyedTable> Shapes(size_t n) {
  const size_t tenth = (n + 9) / 10;
  const size_t thousandth = (n + 999) / 1000;
  const KeyForm one = Padded("", 1);
  return {
      {"padded keys", TableOf(n, 1, Padded("", 8), one)},
      {"padded keys of just the length",
       TableOf(n, 1, Padded("k", std::to_string(n - 1).size()), one)},
      {"numbers", TableOf(n, 1, Unpadded("", n), one)},
      {"GUIDs", TableOf(n, 1, Guids(n), one)},
      {"reverse ticks", TableOf(n, 1, ReverseTicks(7), one)},
      {"words", TableOf(n, 1, Words(n), one)},
      {"addresses", TableOf(n, 1, Addresses(n), one)},
      {"Cyrillic", TableOf(n, 1, Letters(n, 0x430, 32, 1), one)},
      {"Chinese", TableOf(n, 1, Letters(n, 0x4E00, 1000, 20), one)},
      {"emoji", TableOf(n, 1, Letters(n, 0x1F300, 100, 5), one)},
      {"one partition, padded", TableOf(n, n, Padded("p", 1), Padded("r", 8))},
      {"one partition, numbers", TableOf(n, n, Padded("p", 1), Unpadded("", n))},
      {"one partition, GUIDs", TableOf(n, n, Padded("p", 1), Guids(n))},
      {"one partition, reverse ticks", TableOf(n, n, Padded("p", 1), ReverseTicks(1))},
      {"one partition, words", TableOf(n, n, Padded("p", 1), Words(n))},
      {"10 partitions, padded", TableOf(n, tenth, Padded("p", 1), Padded("", 7))},
      {"10 partitions of GUIDs", TableOf(n, tenth, Guids(10), Guids(tenth))},
      {"10 partitions of words", TableOf(n, tenth, Words(10), Words(tenth))},
      {"1000 partitions, padded", TableOf(n, thousandth, Padded("p", 3), Padded("", 7))},
      {"1000 partitions of GUIDs", TableOf(n, thousandth, Guids(1000), Guids(thousandth))},
      {"1000 partitions of words", TableOf(n, thousandth, Words(1000), ReverseTicks(60))},
  };
}

// Properties that the first 5000 entities lack. In large tables with at most ten partitions also
// those of the last partition, and of the second half of each partition.
TEST(TableSampleShapesTest, FarRegions) {
  std::string rows;
  for (const size_t n : {5'001U, 10'000U, 100'000U, 1'000'000U}) {
    for (KeyedTable& shape : Shapes(n)) {
      const size_t size = shape.table.per_partition;
      std::vector<Region> regions = {{"AfterFiveThousand", [](size_t i) { return i >= 5'000; }}};
      if (n >= 10'000 && size * 10 == n) {
        regions.push_back({"LastPartition", [=](size_t i) { return i >= n - size; }});
      }
      // Samples inside a hundred pages stay in the first half of such keys.
      const bool far = n == 1'000'000 && shape.name.starts_with("10 partitions of");
      if (n >= 100'000 && size * 10 >= n && !far) {
        regions.push_back({"SecondHalf", [=](size_t i) { return i % size >= size / 2; }});
      }
      EXPECT_TRUE(Missed(std::move(shape), regions, rows).empty());
    }
  }
  if (kShow || HasFailure()) std::cout << rows;
}

TEST(TableSampleShapesTest, SmallTablesAreSeenWhole) {
  std::string rows;
  for (const size_t n : {1U, 2U, 999U, 1000U, 1001U, 1999U, 2001U, 2500U}) {
    std::vector<KeyedTable> shapes = Shapes(n);
    shapes.resize(15);  // ten partitions of a few hundred have as many cuts
    for (KeyedTable& shape : shapes) {
      EXPECT_TRUE(
          Missed(std::move(shape), {{"Last", [=](size_t i) { return i == n - 1; }}}, rows).empty());
    }
  }
  if (kShow || HasFailure()) std::cout << rows;
}

// The number of distributions, of 14, in which a property of only some entities is found.
TEST(TableSampleShapesTest, Distributions) {
  using Found = std::map<std::string, size_t>;
  const std::map<size_t, Found> expected = {
      {10'000, {{"MiddleThird", 14}, {"LastSixth", 14}, {"LastTwentieth", 12}}},
      {100'000, {{"MiddleThird", 9}, {"LastSixth", 14}, {"LastTwentieth", 10}}},
      {1'000'000, {{"MiddleThird", 11}, {"LastSixth", 13}, {"LastTwentieth", 9}}}};
  std::string rows;
  for (const auto& [n, least] : expected) {
    const size_t all = n;
    const std::vector<Region> regions = {
        {"MiddleThird", [=](size_t i) { return i >= all / 3 && i < all * 2 / 3; }},
        {"LastSixth", [=](size_t i) { return i >= all - all / 6; }},
        {"LastTwentieth", [=](size_t i) { return i >= all - all / 20; }}};
    Found found;
    for (KeyedTable& table : KeyedTables(n)) {
      for (const Region& region : regions) ++found[region.property];
      for (const std::string& missed : Missed(std::move(table), regions, rows)) --found[missed];
    }
    for (const auto& [property, count] : least) EXPECT_GE(found[property], count) << n << property;
  }
  if (kShow || HasFailure()) std::cout << rows;
}

}  // namespace
}  // namespace aztables
