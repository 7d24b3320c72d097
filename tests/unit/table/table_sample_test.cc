// Checks a sample's requests and results: counts, errors, empty pages with tokens, unusual keys. In
// random tables nothing is counted twice, and an incomplete sample is never complete.
// table_sample_shapes_test.cc checks the regions.
#include "table/table_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/key.h"
#include "support/key_forms.h"
#include "support/scripted_client.h"
#include "support/simulated_table.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::MakeResponse;
using support::NoResponse;
using support::Padded;
using support::ScriptedClient;
using support::SimulatedTable;

constexpr char kNextPartitionKey[] = "x-ms-continuation-NextPartitionKey";

Result<TableSample> Sample(ScriptedClient& s) {
  return SampleTable(s.client, "T", s.options, s.cancel);
}

SimulatedTable Numbered(size_t entities, size_t per_partition) {
  SimulatedTable table;
  table.entities = entities;
  table.per_partition = per_partition;
  table.partition_key = Padded("p", 6);
  table.row_key = Padded("", 6);
  table.members = [](size_t) { return std::string(R"(,"A":1)"); };
  return table;
}

// Samples a simulated table and checks the rules for all samples.
TableSample SampleOf(SimulatedTable& table) {
  table.sent.clear();
  table.filters.clear();
  ScriptedClient s(table.Handler());
  const auto sample = Sample(s);
  EXPECT_TRUE(sample.ok()) << sample.status().message();
  if (!sample.ok()) return {};
  EXPECT_EQ(sample->entities, table.sent.size());
  // After a page with a token there may be no further entity.
  EXPECT_TRUE(!sample->complete || table.sent.size() == table.entities);
  EXPECT_EQ(static_cast<size_t>(sample->requests), table.filters.size());
  EXPECT_LE(sample->requests, kMaxSampleRequests);
  EXPECT_TRUE(table.problems.empty()) << table.problems.front();
  return *sample;
}

TEST(TableSampleTest, AnEmptyTable) {
  ScriptedClient s(std::vector<Outcome>{MakeResponse(200, R"({"value":[]})")});
  const auto sample = Sample(s);
  ASSERT_TRUE(sample.ok());
  EXPECT_EQ(sample->entities, 0U);
  EXPECT_EQ(sample->requests, 1);
  EXPECT_TRUE(sample->complete);
  EXPECT_TRUE(sample->properties.empty());
  EXPECT_EQ(s.request(0).query, "") << "neither $top nor $select";
  EXPECT_EQ(s.request(0).label.kind, "table scan");
}

TEST(TableSampleTest, CountsTypes) {
  ScriptedClient s(std::vector<Outcome>{MakeResponse(200, R"({"value":[
      {"PartitionKey":"p","RowKey":"1","A":1,"B":null,"C@odata.type":"Edm.Binary","C":"AQI="},
      {"PartitionKey":"p","RowKey":"2","D":"d","A@odata.type":"Edm.Int64","A":"2"},
      {"PartitionKey":"p","RowKey":"3","D":true,"A@odata.type":"Edm.Int64","A":"3"},
      {"PartitionKey":"p","RowKey":"4","A@odata.type":"Edm.Int32","A":"x"}]})")});
  const auto sample = Sample(s);
  ASSERT_TRUE(sample.ok());
  EXPECT_EQ(sample->entities, 4U);
  EXPECT_TRUE(sample->complete);
  const auto& properties = sample->properties;
  ASSERT_EQ(properties.size(), 3U);
  EXPECT_EQ(properties[0].name, "A");
  EXPECT_EQ(properties[0].entities, 4U);
  using Types = std::vector<std::pair<EdmType, size_t>>;
  EXPECT_EQ(properties[0].types,
            (Types{{EdmType::kInt64, 2}, {EdmType::kInt32, 1}, {EdmType::kNull, 1}}));
  EXPECT_EQ(properties[0].example, "1");
  EXPECT_EQ(properties[1].name, "D");
  EXPECT_EQ(properties[2].name, "C");
  EXPECT_EQ(properties[2].example, "x'0102'");
}

