// Checks that a scan that splits itself returns each entity once, and that it is fast and sends few
// additional requests, for many forms of keys.
#include "table/scan_splitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/random_tables.h"
#include "support/rounds.h"
#include "support/scripted_client.h"

namespace aztables {
namespace {

using support::KeyedTables;
using support::Padded;
using support::RandomTable;
using support::Rounds;
using support::ScriptedClient;
using support::SimulatedTable;
using support::TableOf;

// A scan by several chains of pages, in simulated time.
class Scan {
 public:
  Scan(SimulatedTable& table, size_t chains)
      : table_(table), client_(table.Handler()), most_(chains) {
    table_.filters.clear();
  }

  // `known`: of an earlier scan.
  void Run(const KnownKeys& known = {}) {
    splitter_.Know(known);
    begins_ = known.Divide({}, most_);
    if (begins_.empty()) begins_.push_back({});
    StartNew();
    while (!under_way_.empty()) {
      const Answer answer = under_way_.top();
      under_way_.pop();
      now_ = std::max(now_ + 1, answer.at);  // a page costs 1 ms
      Take(answer.range);
      StartNew();
    }
    known_.Sort();
    EXPECT_TRUE(table_.problems.empty()) << table_.problems.front();
  }

  size_t requests() const { return table_.filters.size(); }
  double ms() const { return now_; }
  const std::map<std::string, int>& rows() const { return rows_; }
  const KnownKeys& known() const { return known_; }

 private:
  struct Answer {
    double at;
    size_t range;
    bool operator<(const Answer& other) const { return at > other.at; }
  };
  struct Chain {
    EntityQuery query;
    ContinuationToken next;
    bool sent = false;
  };

  void StartNew() {
    for (; chains_.size() < most_ && !begins_.empty(); begins_.erase(begins_.begin())) {
      chains_.emplace(splitter_.Add(begins_[0], begins_[0].high.has_value()), Chain());
    }
    while (chains_.size() < most_) {
      const auto cut = splitter_.Cut();
      if (!cut) break;
      chains_.emplace(cut->range, Chain());
    }
    for (auto& [range, chain] : chains_) {
      if (chain.sent) continue;
      chain.query.table = "T";
      chain.query.filter = *FilterOf(splitter_.SpanOf(range));
      Send(range);
    }
  }

  void Send(size_t range) {
    chains_.at(range).sent = true;
    under_way_.push({now_ + 18 + std::exponential_distribution<double>(0.5)(random_), range});
  }

  void Take(size_t range) {
    Chain& chain = chains_.at(range);
    auto token = client_.client.QueryPage(chain.query, 0, chain.next, client_.options, page_,
                                          client_.cancel);
    ASSERT_TRUE(token.ok()) << token.status().message();
    const RowsOfSpan rows = splitter_.Report(range, page_, static_cast<bool>(*token));
    for (size_t row = rows.begin; row < rows.end; ++row) {
      std::string key(page_.At(row, EntityPage::kPartitionKey).view());
      ++rows_[key + "/" + std::string(page_.At(row, EntityPage::kRowKey).view())];
    }
    if (*token) full_ = page_.size();
    if (rows.begin < rows.end) known_.Add(page_, rows, full_);
    if (splitter_.Ended(range)) {
      chains_.erase(range);
      return;
    }
    chain.next = std::move(*token);
    Send(range);
  }

