// Checks the points of a join that pages answer: each answer is right, close lookups need few
// requests, and others hardly more than their points.
#include "read/near_points.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "binary_order_reader.h"
#include "support/random_tables.h"
#include "support/simulated_table.h"

namespace aztables {
namespace {

using support::Padded;
using support::SimulatedTable;
using support::TableOf;

struct Lookups {
  explicit Lookups(SimulatedTable& source) : table(source), s(source.Handler()) {}

  // The number of requests so far, each point one.
  size_t requests() const { return points + pages; }

  // "found", "missing", or "unknown": a point is requested.
  std::string Find(const std::string& partition, const std::string& row) {
    EntityQuery query;
    query.table = "T";
    query.point = {partition, row};
    auto answer = near.Find(query, version, [this](EntityQuery page, size_t entities) {
      ++pages;
      sizes.push_back(entities);
      table.page = entities;
      return std::make_unique<StreamPages>(s, std::move(page), false);
    });
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    if (!answer->known) {
      ++points;
      return "unknown";
    }
    if (answer->row == nullptr) return "missing";
    EXPECT_TRUE(*answer->row->Next());
    const EntityKeyView key = answer->row->key();
    EXPECT_EQ(key.partition_key, partition);
    EXPECT_EQ(key.row_key, row);
    EXPECT_FALSE(*answer->row->Next());
    return "found";
  }

  SimulatedTable& table;
  support::ScriptedClient s;
  NearPoints near;
  int64_t version = 1;
  size_t points = 0;
  size_t pages = 0;
  std::vector<size_t> sizes;
};

TEST(NearPointsTest, EachAnswerIsRight) {
  std::mt19937 random(41);
  std::map<std::string, int> answers;
  for (int i = 0; i < 200; ++i) {
    SimulatedTable table = support::RandomTable(random);
    std::vector<std::string> rows;
    for (size_t n = 0; n < table.per_partition; ++n) rows.push_back(table.row_key(n));
    const auto other = support::RandomKeys(random);
    const size_t partitions = table.entities / table.per_partition;
    Lookups lookups(table);
    for (size_t n = 0; n < 15; ++n) {
      const size_t at = random() % partitions;
      std::vector<std::string> wanted;
      for (const auto* keys : std::vector<const std::vector<std::string>*>{&rows, &other}) {
        for (const std::string& key : *keys) {
          if (random() % 3 > 0) wanted.push_back(key);
        }
      }
      std::sort(wanted.begin(), wanted.end(),
                [](const auto& a, const auto& b) { return CompareKeys(a, b) < 0; });
      if (random() % 4 == 0) std::shuffle(wanted.begin(), wanted.end(), random);
      for (const std::string& row : wanted) {
        if (random() % 50 == 0) ++lookups.version;
        const std::string answer = lookups.Find(table.partition_key(at), row);
        ++answers[answer];
        if (answer == "unknown") continue;
        const bool exists = std::find(rows.begin(), rows.end(), row) != rows.end();
        EXPECT_EQ(answer, exists ? "found" : "missing") << i << ": " << row;
      }
    }
  }
  EXPECT_GT(answers["found"], 1'000);
  EXPECT_GT(answers["missing"], 1'000);
  EXPECT_GT(answers["unknown"], 1'000);
}

// The requests for `count` lookups, each `step` rows after the last one, `each` in a partition.
size_t Requests(size_t count, size_t step, size_t each = 1'000'000) {
  SimulatedTable table = TableOf(40'000'000, 400'000, Padded("p", 6), Padded("r", 7));
  Lookups lookups(table);
  for (size_t i = 0; i < count; ++i) {
    lookups.Find(table.partition_key(i / each), table.row_key(i % each * step));
  }
  return lookups.requests();
}

TEST(NearPointsTest, CloseLookupsNeedFewRequests) {
  EXPECT_EQ(Requests(3, 1), 3U);
  EXPECT_LE(Requests(1'000, 1), 6U);
  EXPECT_LE(Requests(1'000, 10), 16U);
  EXPECT_LE(Requests(1'000, 30), 300U);
  EXPECT_LE(Requests(1'000, 2, 100), 20U);
}

TEST(NearPointsTest, OthersNeedHardlyMore) {
  EXPECT_LE(Requests(1'000, 60), 1'005U);
  EXPECT_LE(Requests(5'000, 300), 5'010U);
  EXPECT_EQ(Requests(50, 1, 1), 50U);
  EXPECT_LE(Requests(300, 1, 3), 300U);
}

TEST(NearPointsTest, ANewVersionNeedsAnotherPage) {
  SimulatedTable table = TableOf(1'000, 1'000, Padded("p", 1), Padded("r", 4));
  Lookups lookups(table);
  for (size_t i = 0; i < 10; ++i) lookups.Find("p0", table.row_key(i));
  EXPECT_EQ(lookups.pages, 1U);
  lookups.version = 2;
  lookups.Find("p0", table.row_key(10));
  EXPECT_EQ(lookups.pages + lookups.points, 5U);
}

}  // namespace
}  // namespace aztables
