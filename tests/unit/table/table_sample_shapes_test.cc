// Checks, for tables of many sizes and forms of keys, that a sample takes ten requests at most,
// counts every entity once, and finds a property that only some far region has. On failure the
// whole row is shown: shape, requests, entities seen, whether complete, whether found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "support/key_forms.h"
#include "support/scripted_client.h"
#include "support/simulated_table.h"
#include "table/table_sample.h"

namespace aztables {
namespace {

using support::Addresses;
using support::Guids;
using support::KeyForm;
using support::Letters;
using support::Padded;
using support::ReverseTicks;
using support::ScriptedClient;
using support::SimulatedTable;
using support::Unpadded;
using support::Words;

struct Shape {
  std::string name;
  size_t entities;
  size_t per_partition;
  KeyForm partition_key;
  KeyForm row_key;
};

// Entities from `first` on have the property "Late"; of each `period` of them, where that is given.
struct Late {
  std::string name;
  size_t first;
  size_t period = 0;
};

std::string Sampled(const Shape& shape, const Late& late, bool& good) {
  SimulatedTable table;
  table.entities = shape.entities;
  table.per_partition = shape.per_partition;
  table.partition_key = shape.partition_key;
  table.row_key = shape.row_key;
  table.members = [&](size_t n) {
    const bool has = (late.period > 0 ? n % late.period : n) >= late.first;
    return std::string(has ? R"(,"A":"a","Late":1)" : R"(,"A":"a")");
  };
  ScriptedClient s(table.Handler());
  const auto sample = SampleTable(s.client, "T", s.options, s.cancel);
  good = sample.ok();
  if (!good) return shape.name + ": " + std::string(sample.status().message());
  const auto& properties = sample->properties;
  const bool found = std::any_of(properties.begin(), properties.end(),
                                 [](const PropertyUse& use) { return use.name == "Late"; });
  good = found && sample->requests <= kMaxSampleRequests &&
         s.transport.requests().size() == static_cast<size_t>(sample->requests) &&
         sample->entities == table.sent.size() && table.problems.empty() &&
         sample->complete == (table.sent.size() == shape.entities);
  std::string row = shape.name + ", " + std::to_string(shape.entities) + " entities, " + late.name +
                    ": " + std::to_string(sample->requests) + " requests, " +
                    std::to_string(sample->entities) + " seen" +
                    (sample->complete ? ", complete" : "") + (found ? ", found" : ", NOT FOUND") +
                    (good ? "" : "  <-- sent " + std::to_string(table.sent.size()));
  if (!good || std::getenv("AZTABLES_SHOW_SAMPLES") != nullptr) {
    for (const std::string& filter : table.filters) row += "\n      [" + filter + "]";
    for (const std::string& problem : table.problems) row += "\n      !" + problem;
  }
  return row;
}

void Expect(const std::vector<Shape>& shapes, const std::vector<Late>& lates) {
  std::string rows;
  bool all_good = true;
  for (const Shape& shape : shapes) {
    for (const Late& late : lates) {
      bool good = false;
      rows += "  " + Sampled(shape, late, good) + "\n";
      all_good = all_good && good;
    }
  }
  EXPECT_TRUE(all_good) << rows;
  if (std::getenv("AZTABLES_SHOW_SAMPLES") != nullptr) std::cout << rows;
}

// One entity per partition, 10 partitions, 1000 partitions, one.
std::vector<Shape> Shapes(size_t n) {
  const size_t tenth = (n + 9) / 10;
  const size_t thousandth = (n + 999) / 1000;
  return {
      {"padded keys", n, 1, Padded("", 8), Padded("", 1)},
      {"padded keys of just the length", n, 1, Padded("k", std::to_string(n - 1).size()),
       Padded("", 1)},
      {"numbers", n, 1, Unpadded("", n), Padded("", 1)},
      {"GUIDs", n, 1, Guids(n), Padded("", 1)},
      {"reverse ticks", n, 1, ReverseTicks(7), Padded("", 1)},
      {"words", n, 1, Words(n), Padded("", 1)},
      {"addresses", n, 1, Addresses(n), Padded("", 1)},
      {"Cyrillic", n, 1, Letters(n, 0x430, 32, 1), Padded("", 1)},
      {"Chinese", n, 1, Letters(n, 0x4E00, 1000, 20), Padded("", 1)},
      {"emoji", n, 1, Letters(n, 0x1F300, 100, 5), Padded("", 1)},
      {"one partition, padded", n, n, Padded("p", 1), Padded("r", 8)},
      {"one partition, numbers", n, n, Padded("p", 1), Unpadded("", n)},
      {"one partition, GUIDs", n, n, Padded("p", 1), Guids(n)},
      {"one partition, reverse ticks", n, n, Padded("p", 1), ReverseTicks(1)},
      {"one partition, words", n, n, Padded("p", 1), Words(n)},
      {"10 partitions, padded", n, tenth, Padded("p", 1), Padded("", 7)},
      {"10 partitions of GUIDs", n, tenth, Guids(10), Guids(tenth)},
      {"10 partitions of words", n, tenth, Words(10), Words(tenth)},
      {"1000 partitions, padded", n, thousandth, Padded("p", 3), Padded("", 7)},
      {"1000 partitions of GUIDs", n, thousandth, Guids(1000), Guids(thousandth)},
      {"1000 partitions of words", n, thousandth, Words(1000), ReverseTicks(60)},
  };
}

TEST(TableSampleShapesTest, WhatTheFirstFiveThousandLack) {
  for (const size_t n : {5'001U, 5'010U, 6'000U, 10'000U, 100'000U, 1'000'000U}) {
    Expect(Shapes(n), {{"not in the first 5000", 5'000}});
  }
}

TEST(TableSampleShapesTest, SmallTablesAreSeenWhole) {
  for (const size_t n : {1U, 2U, 999U, 1000U, 1001U, 1999U, 2001U, 2500U}) {
    std::vector<Shape> shapes = Shapes(n);
    shapes.resize(15);  // ten partitions of a few hundred are as many cuts
    Expect(shapes, {{"only the last one", n - 1}});
  }
}

TEST(TableSampleShapesTest, OnlyTheLastPartition) {
  const size_t million = 1'000'000;
  for (const size_t n : {10'000U, 100'000U, 1'000'000U}) {
    for (const Shape& shape : Shapes(n)) {
      if (shape.per_partition * 10 != n) continue;
      Expect({shape}, {{"only the last partition", n - shape.per_partition}});
    }
  }
  Expect({{"1000 padded", million, 1000, Padded("p", 3), Padded("", 7)},
          {"1000 unpadded", million, 1000, Unpadded("p", 1000), Padded("", 7)}},
         {{"only the last partition", million - 1000}});
  Expect({{"100 dates", million, 10'000, Padded("2024-", 2), ReverseTicks(60)}},
         {{"only the last partition", million - 10'000}});
}

TEST(TableSampleShapesTest, LateWithinEachBigPartition) {
  for (const size_t n : {100'000U, 1'000'000U}) {
    for (const Shape& shape : Shapes(n)) {
      if (shape.per_partition * 10 < n) continue;
      // Words use little of what their letters could be, so that three looks into rests of 100,000
      // of them, all that is left beside the partitions, stay in the first eighth.
      if (n == 1'000'000 && shape.name == "10 partitions of words") continue;
      Expect({shape},
             {{"second half of each partition", shape.per_partition / 2, shape.per_partition}});
    }
  }
}

}  // namespace
}  // namespace aztables