TEST(TableSampleTest, ErrorsPassThrough) {
  ScriptedClient missing(
      std::vector<Outcome>{ErrorResponse(404, "TableNotFound", "No such table.")});
  EXPECT_EQ(Sample(missing).status().code(), Code::kNotFound);

  SimulatedTable table = Numbered(100'000, 1);
  for (int good = 1; good < kMaxSampleRequests; ++good) {
    int left = good;
    ScriptedClient s([&](const Request& request) {
      if (left-- > 0) return table.Handler()(request);
      return support::ScriptedReply{NoResponse(false)};
    });
    const auto sample = Sample(s);
    EXPECT_EQ(sample.status().code(), Code::kBusy) << good;
    EXPECT_EQ(s.transport.requests().size(), static_cast<size_t>(good) + 1);
  }

  ScriptedClient shape(
      std::vector<Outcome>{MakeResponse(200, R"({"value":[{"PartitionKey":"p"}]})")});
  const auto refused = Sample(shape);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("reading table T"), std::string_view::npos);
}

TEST(TableSampleTest, CanBeInterrupted) {
  SimulatedTable table = Numbered(100'000, 1);
  ScriptedClient s(table.Handler());
  s.cancel = Cancel([&] { return table.filters.size() >= 3; });
  EXPECT_EQ(Sample(s).status().code(), Code::kInterrupt);
  EXPECT_EQ(table.filters.size(), 3U);
}

TEST(TableSampleTest, EmptyPagesAreFollowedWithinTheRequests) {
  for (const int empty : {1, 2, 3, 9, 12}) {
    for (const size_t entities : {1U, 1000U, 2500U, 100'000U}) {
      for (const size_t per_partition : {1U, 700U, 100'000U}) {
        SimulatedTable table = Numbered(entities, per_partition);
        table.empty_pages = empty;
        const TableSample sample = SampleOf(table);
        EXPECT_EQ(sample.complete && entities == 1, entities == 1 && empty <= 9);
        EXPECT_EQ(sample.entities > 0, empty <= 9);
      }
    }
  }
}

TEST(TableSampleTest, ATokenThatLeadsToItselfIsRefused) {
  Response page = MakeResponse(200, R"({"value":[]})");
  page.headers.Add(kNextPartitionKey, "a");
  ScriptedClient s(std::vector<Outcome>(5, page));
  const auto sample = Sample(s);
  ASSERT_FALSE(sample.ok());
  EXPECT_NE(sample.status().message().find("continuation token"), std::string_view::npos);
  EXPECT_EQ(s.transport.requests().size(), 2U);
}

TEST(TableSampleTest, ATokenMayLeadToNothing) {
  for (const size_t per_partition : {1U, 10U, 1000U, 5000U}) {
    for (const size_t entities : {1000U, 2000U, 5000U, 50'000U}) {
      SimulatedTable table = Numbered(entities, per_partition);
      table.token_at_end = true;
      SampleOf(table);
    }
  }
}

bool HasProperty(const TableSample& sample, std::string_view name) {
  return std::any_of(sample.properties.begin(), sample.properties.end(),
                     [&](const PropertyUse& use) { return use.name == name; });
}

TEST(TableSampleTest, ALargePartitionAmongSmallOnes) {
  // The large one begins on the first page; only its second half has the property.
  for (const size_t large : {300U, 500U, 700U}) {
    SimulatedTable table = Numbered(20'000, 1);
    for (size_t p = 0; p <= large; ++p) table.starts.push_back(p);
    for (size_t p = large + 10'000; p < table.entities; ++p) table.starts.push_back(p);
    table.members = [&](size_t n) {
      return std::string(n >= large + 5'000 && n < large + 10'000 ? R"(,"Late":1)" : "");
    };
    EXPECT_TRUE(HasProperty(SampleOf(table), "Late")) << large << "\n" << table.filters.back();
  }
}

TEST(TableSampleTest, CosmosIsReadByToken) {
  SimulatedTable table = Numbered(100'000, 1);
  ServiceEndpoint endpoint = support::EmulatorEndpoint();
  endpoint.cosmos = true;  // its keys have no order
  ScriptedClient s(table.Handler(), endpoint);
  const auto sample = Sample(s);
  ASSERT_TRUE(sample.ok());
  EXPECT_EQ(sample->entities, 10'000U);
  EXPECT_EQ(table.filters, std::vector<std::string>(10));
}

TEST(TableSampleTest, SmallTablesAreReadOnByToken) {
  SimulatedTable table = Numbered(3'500, 7);
  const TableSample sample = SampleOf(table);
  EXPECT_TRUE(sample.complete) << "1000 is no multiple of 7, yet no rest of a partition is left";
  EXPECT_LE(sample.requests, 8);
}

TEST(TableSampleTest, OverlongKeysAreNotSent) {
  // 1024 characters of three bytes: 9216 characters in an address.
  std::string wide;
  for (int i = 0; i < 1020; ++i) wide += "\xE4\xB8\xAD";
  SimulatedTable table = Numbered(50'000, 5'000);
  table.partition_key = Padded(wide, 3);
  SampleOf(table);
  for (const std::string& filter : table.filters) {
    EXPECT_LT(PercentEncode(filter).size(), 8'000U);
  }
  table = Numbered(50'000, 50'000);
  table.row_key = Padded(wide, 4);
  SampleOf(table);
}

TEST(TableSampleTest, RandomTables) {
  const std::vector<std::vector<std::string>> alphabets = {
      {"0", "1", "2", "9"},
      {"a", "e", "z", "-"},
      {"'", " ", "%", "&", "+", "~", "\xC3\xA9"},
      {"A", "a", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xA0", "\xF0\x9F\x98\x80"},
      {"http:", ".", "com", "org", "|"}};
  std::mt19937 random(5);
  const auto keys = [&](size_t count) {
    const auto& alphabet = alphabets[random() % alphabets.size()];
    const size_t most = 4 + random() % 5;
    std::vector<std::string> all(1);  // includes the empty key
    while (all.size() < count) {
      std::string key;
      for (size_t n = random() % most + 1; n > 0; --n) key += alphabet[random() % alphabet.size()];
      all.push_back(std::move(key));
      std::sort(all.begin(), all.end(),
                [](const auto& a, const auto& b) { return CompareKeys(a, b) < 0; });
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return all;
  };
  int complete = 0;
  for (int i = 0; i < 400; ++i) {
    const std::vector<std::string> partitions = keys(1 + random() % 60);
    const std::vector<std::string> rows = keys(1 + random() % 40);
    SimulatedTable table = Numbered(partitions.size() * rows.size(), rows.size());
    table.partition_key = [&](size_t n) { return partitions[n]; };
    table.row_key = [&](size_t n) { return rows[n]; };
    if (random() % 2 == 0) {  // partitions of any size
      table.entities = 0;
      for (size_t p = 0; p < partitions.size(); ++p) {
        table.starts.push_back(table.entities);
        table.entities += 1 + random() % rows.size();
      }
    }
    table.page = 1 + random() % 200;
    table.token_at_end = random() % 2 == 0;
    table.empty_pages = random() % 4 == 0 ? 1 : 0;
    const TableSample sample = SampleOf(table);
    complete += sample.complete ? 1 : 0;
    if (testing::Test::HasFailure()) {
      std::string all;
      for (const std::string& filter : table.filters) all += "[" + filter + "]\n";
      FAIL() << "table " << i << ", " << partitions.size() << " x " << rows.size()
             << " in pages of " << table.page << "\n"
             << all;
    }
  }
  EXPECT_GT(complete, 100);
  EXPECT_LT(complete, 390);
}

}  // namespace
}  // namespace aztables
