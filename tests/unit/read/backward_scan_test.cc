// Checks a read from the last row to the first: each row once and in the reverse of SQLite's order,
// the requests for the last row of tables of many forms and sizes, and those for all rows.
#include "read/backward_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "random_reader.h"
#include "read/sorted_rows.h"
#include "support/random_tables.h"
#include "support/rounds.h"
#include "support/simulated_table.h"

namespace aztables {
namespace {

using support::KeyedTables;
using support::Padded;
using support::RandomTable;
using support::Rounds;
using support::SimulatedTable;
using support::TableOf;

constexpr size_t kAll = 1'000'000'000;

struct ReverseScan {
  explicit ReverseScan(SimulatedTable& source) : ReverseScan(source, source.Handler()) {}
  ReverseScan(SimulatedTable& source, support::ScriptedTransport::Handler handler)
      : table(source), s(std::move(handler)) {
    table.filters.clear();
  }

  std::unique_ptr<RandomReader> Open(EntityQuery query) {
    query.table = "T";
    auto reader = std::make_unique<RandomReader>(s, std::move(query), random);
    reader->CountTaken(&taken);
    return reader;
  }

  // `rows_wanted`: the rows that are read; `wanted` is what the scan knows of it.
  Status Read(EntityQuery query, size_t parallel, size_t rows_wanted = kAll, size_t wanted = 0) {
    BackwardScan::Setting setting;
    setting.open = [this](EntityQuery part, const SplitScan::Place&) {
      return Open(std::move(part));
    };
    setting.open_sorted = [this](EntityQuery part) {
      ++sorted;
      return std::make_unique<SortedRows>(
          Open(std::move(part)), EntityPage::kFirstProperty,
          SortedRows::Order{EntityPage::kPartitionKey, EntityPage::kRowKey, true});
    };
    setting.reuse = [this](const std::unique_ptr<EntityPage>& page) { reused += page != nullptr; };
    setting.parallel = parallel;
    setting.guesses = guesses > 0 ? guesses : parallel;
    setting.wanted = wanted;
    setting.spare = spare;
    BackwardScan scan(std::move(query), std::move(setting));
    scan.BeginWith(std::move(known));
    while (rows.size() < rows_wanted) {
      const auto more = scan.Next();
      if (!more.ok() || !*more) return more.status();
      const EntityKeyView key = scan.key();
      rows.emplace_back(key.partition_key, key.row_key);
      if (taken > reused) most_held = std::max(most_held, taken - reused);
    }
    return {};
  }

  // That the rows are the last ones of these.
  void Check(const std::string& name, Keys expected) const {
    std::sort(expected.begin(), expected.end(), std::greater<>());
    EXPECT_TRUE(rows.size() == expected.size()) << name;
    if (rows.size() < expected.size()) expected.resize(rows.size());
    EXPECT_EQ(rows, expected) << name;
    EXPECT_TRUE(table.problems.empty()) << name << ": " << table.problems.front();
  }

