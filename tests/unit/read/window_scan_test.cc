// Checks a scan in order by several chains of pages: each row once and in SQLite's order, for any
// order of the responses, its requests for small tables, and what it keeps in memory.
#include "read/window_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "random_reader.h"
#include "support/random_tables.h"
#include "support/rounds.h"
#include "support/simulated_table.h"

namespace aztables {
namespace {

using support::KeyedTables;
using support::Padded;
using support::RandomTable;
using support::Rounds;
using support::ScriptedReply;
using support::SimulatedTable;
using support::TableOf;

struct OrderedScan {
  explicit OrderedScan(SimulatedTable& source) : table(source), s(source.Handler()) {}
  OrderedScan(SimulatedTable& source, support::ScriptedTransport::Handler handler)
      : table(source), s(std::move(handler)) {}

  std::unique_ptr<RandomReader> Open(EntityQuery query) {
    query.table = "T";
    auto reader = std::make_unique<RandomReader>(s, std::move(query), random);
    if (distinct) reader->SkipPartitions(&all);
    return reader;
  }

  Status Read(BoundPlan plan, size_t parallel, std::vector<KnownKeys::Range> known = {}) {
    const bool whole = plan.size() == 1 && plan.query.filter.empty();
    WindowScan::Setting setting;
    setting.open = [this](EntityQuery query, const SplitScan::Place&) {
      return Open(std::move(query));
    };
    setting.open_sorted = [this](const EntityQuery& query) {
      ++sorted;
      return std::make_unique<BinaryOrderStream>(
          Open(query),
          [this, query](const Conjunction& more) {
            EntityQuery narrow = query;
            narrow.filter.insert(narrow.filter.end(), more.begin(), more.end());
            return Open(std::move(narrow));
          },
          query.filter);
    };
    setting.reuse = [this](const std::unique_ptr<EntityPage>& page) { reused += page != nullptr; };
    WindowScan scan(std::move(plan), std::move(setting), parallel);
    scan.BeginWith(std::move(known));
    if (distinct) {
      scan.KeepPartitions(&all);
    } else if (whole) {
      scan.Record([this](ScanRecord& end) {
        shape = end.Shape();
        keys = end.TakeKeys();
      });
    }
    for (;;) {
      const auto more = scan.Next();
      if (!more.ok() || !*more) return more.status();
      const EntityKeyView key = scan.key();
      rows.emplace_back(key.partition_key, key.row_key);
      if (!all && rows.size() == all_from) {
        all = true;
        sorted_before_all = sorted > 0;
      }
    }
  }

  void Check(const std::string& name, Keys expected) const {
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(rows, expected) << name;
    EXPECT_TRUE(table.problems.empty()) << name << ": " << table.problems.front();
  }

