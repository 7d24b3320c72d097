// Checks the rules for the pages of a query: keys rise in the service's order within and across
// pages, and none of the last 100 continuation tokens repeats. Streams, samples and lists of tables
// apply them.
#include "table/page_sequence.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "odata/json_writer.h"
#include "support/scripted_client.h"
#include "table/page_stream.h"
#include "table/table_sample.h"

namespace aztables {
namespace {

using support::Everything;
using support::MakeResponse;
using support::ScriptedClient;

using Key = std::pair<std::string, std::string>;
using Keys = std::vector<Key>;

std::string Body(const Keys& keys) {
  std::string body = R"({"value":[)";
  for (const auto& [partition_key, row_key] : keys) {
    if (body.back() != '[') body += ',';
    AppendEntityJson(body, partition_key, row_key, "{}");
  }
  return body + "]}";
}

Response KeyPage(const Keys& keys, const std::string& next = "") {
  Response response = MakeResponse(200, Body(keys));
  if (!next.empty()) response.headers.Add("x-ms-continuation-NextPartitionKey", next);
  return response;
}

struct Outcomes {
  Keys keys;
  std::string error;
  size_t requests = 0;
};

Outcomes ReadAll(std::vector<Outcome> pages, bool cosmos = false) {
  ServiceEndpoint endpoint = support::EmulatorEndpoint();
  endpoint.cosmos = cosmos;
  ScriptedClient s(std::move(pages), endpoint);
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  Outcomes read;
  for (;;) {
    const auto more = stream.NextPage(s.cancel);
    read.requests = s.transport.requests().size();
    if (!more.ok()) {
      EXPECT_EQ(more.status().code(), Code::kError);
      EXPECT_EQ(stream.page().size(), 0U) << "nothing of a page that is refused is given out";
      read.error = more.status().message();
    }
    if (!more.ok() || !*more) return read;
    for (size_t row = 0; row < stream.page().size(); ++row) {
      read.keys.emplace_back(stream.page().At(row, EntityPage::kPartitionKey).view(),
                             stream.page().At(row, EntityPage::kRowKey).view());
    }
  }
}

TEST(PageSequenceTest, RisingKeysOfAnyForm) {
  const std::string astral = "\xF0\x90\x80\x80";  // U+10000
  const std::string high = "\xEE\x80\x80";        // U+E000
  const Outcomes read =
      ReadAll({KeyPage({{"", ""}, {"", "a"}}, "1"), KeyPage({}, "2"),
               KeyPage({{"B", "z"}, {"a", ""}, {"a", astral}, {"a", high}}, "3"),
               KeyPage({{"a", high + "a"}, {"aa", ""}, {astral, ""}, {high, "b"}})});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.keys.size(), 10U);
}

// Every pair that does not rise is an error, on one page and across pages.
TEST(PageSequenceTest, KeysThatDoNotRise) {
  const std::string astral = "\xF0\x90\x80\x80";
  const std::string high = "\xEE\x80\x80";
  const std::vector<std::pair<Key, Key>> pairs = {
      {{"p", "2"}, {"p", "1"}},    {{"p", "1"}, {"p", "1"}}, {{"p", "1"}, {"p", ""}},
      {{"p2", "1"}, {"p1", "9"}},  {{"p", "a"}, {"p", "B"}}, {{"p", "10"}, {"p", "1"}},
      {{"p", high}, {"p", astral}}};
  for (const auto& [first, second] : pairs) {
    const Outcomes one = ReadAll({KeyPage({{"", ""}, first, second})});
    const Outcomes two =
        ReadAll({KeyPage({{"", ""}, first}, "a"), KeyPage({}, "b"), KeyPage({second})});
    EXPECT_EQ(one.keys.size(), 0U);
    EXPECT_EQ(two.keys.size(), 2U);
    for (const Outcomes& read : {one, two}) {
      EXPECT_TRUE(read.error.starts_with(
          "reading table T (connection 'demo') failed: the service sent the entity PartitionKey='" +
          second.first + "', RowKey='" + second.second + "' after the entity PartitionKey='" +
          first.first + "', RowKey='" + first.second + "', but "))
          << read.error;
      EXPECT_NE(read.error.find("check the endpoint http://127.0.0.1:10002/devstoreaccount1"),
                std::string::npos);
    }
  }
}

TEST(PageSequenceTest, CosmosKeepsNoOrder) {
  const Outcomes read =
      ReadAll({KeyPage({{"p", "2"}, {"p", "1"}}, "a"), KeyPage({{"a", "1"}})}, true);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.keys.size(), 3U);
}

