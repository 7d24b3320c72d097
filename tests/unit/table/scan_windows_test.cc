// Checks that a scan in order by windows returns each entity once and in order, that it is fast,
// sends few additional requests and keeps few pages, for many forms of keys.
#include "table/scan_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
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
using support::RandomTable;
using support::Rounds;
using support::ScriptedClient;
using support::SimulatedTable;

std::string KeyOf(std::string_view partition, std::string_view row) {
  return std::string(partition) + "/" + std::string(row);
}

// A scan by several chains of pages, in simulated time. Its rows are used as soon as they come.
class WindowedScan {
 public:
  WindowedScan(SimulatedTable& table, size_t chains)
      : table_(table), client_(table.Handler()), most_(chains), windows_(chains) {
    table_.filters.clear();
    windows_.Add({});
  }

  void Run() {
    Send();
    while (!under_way_.empty()) {
      const Answer answer = under_way_.top();
      under_way_.pop();
      now_ = std::max(now_ + 1, answer.at);  // a page costs 1 ms
      Take(answer.window);
      Use();
      Send();
    }
    EXPECT_TRUE(windows_.empty());
    EXPECT_TRUE(table_.problems.empty()) << table_.problems.front();
  }

  void Check(const std::string& name) const {
    std::vector<std::string> expected;
    for (size_t n = 0; n < table_.entities; ++n) {
      const size_t partition = table_.PartitionOf(n);
      expected.push_back(
          KeyOf(table_.partition_key(partition), table_.row_key(n - table_.Begin(partition))));
    }
    EXPECT_TRUE(rows_ == expected) << name;
    EXPECT_LE(most_pages_, ScanWindows::MostPages(most_) + 1) << name;
  }

  size_t requests() const { return table_.filters.size(); }
  double ms() const { return now_; }
  int dropped() const { return dropped_; }

 private:
  struct Answer {
    double at;
    size_t window;
    bool operator<(const Answer& other) const { return at > other.at; }
  };
  struct Chain {
    EntityQuery query;
    ContinuationToken next;
    std::deque<std::vector<std::string>> pages;
  };

  void Send() {
    while (under_way_.size() < most_) {
      const auto step = windows_.Next();
      if (!step) return;
      if (step->drop) {
        Drop(step->window);
        continue;
      }
      Chain& chain = chains_[step->window];
      chain.query.table = "T";
      if (!chain.next) chain.query.filter = *FilterOf(windows_.SpanOf(step->window));
      under_way_.push(
          {now_ + 18 + std::exponential_distribution<double>(0.5)(random_), step->window});
      most_pages_ = std::max(most_pages_, pages_ + under_way_.size());
    }
  }

  void Drop(size_t window) {
    ++dropped_;
    for (size_t n = chains_[window].pages.size(); n > 0; --n) Return(window);
    chains_.erase(window);
  }

  void Return(size_t window) {
    windows_.Return(window);
    --pages_;
  }

  void Take(size_t window) {
    Chain& chain = chains_[window];
    auto token = client_.client.QueryPage(chain.query, 0, chain.next, client_.options, page_,
                                          client_.cancel);
    ASSERT_TRUE(token.ok()) << token.status().message();
    const RowsOfSpan rows = windows_.Report(window, page_, static_cast<bool>(*token));
    chain.next = std::move(*token);
    if (rows.begin == rows.end) return;
    ++pages_;
    std::vector<std::string>& keys = chain.pages.emplace_back();
    for (size_t row = rows.begin; row < rows.end; ++row) {
      keys.push_back(KeyOf(page_.At(row, EntityPage::kPartitionKey).view(),
                           page_.At(row, EntityPage::kRowKey).view()));
    }
  }

  void Use() {
    while (!windows_.empty()) {
      const size_t front = windows_.front();
      for (const auto& keys : chains_[front].pages) {
        rows_.insert(rows_.end(), keys.begin(), keys.end());
        Return(front);
      }
      chains_[front].pages.clear();
      if (!windows_.Ended(front)) return;
      windows_.RemoveFront();
    }
  }

  SimulatedTable& table_;
  ScriptedClient client_;
  size_t most_;
  ScanWindows windows_;
  EntityPage page_{{}};
  std::map<size_t, Chain> chains_;
  std::priority_queue<Answer> under_way_;
  std::vector<std::string> rows_;
  std::mt19937 random_{7};
  double now_ = 0;
  size_t pages_ = 0;       // in memory
  size_t most_pages_ = 0;  // in memory or under way
  int dropped_ = 0;
};

constexpr double kLatency = 20;

TEST(ScanWindowsTest, FastWithFewRequests) {
  // Partitions of a few pages, uneven ones, and keys with large gaps.
  const std::map<std::string, double> slower = {
      {"names, Zipf", 1.3}, {"composite", 1.5}, {"dates", 2.5}, {"most in one partition", 3}};
  constexpr size_t kPages = 300;
  int dropped = 0;
  for (auto& [name, table] : KeyedTables(kPages * 50)) {
    table.page = 50;
    WindowedScan scan(table, 8);
    scan.Run();
    scan.Check(name);
    const auto exception = slower.find(name);
    EXPECT_GE(kLatency * kPages / scan.ms(), exception == slower.end() ? 4.5 : exception->second)
        << name;
    EXPECT_LE(static_cast<double>(scan.requests()) / kPages, 1.6) << name;
    dropped += scan.dropped();
  }
  EXPECT_GT(dropped, 0);
}

TEST(ScanWindowsTest, TwoChainsAreNotSlowerThanOne) {
  constexpr size_t kPages = 200;
  for (auto& [name, table] : KeyedTables(kPages * 50)) {
    table.page = 50;
    WindowedScan scan(table, 2);
    scan.Run();
    scan.Check(name);
    EXPECT_LE(scan.ms(), kLatency * kPages / 0.95) << name;
    EXPECT_LE(static_cast<double>(scan.requests()) / kPages, 1.6) << name;
  }
}

TEST(ScanWindowsTest, SmallTables) {
  for (size_t pages = 1; pages <= 3; ++pages) {
    for (auto& [name, table] : KeyedTables(pages * 100)) {
      table.page = 100;
      WindowedScan scan(table, 8);
      scan.Run();
      scan.Check(name);
      EXPECT_EQ(scan.requests(), pages) << name;
    }
  }
}

TEST(ScanWindowsTest, EarlyPages) {
  for (auto& [name, table] : KeyedTables(4'000)) {
    table.page = 70;
    table.empty_pages = 1;
    table.token_at_end = true;
    WindowedScan scan(table, 5);
    scan.Run();
    scan.Check(name);
  }
}

TEST(ScanWindowsTest, RandomTables) {
  std::mt19937 random(7);
  for (int i = 0; i < Rounds(500); ++i) {
    SimulatedTable table = RandomTable(random);
    WindowedScan scan(table, 1 + random() % 16);
    scan.Run();
    scan.Check("table " + std::to_string(i));
  }
}

}  // namespace
}  // namespace aztables