  SimulatedTable& table;
  support::ScriptedClient s;
  bool distinct = false;  // one row of each partition is enough,
  size_t all_from = 0;    // except after so many rows
  bool all = false;
  bool sorted_before_all = false;
  Keys rows;
  TableShape shape;
  KnownKeys keys;
  std::mt19937 random{23};
  int sorted = 0;
  size_t reused = 0;
};

TEST(WindowScanTest, EachRowOnceAndInOrder) {
  std::mt19937 random(17);
  int sorted = 0;
  int recorded = 0;
  for (int i = 0; i < Rounds(400); ++i) {
    SimulatedTable table = RandomTable(random);
    OrderedScan scan(table);
    EXPECT_TRUE(scan.Read({}, 2 + random() % 15).ok());
    const std::string name = "table " + std::to_string(i);
    scan.Check(name, KeysOf(table));
    sorted += scan.sorted;
    OrderedScan again(table);
    EXPECT_TRUE(
        again.Read({}, 2 + random() % 15, scan.keys.DivideInOrder({}, ScanWindows::kPages)).ok());
    again.Check(name + " again", KeysOf(table));
    if (scan.sorted > 0) continue;
    ++recorded;
    EXPECT_EQ(scan.shape.entities, static_cast<int64_t>(table.entities)) << name;
    EXPECT_EQ(scan.shape.largest, static_cast<int64_t>(table.per_partition)) << name;
  }
  EXPECT_GT(sorted, 2);
  EXPECT_GT(recorded, 20);
}

TEST(WindowScanTest, PartOfATable) {
  std::mt19937 random(18);
  for (int i = 0; i < Rounds(400); ++i) {
    SimulatedTable table = RandomTable(random);
    const size_t partitions = table.entities / table.per_partition;
    const std::string first = table.partition_key(random() % partitions);
    const std::string row = table.row_key(random() % table.per_partition);
    BoundPlan plan;
    plan.kind = ReadKind::kPartitionRange;
    plan.query.filter = One("PartitionKey", CompareOp::kGe, Value::String(first));
    if (i % 2 == 1) {
      plan.kind = ReadKind::kRowRange;
      plan.partitions = {first};
      plan.query.filter = One("RowKey", CompareOp::kLe, Value::String(row));
    }
    Keys expected = KeysOf(table);
    std::erase_if(expected, [&](const Key& key) {
      if (i % 2 == 0) return CompareKeys(key.first, first) < 0;
      return key.first != first || CompareKeys(key.second, row) > 0;
    });
    OrderedScan scan(table);
    EXPECT_TRUE(scan.Read(std::move(plan), 2 + random() % 7).ok());
    scan.Check("table " + std::to_string(i), expected);
  }
}

// One row of each partition in order, and all rows from some row on.
TEST(WindowScanTest, OneRowOfEachPartition) {
  std::mt19937 random(19);
  for (int i = 0; i < Rounds(800); ++i) {
    SimulatedTable table = RandomTable(random);
    OrderedScan scan(table);
    scan.distinct = true;
    if (i % 2 == 1) scan.all_from = 1 + random() % 20;
    EXPECT_TRUE(scan.Read({}, 2 + random() % 15).ok());
    if (scan.sorted_before_all) continue;  // see BinaryOrderStream
    EXPECT_TRUE(std::is_sorted(scan.rows.begin(), scan.rows.end())) << i;
    Keys expected = KeysOf(table);
    const auto places = [&](const Keys& keys) {
      std::set<std::string> partitions;
      for (const Key& key : keys) partitions.insert(key.first);
      return partitions;
    };
    EXPECT_EQ(places(scan.rows), places(expected)) << i;
    if (!scan.all) continue;
    const Key& from = scan.rows[scan.all_from - 1];
    std::erase_if(expected, [&](const Key& key) { return key < from; });
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(Keys(scan.rows.begin() + static_cast<ptrdiff_t>(scan.all_from) - 1, scan.rows.end()),
              expected)
        << i;
  }
}

TEST(WindowScanTest, OneRequestForEachPartitionAndSome) {
  for (const size_t partitions : {1U, 2U, 3U, 10U, 300U}) {
    SimulatedTable table = TableOf(partitions * 40, 40, Padded("p", 4), Padded("r", 2));
    table.page = 30;
    OrderedScan scan(table);
    scan.distinct = true;
    EXPECT_TRUE(scan.Read({}, 8).ok());
    EXPECT_GE(scan.rows.size(), partitions);
    EXPECT_LE(table.filters.size(), partitions < 3 ? partitions + 1 : partitions * 8 / 5 + 8);
  }
}

// Every page of every partition counts towards `parallel`. A partition with keys that need sorting
// does not change the others.
TEST(WindowScanTest, ListsOfPartitions) {
  std::mt19937 random(20);
  int sorted = 0;
  for (int i = 0; i < Rounds(400); ++i) {
    SimulatedTable table = RandomTable(random);
    BoundPlan plan;
    plan.kind = ReadKind::kRowRange;
    Keys expected = KeysOf(table);
    for (size_t n = 0; n < table.Partitions(); ++n) {
      if (random() % 3 != 0) plan.partitions.push_back(table.partition_key(n));
    }
    if (plan.partitions.empty()) continue;
    std::sort(plan.partitions.begin(), plan.partitions.end());
    std::erase_if(expected, [&](const Key& key) {
      return !std::binary_search(plan.partitions.begin(), plan.partitions.end(), key.first);
    });
    OrderedScan scan(table);
    EXPECT_TRUE(scan.Read(std::move(plan), 2 + random() % 7).ok());
    scan.Check("table " + std::to_string(i), expected);
    sorted += scan.sorted;
  }
  EXPECT_GT(sorted, 2);
}

TEST(WindowScanTest, SmallTablesNeedNoMoreRequests) {
  for (size_t pages = 1; pages <= 3; ++pages) {
    SimulatedTable table = TableOf(pages * 10, 7, Padded("p", 4), Padded("r", 2));
    table.page = 10;
    OrderedScan scan(table);
    EXPECT_TRUE(scan.Read({}, 8).ok());
    scan.Check("small", KeysOf(table));
    EXPECT_EQ(table.filters, std::vector<std::string>(pages));
    EXPECT_EQ(scan.reused, pages);
  }
}

TEST(WindowScanTest, SoManyRequestsAreUnderWayAtOnce) {
  for (const int parallel : {2, 5, 16}) {
    SimulatedTable table = TableOf(3'000, 1, Padded("p", 5), Padded("r", 1));
    table.page = 10;
    OrderedScan scan(table, table.Handler(30));
    EXPECT_TRUE(scan.Read({}, static_cast<size_t>(parallel)).ok());
    scan.Check("parallel", KeysOf(table));
    EXPECT_EQ(scan.s.transport.most_in_flight(), parallel);
  }
  for (auto& [name, table] : KeyedTables(2'000)) {
    table.page = 10;
    OrderedScan scan(table, table.Handler(5));
    EXPECT_TRUE(scan.Read({}, 5).ok());
    scan.Check(name, KeysOf(table));
    EXPECT_EQ(scan.s.transport.most_in_flight(), 5) << name;
  }
}

TEST(WindowScanTest, AnErrorEndsIt) {
  SimulatedTable table = TableOf(3'000, 1, Padded("p", 5), Padded("r", 1));
  table.page = 10;
  int requests = 0;
  OrderedScan scan(table, [&](const Request& request) -> ScriptedReply {
    if (++requests == 50) return {support::ErrorResponse(403, "AuthorizationFailure", "No.")};
    return table.Handler()(request);
  });
  const Status status = scan.Read({}, 4);
  EXPECT_NE(status.message().find("AuthorizationFailure"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace aztables