  SimulatedTable& table_;
  ScriptedClient client_;
  size_t most_;
  ScanSplitter splitter_;
  EntityPage page_{{}};
  std::vector<KeySpan> begins_;
  std::map<size_t, Chain> chains_;
  KnownKeys known_;
  size_t full_ = 0;  // as ScanRecord has it
  std::priority_queue<Answer> under_way_;
  std::map<std::string, int> rows_;
  std::mt19937 random_{7};
  double now_ = 0;
};

void Check(const std::string& name, SimulatedTable& table, const Scan& scan) {
  EXPECT_EQ(scan.rows().size(), table.entities) << name;
  EXPECT_TRUE(std::all_of(scan.rows().begin(), scan.rows().end(), [](const auto& row) {
    return row.second == 1;
  })) << name;
}

TEST(ScanSplitterTest, FastWithFewRequests) {
  // The limits for a table of any form. Uneven partitions of a few pages need more.
  struct Limits {
    double times;
    double requests;
  };
  const std::map<std::string, Limits> exceptions = {{"names, Zipf", {6, 1.2}},
                                                    {"composite", {5.9, 1.25}}};
  constexpr size_t kPages = 300;
  for (auto& [name, table] : KeyedTables(kPages * 40)) {
    table.page = 40;
    Scan scan(table, 8);
    scan.Run();
    Check(name, table, scan);
    const auto exception = exceptions.find(name);
    const Limits limits = exception == exceptions.end() ? Limits{6.4, 1.12} : exception->second;
    EXPECT_GE(20.0 * kPages / scan.ms(), limits.times) << name;
    EXPECT_LE(static_cast<double>(scan.requests()) / kPages, limits.requests) << name;
  }
}

// A scan by 8 chains after one of the table as it was earlier.
void CheckNext(const std::string& name, SimulatedTable& table, SimulatedTable& earlier,
               double times, double requests) {
  Scan first(earlier, 8);
  first.Run();
  Scan next(table, 8);
  next.Run(first.known());
  Check(name, table, next);
  double pages = 0;
  for (size_t i = 0; i < table.entities; ++i) {
    pages += static_cast<double>(table.size ? table.size(i) : 1) / static_cast<double>(table.page);
  }
  EXPECT_GE(20 * pages / next.ms(), times) << name;
  EXPECT_LE(static_cast<double>(next.requests()) / pages, requests) << name;
}

// Each cut is at a key that ends a page, so hardly a page is read in two parts.
TEST(ScanSplitterTest, FasterWithKnownKeys) {
  for (auto& [name, table] : KeyedTables(12'000)) {
    table.page = 40;
    CheckNext(name, table, table, 7.4, 1.03);
  }
}

// A page with a part of the entities of another one takes as much time.
TEST(ScanSplitterTest, KnownKeysOfEntitiesOfDifferentSizes) {
  constexpr size_t kSmall = 6'000;
  for (auto& [name, table] : KeyedTables(8'000)) {
    table.page = 160;
    table.size = [](size_t entity) { return entity < kSmall ? 1 : 16; };
    CheckNext(name, table, table, 7.0, 1.1);
  }
}

// The table had a tenth of its entities when the keys were seen. Every second one had other keys.
TEST(ScanSplitterTest, OutdatedKeys) {
  auto small = KeyedTables(1'200);
  auto large = KeyedTables(12'000);
  for (size_t i = 0; i < large.size(); ++i) {
    SimulatedTable& earlier = small[i % 2 == 0 ? i : (i + 1) % small.size()].table;
    earlier.page = large[i].table.page = 40;
    CheckNext(large[i].name, large[i].table, earlier, 5.8, 1.25);
  }
}

TEST(ScanSplitterTest, SmallTables) {
  for (size_t pages = 1; pages <= 3; ++pages) {
    for (auto& [name, table] : KeyedTables(pages * 100)) {
      table.page = 100;
      Scan scan(table, 8);
      scan.Run();
      Check(name, table, scan);
      EXPECT_EQ(scan.requests(), pages) << name;
    }
  }
}

TEST(ScanSplitterTest, RangesWithoutKeys) {
  ScanSplitter splitter;
  const size_t same = splitter.Add({std::nullopt, "a", false, "a"});
  const size_t rising = splitter.Add({std::nullopt, "b", false, "c"});
  const size_t falling = splitter.Add({std::nullopt, "c", false, "b"});
  for (const size_t range : {falling, same, rising}) {
    splitter.End(range);
    EXPECT_TRUE(splitter.Ended(range));
  }
}

TEST(ScanSplitterTest, EarlyPages) {
  for (auto& [name, table] : KeyedTables(4'000)) {
    table.page = 70;
    table.empty_pages = 1;
    table.token_at_end = true;
    Scan scan(table, 5);
    scan.Run();
    Check(name, table, scan);
  }
}

TEST(ScanSplitterTest, KeysThatNoFilterHolds) {
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "\xE4\xB8\xAD";
  SimulatedTable table = TableOf(2'000, 10, Padded(wide, 3), Padded("", 1));
  table.page = 100;
  Scan scan(table, 8);
  scan.Run();
  Check("wide", table, scan);
  EXPECT_EQ(scan.requests(), 20U) << "one chain";
}

TEST(ScanSplitterTest, RandomTables) {
  std::mt19937 random(7);
  for (int i = 0; i < Rounds(600); ++i) {
    SimulatedTable table = RandomTable(random);
    Scan scan(table, 1 + random() % 16);
    scan.Run();
    Check("table " + std::to_string(i), table, scan);
  }
}

}  // namespace
}  // namespace aztables
