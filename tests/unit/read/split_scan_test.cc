// Checks a scan by several chains of pages: each row once in any order of the responses, its
// requests for small tables and for lists of keys, and the number of requests under way.
#include "read/split_scan.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
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

struct Scan {
  explicit Scan(SimulatedTable& source) : table(source), s(source.Handler()) {}
  Scan(SimulatedTable& source, support::ScriptedTransport::Handler handler)
      : table(source), s(std::move(handler)) {}

  Status Read(BoundPlan plan, size_t parallel, std::vector<KeySpan> begins = {},
              KnownKeys known = {}) {
    const bool whole = plan.size() == 1 && plan.query.filter.empty();
    SplitScan scan(
        std::move(plan),
        [this](EntityQuery query, const SplitScan::Place& place) {
          EXPECT_EQ(place.first, s.transport.requests().empty() && !opened);
          opened = true;
          EXPECT_TRUE(place.range || place.last || !was_last);
          was_last = was_last || (place.last && !place.range);
          query.table = "T";
          return std::make_unique<RandomReader>(s, std::move(query), random);
        },
        parallel);
    scan.BeginWith(std::move(begins), std::move(known));
    if (whole) {
      scan.Record([this](ScanRecord& end) {
        shape = end.Shape();
        keys = end.TakeKeys();
      });
    }
    for (;;) {
      const auto more = scan.Next();
      if (!more.ok() || !*more) return more.status();
      const EntityKeyView key = scan.key();
      ++rows[std::string(key.partition_key) + "/" + std::string(key.row_key)];
    }
  }

  void Check(const std::string& name, size_t entities) const {
    EXPECT_EQ(rows.size(), entities) << name;
    for (const auto& [key, times] : rows) EXPECT_EQ(times, 1) << name << ": " << key;
    EXPECT_TRUE(table.problems.empty()) << name << ": " << table.problems.front();
  }

  SimulatedTable& table;
  support::ScriptedClient s;
  std::map<std::string, int> rows;
  TableShape shape;
  KnownKeys keys;
  std::mt19937 random{23};
  bool was_last = false;
  bool opened = false;
};

TEST(SplitScanTest, EachRowOnce) {
  std::mt19937 random(17);
  KnownKeys earlier;  // of another table
  for (int i = 0; i < Rounds(600); ++i) {
    SimulatedTable table = RandomTable(random);
    Scan scan(table);
    EXPECT_TRUE(scan.Read({}, 2 + random() % 15).ok());
    const std::string name = "table " + std::to_string(i);
    scan.Check(name, table.entities);
    EXPECT_EQ(scan.shape.entities, static_cast<int64_t>(table.entities)) << name;
    EXPECT_EQ(scan.shape.largest, static_cast<int64_t>(table.per_partition)) << name;
    EXPECT_EQ(scan.shape.per_partition, static_cast<int64_t>(table.per_partition)) << name;
    for (const KnownKeys& keys : {scan.keys, earlier}) {
      Scan again(table);
      const std::vector<KeySpan> begins = keys.Divide({}, 2 + random() % 15);
      EXPECT_TRUE(again.Read({}, 2 + random() % 15, begins, keys).ok());
      again.Check(name + " again", table.entities);
    }
    earlier = scan.keys;
  }
}

TEST(SplitScanTest, PartOfATable) {
  std::mt19937 random(18);
  for (int i = 0; i < Rounds(500); ++i) {
    SimulatedTable table = RandomTable(random);
    const size_t partitions = table.entities / table.per_partition;
    const std::string first = table.partition_key(random() % partitions);
    const std::string row = table.row_key(random() % table.per_partition);
    size_t entities = 0;
    BoundPlan plan;
    if (i % 2 == 0) {
      plan.kind = ReadKind::kPartitionRange;
      plan.query.filter = One("PartitionKey", CompareOp::kGe, Value::String(first));
      for (size_t n = 0; n < partitions; ++n) {
        if (table.partition_key(n) == first) entities = (partitions - n) * table.per_partition;
      }
    } else {
      plan.kind = ReadKind::kRowRange;
      plan.partitions = {first};
      plan.query.filter = One("RowKey", CompareOp::kLe, Value::String(row));
      for (size_t n = 0; n < table.per_partition; ++n) {
        if (table.row_key(n) == row) entities = n + 1;
      }
    }
    Scan scan(table);
    EXPECT_TRUE(scan.Read(std::move(plan), 2 + random() % 7).ok());
    scan.Check("table " + std::to_string(i), entities);
  }
}

// The partitions of the rows of a scan for DISTINCT. From row `from` on, all rows are needed.
std::vector<std::string> Partitions(Scan& scan, size_t parallel, size_t from,
                                    std::vector<KeySpan> known) {
  bool all = false;
  SplitScan split(
      {},
      [&](EntityQuery query, const SplitScan::Place&) {
        query.table = "T";
        auto reader = std::make_unique<RandomReader>(scan.s, std::move(query), scan.random);
        reader->SkipPartitions(&all);
        return reader;
      },
      parallel);
  split.BeginWith(std::move(known));
  split.KeepPartitions(&all);
  std::vector<std::string> partitions;
  for (;;) {
    const auto more = split.Next();
    EXPECT_TRUE(more.ok()) << more.status().message();
    if (!more.ok() || !*more) return partitions;
    partitions.emplace_back(split.key().partition_key);
    all = all || partitions.size() == from;
  }
}