  SimulatedTable& table;
  support::ScriptedClient s;
  std::vector<KnownKeys::Range> known = {};
  size_t guesses = 0;  // at once; 0: as many as chains
  size_t spare = 100;  // requests more than pages, after which all that is left may be read
  Keys rows;
  std::mt19937 random{23};
  int sorted = 0;
  size_t taken = 0;   // pages
  size_t reused = 0;  // of those
  size_t most_held = 0;
};

EntityQuery Query(std::mt19937& random) {
  EntityQuery query;
  // The cells that the rows need: all, or only their keys.
  if (random() % 2 == 0) query.select = {"PartitionKey", "RowKey"};
  return query;
}

// What a scan of the table has seen, if a page has so many entities.
std::vector<KnownKeys::Range> KnownRanges(const SimulatedTable& table, size_t page) {
  const Keys all = KeysOf(table);
  KnownKeys known;
  for (size_t i = page - 1; i < all.size(); i += page) known.Add(all[i].first, all[i].second);
  known.Add(all.back().first, all.back().second);
  known.Sort();
  return known.DivideInOrder({}, BackwardWindows::PagesOfWindow(8));
}

TEST(BackwardScanTest, EachRowOnceAndInOrder) {
  std::mt19937 random(17);
  int sorted = 0;
  for (int i = 0; i < Rounds(400); ++i) {
    SimulatedTable table = RandomTable(random);
    ReverseScan scan(table);
    scan.guesses = random() % 9;
    if (random() % 3 == 0) scan.spare = random() % 10;
    EXPECT_TRUE(scan.Read(Query(random), 1 + random() % 8, kAll, random() % 30).ok());
    const std::string name = "table " + std::to_string(i);
    scan.Check(name, KeysOf(table));
    sorted += scan.sorted;
    ReverseScan again(table);
    // Some keys are outdated.
    again.known = KnownRanges(random() % 3 > 0 ? table : RandomTable(random), 1 + random() % 20);
    EXPECT_TRUE(again.Read(Query(random), 1 + random() % 8, kAll, random() % 30).ok());
    again.Check(name + ", known keys", KeysOf(table));
  }
  EXPECT_GT(sorted, 2);
}

TEST(BackwardScanTest, PartOfATable) {
  std::mt19937 random(18);
  for (int i = 0; i < Rounds(400); ++i) {
    SimulatedTable table = RandomTable(random);
    const size_t partitions = table.entities / table.per_partition;
    const std::string first = table.partition_key(random() % partitions);
    const std::string row = table.row_key(random() % table.per_partition);
    EntityQuery query = Query(random);
    if (i % 4 == 0) query.filter = One("PartitionKey", CompareOp::kGe, Value::String(first));
    if (i % 4 == 1) query.filter = One("PartitionKey", CompareOp::kLe, Value::String(first));
    if (i % 4 > 1) {
      query.filter = One("PartitionKey", CompareOp::kEq, Value::String(first));
      const CompareOp op = i % 4 == 2 ? CompareOp::kLe : CompareOp::kGt;
      query.filter.push_back({"RowKey", op, Value::String(row)});
    }
    Keys expected = KeysOf(table);
    std::erase_if(expected, [&](const Key& key) {
      if (i % 4 == 0) return CompareKeys(key.first, first) < 0;
      if (i % 4 == 1) return CompareKeys(key.first, first) > 0;
      const int order = CompareKeys(key.second, row);
      return key.first != first || (i % 4 == 2 ? order > 0 : order <= 0);
    });
    ReverseScan scan(table);
    EXPECT_TRUE(scan.Read(std::move(query), 1 + random() % 7).ok());
    scan.Check("table " + std::to_string(i), expected);
  }
}

TEST(BackwardScanTest, KeysThatNoFilterHolds) {
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += "\xE4\xB8\xAD";
  SimulatedTable table = TableOf(2'000, 10, Padded(wide, 3), Padded("", 1));
  table.page = 100;
  ReverseScan scan(table);
  EXPECT_TRUE(scan.Read({}, 8).ok());
  scan.Check("wide", KeysOf(table));
  EXPECT_LE(table.filters.size(), 100U);
}

// The requests for some of the last rows.
size_t Requests(SimulatedTable& table, size_t rows, bool all_cells, size_t guesses = 1) {
  ReverseScan scan(table);
  scan.guesses = guesses;
  EntityQuery query;
  if (!all_cells) query.select = {"PartitionKey", "RowKey"};
  EXPECT_TRUE(scan.Read(std::move(query), 1, rows, all_cells ? rows : 0).ok());
  EXPECT_EQ(scan.rows.size(), std::min(rows, table.entities));
  const size_t last = table.entities - 1;
  const size_t partition = table.PartitionOf(last);
  const Key expected(table.partition_key(partition), table.row_key(last - table.Begin(partition)));
  EXPECT_EQ(scan.rows.front(), expected);
  return table.filters.size();
}

TEST(BackwardScanTest, TheLastRowsOfALargeTable) {
  for (auto& [name, table] : KeyedTables(1'000'000)) {
    const bool exception = name == "dates" || name == "composite";
    EXPECT_LE(Requests(table, 1, false), exception ? 65U : 25U) << name;
    EXPECT_LE(Requests(table, 10, true), exception ? 66U : 27U) << name;
    EXPECT_LE(Requests(table, 1, false, 8), exception ? 90U : 32U) << name << ", at once";
    EXPECT_LE(Requests(table, 10, true, 8), exception ? 92U : 34U) << name << ", at once";
  }
}

TEST(BackwardScanTest, TheLastRowsOfASmallTable) {
  for (const size_t pages : {1U, 2U, 3U, 5U, 8U, 12U}) {
    for (auto& [name, table] : KeyedTables(pages * 1'000)) {
      for (const size_t guesses : {1U, 8U}) {
        const std::string what = name + ", at once " + std::to_string(guesses);
        EXPECT_LE(Requests(table, 1, false, guesses), pages + 5) << what;
        EXPECT_LE(Requests(table, 1, true, guesses), pages + 5) << what;
        EXPECT_LE(Requests(table, 10, true, guesses), pages + 7) << what;
      }
    }
  }
  SimulatedTable page = TableOf(900, 30, Padded("p", 2), Padded("r", 2));
  EXPECT_EQ(Requests(page, 10, true), 1U);
}

// Requests for each page of a read of all rows, with pages of 20 entities. Few pages wait in
// memory. The window that is shown next may have some more.
double RequestsForEachPage(const std::string& name, SimulatedTable& table, size_t parallel) {
  table.page = 20;
  ReverseScan scan(table);
  EXPECT_TRUE(scan.Read({}, parallel).ok());
  scan.Check(name, KeysOf(table));
  const size_t slots = parallel > 8 ? parallel * 3 / 2 : parallel * 3;
  EXPECT_LE(scan.most_held, slots + BackwardWindows::kMostPages + parallel) << name;
  return static_cast<double>(table.filters.size() * table.page) /
         static_cast<double>(table.entities);
}

TEST(BackwardScanTest, AllRowsNeedFewRequests) {
  for (auto& [name, table] : KeyedTables(14'000)) {
    EXPECT_LE(RequestsForEachPage(name, table, 8), 1.4) << name;
    EXPECT_LE(RequestsForEachPage(name, table, 16), 1.45) << name << ", 16 chains";
  }
}

// In a small table too, wrong guesses end before they cost half of the pages.
TEST(BackwardScanTest, AllRowsOfSmallerTables) {
  for (auto& [name, table] : KeyedTables(6'000)) {
    EXPECT_LE(RequestsForEachPage(name, table, 1), 1.4) << name;
    EXPECT_LE(RequestsForEachPage(name, table, 8), 1.5) << name << ", 8 chains";
  }
}

// If guesses cost too much, all that is left is read.
TEST(BackwardScanTest, TheRestWaitsOnTheDisk) {
  for (auto& [name, table] : KeyedTables(2'000)) {
    table.page = 10;
    ReverseScan scan(table);
    scan.spare = 0;
    EXPECT_TRUE(scan.Read({}, 8).ok());
    scan.Check(name, KeysOf(table));
    EXPECT_LE(table.filters.size(), 1.4 * 200) << name;
  }
}

TEST(BackwardScanTest, AtMostParallelRequestsUnderWay) {
  for (auto& [name, table] : KeyedTables(2'000)) {
    table.page = 10;
    ReverseScan scan(table, table.Handler(5));
    scan.spare = 15;  // windows, searches between them and, for some tables, a read of the rest
    EXPECT_TRUE(scan.Read({}, 5).ok());
    EXPECT_EQ(scan.s.transport.most_in_flight(), 5) << name;
  }
}

// The sizes of the partitions before show that of the next one.
TEST(BackwardScanTest, PartitionsOfSomePages) {
  for (const size_t each : {60U, 100U, 200U, 400U}) {
    const std::string name = "partitions of " + std::to_string(each);
    for (const size_t parallel : {1U, 8U}) {
      SimulatedTable table = TableOf(14'000, each, Padded("p", 3), Padded("r", 4));
      EXPECT_LE(RequestsForEachPage(name, table, parallel), 1.35) << name << ", " << parallel;
    }
  }
}

TEST(BackwardScanTest, KnownKeysSaveRequests) {
  for (auto& [name, table] : KeyedTables(12'000)) {
    table.page = 40;
    const std::vector<KnownKeys::Range> known = KnownRanges(table, table.page);
    ReverseScan scan(table);
    scan.known = known;
    EXPECT_TRUE(scan.Read({}, 8).ok());
    scan.Check(name, KeysOf(table));
    EXPECT_GT(scan.most_held, 8U) << name;
    EXPECT_LE(static_cast<double>(table.filters.size()) / 300, 1.5) << name;
    ReverseScan last(table);
    last.known = known;
    EXPECT_TRUE(last.Read({}, 8, 10, 10).ok());
    EXPECT_LE(table.filters.size(), 7U) << name;
  }
}

}  // namespace
}  // namespace aztables
