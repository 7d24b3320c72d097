// Checks the cached point responses of a statement: hits, responses that are not cached, the limit
// of memory, and lookups by streams.
#include "table/response_cache.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/scripted_client.h"
#include "table/page_stream.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::MakeResponse;
using support::ScriptedClient;

TEST(ResponseCacheTest, FindsWhatWasPut) {
  ResponseCache cache;
  EXPECT_EQ(cache.Find("a"), nullptr);
  cache.Put("a", "response", cache.generation());
  cache.Put("b", "", cache.generation());
  ASSERT_NE(cache.Find("a"), nullptr);
  EXPECT_EQ(*cache.Find("a"), "response");
  ASSERT_NE(cache.Find("b"), nullptr) << "that there is none is known, too";
  EXPECT_EQ(*cache.Find("b"), "");
  EXPECT_EQ(cache.Find("A"), nullptr);
  cache.Clear();
  EXPECT_EQ(cache.Find("a"), nullptr);
}

TEST(ResponseCacheTest, AnotherStatementBeginsAnew) {
  ResponseCache cache;
  cache.Enter(1);
  cache.Put("a", "response", cache.generation());
  cache.Enter(1);
  EXPECT_NE(cache.Find("a"), nullptr);
  cache.Enter(2);
  EXPECT_EQ(cache.Find("a"), nullptr);
  cache.Put("a", "other", cache.generation());
  cache.Enter(1);
  EXPECT_EQ(cache.Find("a"), nullptr);
}

TEST(ResponseCacheTest, WhatWasAskedForBeforeItWasClearedIsNotKept) {
  ResponseCache cache;
  cache.Enter(1);
  const int64_t asked = cache.generation();
  cache.Put("a", "one", asked);
  cache.Clear();
  cache.Put("b", "two", asked);
  EXPECT_EQ(cache.Find("b"), nullptr);
  const int64_t now = cache.generation();
  cache.Enter(2);
  cache.Put("c", "three", now);
  EXPECT_EQ(cache.Find("c"), nullptr) << "of another statement";
  cache.Put("c", "three", cache.generation());
  EXPECT_NE(cache.Find("c"), nullptr);
}

TEST(ResponseCacheTest, LargeEntitiesAreNotKept) {
  ResponseCache cache;
  cache.Put("most", std::string(ResponseCache::kMostResponseBytes, 'x'), cache.generation());
  cache.Put("more", std::string(ResponseCache::kMostResponseBytes + 1, 'x'), cache.generation());
  EXPECT_NE(cache.Find("most"), nullptr);
  EXPECT_EQ(cache.Find("more"), nullptr);
}

