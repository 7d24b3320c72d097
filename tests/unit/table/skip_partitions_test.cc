// Checks reads of one entity per partition: the number of requests, completeness, and cases in
// which they cannot skip.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/scripted_client.h"
#include "support/utf16_table.h"
#include "table/page_stream.h"

namespace aztables {
namespace {

using support::Everything;
using support::MakeResponse;
using support::ScriptedClient;
using support::Utf16Table;

std::vector<Utf16Table::Key> NumberedKeys(int partitions, int rows,
                                          const std::string& prefix = "p") {
  std::vector<Utf16Table::Key> keys;
  for (int p = 0; p < partitions; ++p) {
    for (int r = 0; r < rows; ++r) {
      keys.emplace_back(prefix + std::to_string(100 + p), std::to_string(1000 + r));
    }
  }
  return keys;
}

std::set<std::string> Partitions(ScriptedClient& s, PageStream& stream) {
  std::set<std::string> partitions;
  for (;;) {
    const auto more = stream.NextPage(s.cancel);
    EXPECT_TRUE(more.ok()) << more.status().message();
    if (!more.ok() || !*more) return partitions;
    for (size_t row = 0; row < stream.page().size(); ++row) {
      partitions.emplace(stream.page().At(row, EntityPage::kPartitionKey).view());
    }
  }
}

size_t Requests(Utf16Table& table, size_t partitions, EntityQuery query = Everything()) {
  ScriptedClient s(table.Handler());
  PageStream stream(&s.client, std::move(query), {}, 0, s.options);
  stream.SkipPartitions();
  EXPECT_EQ(Partitions(s, stream).size(), partitions);
  return table.requests;
}

TEST(SkipPartitionsTest, OneRequestForEachLargePartition) {
  Utf16Table table(NumberedKeys(20, 30), 1);
  table.page = 10;
  EXPECT_EQ(Requests(table, 20), 21U) << "and one that finds nothing behind the last";
  EXPECT_EQ(table.filters[0], "");
  EXPECT_EQ(table.filters[1], "PartitionKey gt 'p100'");
  EXPECT_EQ(table.filters[20], "PartitionKey gt 'p119'");
}

TEST(SkipPartitionsTest, APageOfSmallOnesIsSkippedAtItsLast) {
  Utf16Table table(NumberedKeys(20, 3), 1);
  table.page = 10;
  EXPECT_EQ(Requests(table, 20), 6U) << "four of them on a page";
  EXPECT_EQ(table.filters[1], "PartitionKey gt 'p103'");
}

TEST(SkipPartitionsTest, NothingIsAskedForBehindTheLastPage) {
  Utf16Table table(NumberedKeys(20, 3), 1);
  EXPECT_EQ(Requests(table, 20), 1U);
  Utf16Table none({}, 1);
  EXPECT_EQ(Requests(none, 0), 1U);
}

TEST(SkipPartitionsTest, OnePartitionIsOnePage) {
  Utf16Table table(NumberedKeys(20, 30), 1);
  table.page = 10;
  EntityQuery query = Everything();
  query.filter = {{"PartitionKey", CompareOp::kEq, Value::String("p105")}};
  EXPECT_EQ(Requests(table, 1, query), 1U);
}

TEST(SkipPartitionsTest, TheConditionsStay) {
  Utf16Table table(NumberedKeys(20, 30), 1);
  table.page = 10;
  EntityQuery query = Everything();
  query.filter = {{"PartitionKey", CompareOp::kGe, Value::String("p105")},
                  {"PartitionKey", CompareOp::kLt, Value::String("p110")}};
  EXPECT_EQ(Requests(table, 5, query), 6U);
  EXPECT_EQ(table.filters[1],
            "PartitionKey ge 'p105' and PartitionKey lt 'p110' and PartitionKey gt 'p105'");
  EXPECT_EQ(table.filters[2],
            "PartitionKey ge 'p105' and PartitionKey lt 'p110' and PartitionKey gt 'p106'");
}

TEST(SkipPartitionsTest, EmptyPagesAreFollowedByTheirTokens) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    Utf16Table table(NumberedKeys(7, 5), seed);
    table.page = 4;
    table.random_pages = true;
    Requests(table, 7);
  }
}

// If a key would make the address too long, its partition is read completely.
TEST(SkipPartitionsTest, LongKeysAreReadThrough) {
  std::string prefix;
  for (int i = 0; i < 400; ++i) prefix += "\xC3\xA9";  // 2400 characters in an address
  Utf16Table table(NumberedKeys(3, 30, prefix), 1);
  table.page = 10;
  EXPECT_EQ(Requests(table, 3), 9U);
  for (const std::string& filter : table.filters) EXPECT_EQ(filter, "");
}

// After a token with one half the next request has a filter and no token.
TEST(SkipPartitionsTest, TokensOfOneHalf) {
  for (const bool partition : {false, true}) {
    for (const bool row : {false, true}) {
      Response first = MakeResponse(200, R"({"value":[{"PartitionKey":"it's","RowKey":"1"}]})");
      if (partition) first.headers.Add("x-ms-continuation-NextPartitionKey", "a");
      if (row) first.headers.Add("x-ms-continuation-NextRowKey", "b");
      ScriptedClient s(std::vector<Outcome>{first, MakeResponse(200, R"({"value":[]})")});
      PageStream stream(&s.client, Everything(), {}, 0, s.options);
      stream.SkipPartitions();
      EXPECT_EQ(Partitions(s, stream).size(), 1U);
      if (!partition && !row) {
        EXPECT_EQ(s.transport.requests().size(), 1U);
        continue;
      }
      ASSERT_EQ(s.transport.requests().size(), 2U);
      EXPECT_EQ(s.request(1).query, "$filter=PartitionKey%20gt%20%27it%27%27s%27");
    }
  }
}

// The caller's knowledge after a page affects the next one.
TEST(SkipPartitionsTest, NothingIsSkippedAnyMoreOnceItMatters) {
  Utf16Table table(NumberedKeys(4, 30), 1);
  table.page = 10;
  ScriptedClient s(table.Handler());
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  bool matters = false;
  stream.SkipPartitions(&matters);
  ASSERT_TRUE(*stream.NextPage(s.cancel));
  ASSERT_TRUE(*stream.NextPage(s.cancel));
  EXPECT_EQ(stream.page().At(0, EntityPage::kPartitionKey).view(), "p101");
  matters = true;
  EXPECT_EQ(Partitions(s, stream).size(), 3U);
  EXPECT_EQ(table.requests, 10U) << "one of p100, three of each other";
}

TEST(SkipPartitionsTest, AServiceThatHeedsNoFilterIsAnError) {
  Response same = MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":"1"}]})");
  same.headers.Add("x-ms-continuation-NextPartitionKey", "a");
  ScriptedClient s(std::vector<Outcome>{same, same, same});
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  stream.SkipPartitions();
  EXPECT_TRUE(*stream.NextPage(s.cancel));
  const Status status = stream.NextPage(s.cancel).status();
  EXPECT_EQ(status.code(), Code::kError);
  EXPECT_NE(status.message().find("ascending order of their keys"), std::string::npos);
}

TEST(SkipPartitionsTest, WithoutItEveryPageIsRead) {
  Utf16Table table(NumberedKeys(20, 30), 1);
  table.page = 10;
  ScriptedClient s(table.Handler());
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  EXPECT_EQ(Partitions(s, stream).size(), 20U);
  EXPECT_EQ(table.requests, 60U);
}

}  // namespace
}  // namespace aztables