TEST(SplitScanTest, RowsOfAPartitionFollowEachOther) {
  std::mt19937 random(19);
  for (int i = 0; i < Rounds(1'200); ++i) {
    SimulatedTable table = RandomTable(random);
    std::vector<KeySpan> known;
    if (i % 3 == 0) {
      Scan first(table);
      EXPECT_TRUE(first.Read({}, 4).ok());
      known = first.keys.Divide({}, 8, true);
    }
    Scan scan(table);
    const size_t from = i % 2 == 0 ? 1'000'000 : 1 + random() % 20;
    const auto rows = Partitions(scan, 2 + random() % 15, from, std::move(known));
    std::map<std::string, size_t> times;
    for (size_t row = 0; row < rows.size(); ++row) {
      EXPECT_TRUE(times[rows[row]]++ == 0 || rows[row] == rows[row - 1]) << i;
    }
    EXPECT_EQ(times.size(), table.entities / table.per_partition) << i;
    // The partition of that row, and those that begin later, are returned whole.
    for (size_t row = from; row <= rows.size(); ++row) {
      const bool begins = row == 1 || rows[row - 1] != rows[row - 2];
      EXPECT_TRUE(!begins || times[rows[row - 1]] == table.per_partition) << i;
    }
    EXPECT_TRUE(table.problems.empty()) << table.problems.front();
  }
}

TEST(SplitScanTest, SmallTablesNeedNoMoreRequests) {
  for (size_t pages = 1; pages <= 3; ++pages) {
    SimulatedTable table = TableOf(pages * 10, 7, Padded("p", 4), Padded("r", 2));
    table.page = 10;
    Scan scan(table);
    EXPECT_TRUE(scan.Read({}, 8).ok());
    scan.Check("small", table.entities);
    EXPECT_EQ(table.filters, std::vector<std::string>(pages));
  }
}

TEST(SplitScanTest, ListOfPartitions) {
  SimulatedTable table = TableOf(600, 30, Padded("p", 2), Padded("r", 2));
  table.page = 10;
  BoundPlan plan;
  plan.kind = ReadKind::kRowRange;
  for (int i = 10; i < 20; ++i) plan.partitions.push_back("p" + std::to_string(i));
  plan.partitions.emplace_back("q");  // without rows
  Scan scan(table);
  EXPECT_TRUE(scan.Read(std::move(plan), 4).ok());
  scan.Check("list", 300);
  EXPECT_TRUE(scan.was_last);
  EXPECT_LE(table.filters.size(), 34U);
}

TEST(SplitScanTest, SoManyRequestsAreUnderWayAtOnce) {
  for (const int parallel : {2, 5, 16}) {
    SimulatedTable table = TableOf(3'000, 1, Padded("p", 5), Padded("r", 1));
    table.page = 10;
    Scan scan(table, table.Handler(30));
    EXPECT_TRUE(scan.Read({}, static_cast<size_t>(parallel)).ok());
    scan.Check("parallel", table.entities);
    EXPECT_EQ(scan.s.transport.most_in_flight(), parallel);
  }
  for (auto& [name, table] : KeyedTables(2'000)) {
    table.page = 10;
    Scan scan(table, table.Handler(5));
    EXPECT_TRUE(scan.Read({}, 5).ok());
    scan.Check(name, table.entities);
    EXPECT_EQ(scan.s.transport.most_in_flight(), 5) << name;
  }
}

// Half as many after a request that the service was too busy for, and one more after many pages.
TEST(SplitScanTest, FewerRequestsWhileTheServiceIsTooBusy) {
  SimulatedTable table = TableOf(6'000, 1, Padded("p", 5), Padded("r", 1));
  table.page = 10;
  int requests = 0;
  std::vector<int> under_way;
  Scan* running = nullptr;
  Scan scan(table, [&](const Request& request) -> ScriptedReply {
    under_way.push_back(running->s.transport.in_flight() + 1);
    if (++requests == 100) {
      return {support::ErrorResponse(503, "ServerBusy", "The server is busy.")};
    }
    ScriptedReply reply = table.Handler()(request);
    reply.delay = 30;
    return reply;
  });
  running = &scan;
  scan.s.options.retries = 3;
  EXPECT_TRUE(scan.Read({}, 8).ok());
  scan.Check("busy", table.entities);
  const auto most = [&](int first, int last) {
    return *std::max_element(under_way.begin() + first, under_way.begin() + last);
  };
  EXPECT_EQ(most(50, 100), 8);
  EXPECT_LE(most(120, 140), 5);
  EXPECT_GT(most(400, 500), 6);
}

TEST(SplitScanTest, AnErrorEndsIt) {
  SimulatedTable table = TableOf(3'000, 1, Padded("p", 5), Padded("r", 1));
  table.page = 10;
  int requests = 0;
  Scan scan(table, [&](const Request& request) -> ScriptedReply {
    if (++requests == 50) return {support::ErrorResponse(403, "AuthorizationFailure", "No.")};
    return table.Handler()(request);
  });
  const Status status = scan.Read({}, 4);
  EXPECT_NE(status.message().find("AuthorizationFailure"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace aztables
