// Checks that the search for the last row finds the last entity: in few requests for many forms of
// keys, and for random tables with short pages, empty pages and additional tokens.
#include "table/last_row_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "support/random_tables.h"
#include "support/scripted_client.h"

namespace aztables {
namespace {

using support::KeyedTables;
using support::Padded;
using support::RandomTable;
using support::ScriptedClient;
using support::SimulatedTable;
using support::TableOf;

using Row = std::pair<std::string, std::string>;

std::string Shown(const std::vector<KeyPlace>& places) {
  if (places.empty()) return "onward";
  std::string shown;
  for (const KeyPlace& place : places) {
    if (!shown.empty()) shown += ' ';
    shown += place.partition + "/" + place.row.value_or("end");
  }
  return shown;
}

// Reports a page of these rows.
void Report(LastRowSearch& search, const std::vector<Row>& rows, bool more) {
  std::string body = R"({"value":[)";
  for (const auto& [partition, row] : rows) {
    if (body.back() == '}') body += ',';
    body.append(R"({"PartitionKey":")").append(partition);
    body.append(R"(","RowKey":")").append(row).append(R"("})");
  }
  EntityPage page({});
  ASSERT_TRUE(page.ReadQuery(body + "]}").ok());
  search.Report(page, more);
}

// A search of the pages of a table.
struct Searched {
  size_t requests = 1000;  // 1000: it missed the last entity
  size_t trips = 1000;     // requests that are sent at once count once
};

// `most`: the requests that may be sent at once.
Searched SearchAtOnce(SimulatedTable& table, size_t most) {
  table.sent.clear();
  table.filters.clear();
  ScriptedClient s(table.Handler());
  LastRowSearch search;
  EntityPage page({});
  EntityQuery query;
  query.table = "T";
  std::pair<Conjunction, ContinuationToken> last;  // of the last page that had entities
  size_t trips = 0;
  while (!search.done() && table.filters.size() < 500) {
    ++trips;
    auto places = search.Next(most);
    EXPECT_LE(places.size(), most);
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    const bool onward = places.empty();
    do {
      query.filter = onward ? last.first : *FilterFrom(places.back());
      ContinuationToken next = onward ? last.second : ContinuationToken();
      do {
        auto token = s.client.QueryPage(query, 0, next, s.options, page, s.cancel);
        if (!token.ok()) return {};
        next = std::move(*token);
      } while (page.size() == 0 && next);
      if (search.Report(page, static_cast<bool>(next))) last = {query.filter, next};
      if (!onward) places.pop_back();
    } while (!places.empty());
  }
  EXPECT_TRUE(table.problems.empty()) << table.problems.front();
  if (!search.done() || !table.sent.contains(table.entities - 1)) return {};
  return {table.filters.size(), trips};
}

size_t Search(SimulatedTable& table) { return SearchAtOnce(table, 1).requests; }

TEST(LastRowSearchTest, Places) {
  const std::vector<KeyPlace> places = {{"", ""},
                                        {"", "a"},
                                        {"", {}},
                                        {"a", ""},
                                        {"a", "z"},
                                        {"a", {}},
                                        {"b", ""},
                                        {"b", "\xF0\x90\x80\x80"},
                                        {"b", "\xEE\x80\x80"}};
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = 0; j < places.size(); ++j) EXPECT_EQ(places[i] < places[j], i < j);
  }
  EXPECT_EQ(FilterText(*FilterFrom({"o'", ""})), "PartitionKey ge 'o'''");
  EXPECT_EQ(FilterText(*FilterFrom({"a", {}})), "PartitionKey gt 'a'");
  EXPECT_EQ(FilterText(*FilterFrom({"a", "b"})), "PartitionKey eq 'a' and RowKey ge 'b'");
  EXPECT_EQ(FilterFrom({"\xED\xA0\xBD", ""}), std::nullopt);
  EXPECT_EQ(FilterFrom({"a", std::string(8'000, 'b')}), std::nullopt);
}

TEST(LastRowSearchTest, WithoutATokenItEnds) {
  LastRowSearch empty;
  EXPECT_EQ(Shown(empty.Next()), "onward");
  Report(empty, {}, false);
  EXPECT_TRUE(empty.done());

  LastRowSearch small;
  small.Next();
  Report(small, {{"a", "1"}, {"b", "1"}}, false);
  EXPECT_TRUE(small.done());
}

TEST(LastRowSearchTest, TheLastPartitionThenItsLastRow) {
  LastRowSearch search;
  search.Next();
  Report(search, {{"p", "000010"}, {"p", "000021"}, {"p", "000040"}}, true);
  EXPECT_EQ(Shown(search.Next()), "p/end") << "one partition was seen";
  EXPECT_FALSE(search.IsNear());
  Report(search, {}, false);
  EXPECT_EQ(Shown(search.Next()), "p/:") << "RowKeys of another form?";
  Report(search, {}, false);
  const auto rows = search.Next();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_GT(Shown(rows), "p/000040");
  EXPECT_LT(Shown(rows), "p/:");
  Report(search, {{"p", "970000"}, {"p", "980000"}, {"p", "990000"}}, true);
  EXPECT_TRUE(search.IsNear());
  EXPECT_EQ(Shown(search.Next()), "onward");
  EXPECT_FALSE(search.done());
  Report(search, {}, false);
  EXPECT_TRUE(search.done()) << "the token led to nothing";
}

TEST(LastRowSearchTest, AnotherFormOfKeys) {
  LastRowSearch search;
  search.Next();
  Report(search, {{"order-10", ""}, {"order-21", ""}}, true);
  EXPECT_EQ(Shown(search.Next()), "order-:/");
  Report(search, {{"user-0000", ""}, {"user-0001", ""}}, true);
  EXPECT_EQ(Shown(search.Next()), "user-:/") << "only the second form counts now";
  Report(search, {}, false);
  EXPECT_EQ(Shown(search.Next()).substr(0, 5), "user-");
}

// The page from a likely row, and some pages after it, before other guesses.
TEST(LastRowSearchTest, ALikelyRow) {
  LastRowSearch search;
  search.TryRow("000900");
  search.Next();
  Report(search, {{"p", "000010"}, {"p", "000021"}}, true);
  EXPECT_EQ(Shown(search.Next()), "p/end");
  Report(search, {}, false);
  EXPECT_EQ(Shown(search.Next()), "p/000900");
  Report(search, {{"p", "000900"}, {"p", "000902"}}, true);
  EXPECT_EQ(Shown(search.Next()), "onward");
  Report(search, {{"p", "000903"}, {"p", "000905"}}, true);
  EXPECT_EQ(Shown(search.Next()), "onward");
  Report(search, {{"p", "000906"}, {"p", "000907"}}, true);
  EXPECT_EQ(Shown(search.Next()), "p/:") << "the partition is larger";

  LastRowSearch small({"p", "", false, std::nullopt}, true);
  small.TryRow("000900");
  small.Next();
  Report(small, {{"p", "000010"}, {"p", "000021"}}, true);
  EXPECT_EQ(Shown(small.Next()), "p/000900");
  Report(small, {}, false);
  const std::string row = Shown(small.Next());
  EXPECT_GT(row, "p/000021");
  EXPECT_LT(row, "p/000900") << "the partition is smaller";

  LastRowSearch outside({"p", "", false, "000500"}, true);
  outside.TryRow("000900");
  outside.Next();
  Report(outside, {{"p", "000010"}, {"p", "000021"}}, true);
  EXPECT_NE(Shown(outside.Next()), "p/000900") << "it is behind the span";
}

TEST(LastRowSearchTest, FewRequests) {
  // The limit for tables of any form. Two forms need more in a large table: dates use few of the
  // two-digit numbers, and composite keys few of all texts.
  const std::map<size_t, size_t> limits = {{2'000, 8}, {5'000, 11}, {30'000, 15}, {1'000'000, 20}};
  const std::map<std::string, size_t> large = {{"dates", 40}, {"composite", 65}};
  for (const auto& [entities, limit] : limits) {
    for (auto& [name, table] : KeyedTables(entities)) {
      const auto exception = large.find(name);
      const bool excepted = entities == 1'000'000 && exception != large.end();
      EXPECT_LE(Search(table), excepted ? exception->second : limit) << name << ", " << entities;
    }
  }
}

// If a table is large, guesses at once save round trips. A small table has none.
TEST(LastRowSearchTest, SeveralGuessesAtOnce) {
  for (auto& [name, table] : KeyedTables(1'000'000)) {
    const bool exception = name == "dates" || name == "composite";
    const Searched several = SearchAtOnce(table, 3);
    EXPECT_LE(several.trips, exception ? 45U : 13U) << name;
    EXPECT_LE(several.requests, exception ? 90U : 30U) << name;
  }
  for (const size_t pages : {2U, 5U}) {
    for (auto& [name, table] : KeyedTables(pages * 1'000)) {
      const size_t one_by_one = Search(table);
      EXPECT_EQ(SearchAtOnce(table, 3).requests, one_by_one) << name << ", " << pages;
    }
  }
}

TEST(LastRowSearchTest, EarlyPages) {
  for (auto& [name, table] : KeyedTables(5'000)) {
    table.page = 300;
    table.empty_pages = 1;
    table.token_at_end = true;
    EXPECT_LE(Search(table), 60U) << name;
  }
}

TEST(LastRowSearchTest, KeysThatNoFilterHolds) {
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "\xE4\xB8\xAD";
  SimulatedTable partitions = TableOf(5'000, 10, Padded(wide, 3), Padded("", 1));
  EXPECT_EQ(Search(partitions), 5U) << "only tokens lead on";
  SimulatedTable rows = TableOf(5'000, 5'000, Padded("p", 1), Padded(wide, 4));
  EXPECT_LE(Search(rows), 8U);
}

TEST(LastRowSearchTest, RandomTables) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    SimulatedTable table = RandomTable(random);
    EXPECT_LT(SearchAtOnce(table, 1 + random() % 4).requests, 500U) << "table " << i;
  }
}

}  // namespace
}  // namespace aztables