// A circle of `length` pages after two pages outside of it.
Outcomes Circle(size_t length, bool cosmos) {
  std::vector<Outcome> pages = {KeyPage({{"p", "1"}}, "first"), KeyPage({}, "second")};
  for (size_t i = 0; i <= length; ++i) {
    pages.emplace_back(KeyPage({}, "token" + std::to_string(i % length)));
  }
  pages.emplace_back(KeyPage({{"p", "2"}}));
  return ReadAll(std::move(pages), cosmos);
}

TEST(PageSequenceTest, CirclesOfTokens) {
  for (const size_t length : {1U, 2U, 3U, 99U, 100U}) {
    for (const bool cosmos : {false, true}) {
      const Outcomes read = Circle(length, cosmos);
      EXPECT_EQ(read.requests, length + 3);
      EXPECT_NE(read.error.find("sent the same continuation token twice"), std::string::npos)
          << length << ": " << read.error;
    }
  }
  EXPECT_EQ(Circle(101, false).error, "") << "what is forgotten is new";
}

TEST(PageSequenceTest, ManyTokensAreNoCircle) {
  std::vector<Outcome> pages;
  for (size_t i = 0; i < 1'000; ++i) pages.emplace_back(KeyPage({}, std::to_string(i)));
  pages.emplace_back(KeyPage({{"p", "1"}}));
  EXPECT_EQ(ReadAll(std::move(pages)).keys.size(), 1U);
}

// The two halves of a token are separate.
TEST(PageSequenceTest, BothHalvesMakeTheToken) {
  const auto page = [](const std::string& partition, const std::string& row) {
    Response response = MakeResponse(200, Body({}));
    response.headers.Add("x-ms-continuation-NextPartitionKey", partition);
    response.headers.Add("x-ms-continuation-NextRowKey", row);
    return response;
  };
  const Outcomes read = ReadAll(
      {page("a", "1"), page("a", "2"), page("b", "1"), KeyPage({}, "a"), KeyPage({{"p", "1"}})});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.requests, 5U);
}

TEST(PageSequenceTest, ASampleIsHeldToIt) {
  for (const auto& pages : std::vector<std::vector<Outcome>>{
           {KeyPage({{"p", "2"}, {"p", "1"}})},
           {KeyPage({}, "a"), KeyPage({}, "b"), KeyPage({}, "a"), KeyPage({{"p", "1"}})}}) {
    ScriptedClient s(pages);
    const Status status = SampleTable(s.client, "T", s.options, s.cancel).status();
    EXPECT_EQ(status.code(), Code::kError);
    EXPECT_TRUE(status.message().starts_with("reading table T (connection 'demo') failed: "))
        << status.message();
  }
}

// The pages of a circle are consecutive.
TEST(PageSequenceTest, AListOfTablesIsHeldToIt) {
  const auto page = [](const std::string& next) {
    Response response = MakeResponse(200, R"({"value":[]})");
    response.headers.Add("x-ms-continuation-NextTableName", next);
    return response;
  };
  ScriptedClient s(std::vector<Outcome>{page("a"), page("b"), page("c"), page("a"), page("b")});
  const Status status = s.client.ListTables(s.options, s.cancel).status();
  EXPECT_NE(status.message().find("sent the same continuation token twice"), std::string_view::npos)
      << status.message();
  EXPECT_EQ(s.transport.requests().size(), 4U);
}

}  // namespace
}  // namespace aztables