TEST(ResponseCacheTest, ItsMemoryIsBounded) {
  ResponseCache cache;
  size_t most = 0;
  size_t kept = 0;
  for (int i = 0; i < 1'000; ++i) {
    const std::string address = "address " + std::to_string(i);
    cache.Put(address, std::string(60'000, 'x'), cache.generation());
    ASSERT_NE(cache.Find(address), nullptr);
    size_t bytes = 0;
    size_t count = 0;
    for (int j = std::max(0, i - 200); j <= i; ++j) {
      const std::string* const response = cache.Find("address " + std::to_string(j));
      bytes += response == nullptr ? 0 : response->size();
      count += response == nullptr ? 0 : 1;
    }
    most = std::max(most, bytes);
    kept = std::max(kept, count);
  }
  EXPECT_LE(most, ResponseCache::kMostBytes);
  EXPECT_GT(kept, 100U);
  // Empty responses take memory, too.
  cache.Clear();
  for (int i = 0; i < 100'000; ++i) cache.Put(std::to_string(i), "", cache.generation());
  EXPECT_EQ(cache.Find("1"), nullptr);
}

TEST(ResponseCacheTest, PuttingTheSameAgainTakesNoMemory) {
  ResponseCache cache;
  cache.Put("first", "here", cache.generation());
  for (int i = 0; i < 1'000; ++i) cache.Put("a", std::string(100, 'x'), cache.generation());
  EXPECT_NE(cache.Find("first"), nullptr);
}

EntityQuery RowQuery(std::string row_key, std::vector<std::string> select = {}) {
  EntityQuery query;
  query.table = "T";
  query.point.emplace("p", std::move(row_key));
  query.select = std::move(select);
  return query;
}

// The row key that a stream over the cache returns; nothing if the entity is absent.
std::optional<std::string> Read(ScriptedClient& s, ResponseCache& cache, EntityQuery query,
                                bool ahead = false) {
  PageStream stream(&s.client, std::move(query), {}, 0, s.options);
  stream.UseCache(&cache);
  if (ahead) stream.Prefetch(s.cancel);
  const auto more = stream.NextPage(s.cancel);
  if (!more.ok()) return std::string(more.status().message());
  if (!*more) return std::nullopt;
  EXPECT_EQ(stream.page().size(), 1U);
  const std::string key(stream.page().At(0, EntityPage::kRowKey).view());
  EXPECT_FALSE(*stream.NextPage(s.cancel));
  return key;
}

Outcome EntityResponse(const std::string& row_key) {
  return MakeResponse(200, R"({"PartitionKey":"p","RowKey":")" + row_key + "\"}");
}

TEST(PointsOfAStatementTest, AHitSendsNothing) {
  ScriptedClient s(std::vector<Outcome>{EntityResponse("1"), EntityResponse("2")});
  ResponseCache cache;
  for (const bool ahead : {false, true, false}) {
    EXPECT_EQ(Read(s, cache, RowQuery("1"), ahead), "1");
    EXPECT_EQ(s.transport.requests().size(), 1U);
  }
  EXPECT_EQ(Read(s, cache, RowQuery("2"), true), "2");
  EXPECT_EQ(s.transport.requests().size(), 2U);
}

TEST(PointsOfAStatementTest, AbsentEntitiesAreRemembered) {
  ScriptedClient s(std::vector<Outcome>{ErrorResponse(404, "ResourceNotFound", "none")});
  ResponseCache cache;
  for (const bool ahead : {false, true, false}) {
    EXPECT_EQ(Read(s, cache, RowQuery("1"), ahead), std::nullopt);
  }
  EXPECT_EQ(s.transport.requests().size(), 1U);
}

TEST(PointsOfAStatementTest, ErrorsAreNot) {
  ScriptedClient s(std::vector<Outcome>{ErrorResponse(404, "TableNotFound", "no table"),
                                        ErrorResponse(403, "AuthorizationFailure", "not you"),
                                        MakeResponse(200, "no JSON"), EntityResponse("1")});
  ResponseCache cache;
  for (int i = 0; i < 3; ++i) EXPECT_NE(Read(s, cache, RowQuery("1")), "1");
  EXPECT_EQ(Read(s, cache, RowQuery("1")), "1");
  EXPECT_EQ(s.transport.requests().size(), 4U);
}

TEST(PointsOfAStatementTest, WhatWasSelectedCounts) {
  ScriptedClient s(
      std::vector<Outcome>{EntityResponse("1"), EntityResponse("1"), EntityResponse("1")});
  ResponseCache cache;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Read(s, cache, RowQuery("1")), "1");
    EXPECT_EQ(Read(s, cache, RowQuery("1", {"A"})), "1");
    EXPECT_EQ(Read(s, cache, RowQuery("1", {"A", "B"})), "1");
  }
  EXPECT_EQ(s.transport.requests().size(), 3U);
}

Response PageOf(const std::string& row_key) {
  return MakeResponse(200, R"({"value":[{"PartitionKey":"p","RowKey":")" + row_key + R"("}]})");
}

// A point whose address is too long is read by filter; its response is a page.
TEST(PointsOfAStatementTest, ThoseThatAreReadByFilterAreKept) {
  const std::string key(300, 'k');
  ScriptedClient s(std::vector<Outcome>{PageOf(key)});
  ResponseCache cache;
  EXPECT_EQ(Read(s, cache, RowQuery(key)), key);
  EXPECT_EQ(Read(s, cache, RowQuery(key)), key);
  EXPECT_EQ(s.transport.requests().size(), 1U);
}

EntityQuery Rows(const std::string& from, Disjunction clause = {}) {
  EntityQuery query;
  query.table = "T";
  query.filter = {{"RowKey", CompareOp::kGe, Value::String(from)}};
  if (!clause.empty()) query.clauses = {std::move(clause)};
  return query;
}

TEST(QueriesOfAStatementTest, OnePageThatIsAllIsKept) {
  const Disjunction five = {{{"N", CompareOp::kEq, Value::Int32(5)}}};
  ScriptedClient s(std::vector<Outcome>{PageOf("1"), PageOf("2"), PageOf("3"), PageOf("4")});
  ResponseCache cache;
  for (const bool ahead : {false, true, false}) {
    EXPECT_EQ(Read(s, cache, Rows("a"), ahead), "1");
    EXPECT_EQ(Read(s, cache, Rows("b"), ahead), "2") << "another filter";
    EXPECT_EQ(Read(s, cache, Rows("a", five), ahead), "3") << "another filter";
    EntityQuery query = Rows("a");
    query.select = {"A"};
    EXPECT_EQ(Read(s, cache, std::move(query), ahead), "4") << "other columns";
  }
  EXPECT_EQ(s.transport.requests().size(), 4U);
}

TEST(QueriesOfAStatementTest, WhatGoesOnIsNotKept) {
  Response first = PageOf("1");
  first.headers.Add("x-ms-continuation-NextPartitionKey", "p");
  ScriptedClient s(std::vector<Outcome>{first, PageOf("2"), first, PageOf("2")});
  ResponseCache cache;
  for (int i = 0; i < 2; ++i) {
    PageStream stream(&s.client, Rows("a"), {}, 0, s.options);
    stream.UseCache(&cache);
    EXPECT_TRUE(*stream.NextPage(s.cancel));
    EXPECT_TRUE(*stream.NextPage(s.cancel));
    EXPECT_EQ(stream.page().At(0, EntityPage::kRowKey).view(), "2");
    EXPECT_FALSE(*stream.NextPage(s.cancel));
  }
  EXPECT_EQ(s.transport.requests().size(), 4U);
}

TEST(QueriesOfAStatementTest, WhatSkipsPartitionsIsNotKept) {
  ScriptedClient s(std::vector<Outcome>{PageOf("1"), PageOf("1")});
  ResponseCache cache;
  for (int i = 0; i < 2; ++i) {
    PageStream stream(&s.client, Rows("a"), {}, 0, s.options);
    stream.UseCache(&cache);
    stream.SkipPartitions();
    EXPECT_TRUE(*stream.NextPage(s.cancel));
  }
  EXPECT_EQ(s.transport.requests().size(), 2U);
}

}  // namespace
}  // namespace aztables
