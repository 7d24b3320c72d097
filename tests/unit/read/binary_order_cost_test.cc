// Checks the number of requests for SQLite's order of keys, and errors during a read.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "binary_order_reader.h"

namespace aztables {
namespace {

using support::Utf16Table;

// The number of requests of a whole read, in SQLite's order or the service's.
size_t Requests(const Keys& keys, size_t page, bool in_order, const Conjunction& filter = {}) {
  Utf16Table table(keys, 1);
  table.page = page;
  EXPECT_EQ(BinaryOrderReader(table, filter).Read(in_order).size(), keys.size());
  return table.requests;
}

TEST(BinaryOrderTest, CostsNothingWhereTheOrdersAgree) {
  constexpr char32_t kHighLetters[] = {'a', 0xE000, 0xFFFF};
  std::mt19937 random(24);
  for (int i = 0; i < 300; ++i) {
    std::set<Key> keys;
    for (size_t n = random() % 40; n > 0; --n) {
      if (i % 2 == 0) {
        keys.emplace(RandomText(random, kTame, 3), RandomText(random, kTame, 3));
      } else {
        keys.emplace(RandomText(random, kHighLetters, 3), RandomText(random, kHighLetters, 3));
      }
    }
    const Keys all(keys.begin(), keys.end());
    const size_t page = 1 + random() % 8;
    EXPECT_EQ(Requests(all, page, true), Requests(all, page, false));
  }
}

TEST(BinaryOrderTest, CostsNothingWhereAllIsOnOnePage) {
  std::mt19937 random(25);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(Requests(RandomKeys(random), 1'000, true), 1U);
}

// Keys of emojis: each group at the end of a page is requested. If a group exceeds a page, the keys
// before it are requested once.
TEST(BinaryOrderTest, CostsOneOrTwoRequestsForEachGroupThatAPageEndsIn) {
  Keys keys;
  for (int i = 0; i < 100; ++i)
    keys.emplace_back("p", "\xF0\x9F\x98\x80" + std::to_string(100 + i));
  EXPECT_EQ(Requests(keys, 10, false), 10U);
  EXPECT_EQ(Requests(keys, 10, true), 12U);
  EXPECT_EQ(Requests(keys, 100, true), 1U);
  keys.resize(10);
  for (int i = 0; i < 5; ++i) keys.emplace_back("o", std::to_string(i));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(Requests(keys, 10, false), 2U);
  EXPECT_EQ(Requests(keys, 10, true), 3U);
}

// All keys of the read share the text, so no other key is between them.
TEST(BinaryOrderTest, CostsNothingForAKeyThatTheQueryFixes) {
  const std::string rocket = "\xF0\x9F\x9A\x80";
  Keys rows;
  Keys partitions;
  for (int i = 100; i < 125; ++i) {
    rows.emplace_back(rocket, std::to_string(i));
    partitions.emplace_back(std::to_string(i), rocket);
  }
  EXPECT_EQ(Requests(rows, 10, true), 5U);
  EXPECT_EQ(Requests(rows, 10, true, One("PartitionKey", CompareOp::kEq, Value::String(rocket))),
            3U);
  EXPECT_EQ(Requests(partitions, 10, true, One("RowKey", CompareOp::kEq, Value::String(rocket))),
            3U);
}

// A group that fills a page of the service is larger than a page. It is not read whole.
TEST(BinaryOrderTest, CostsOneRequestForAGroupThatFillsTheLargestPage) {
  Keys keys;
  for (int i = 1000; i < 2500; ++i) keys.emplace_back("\xF0\x9F\x9A\x80", std::to_string(i));
  EXPECT_EQ(Requests(keys, 1'000, false), 2U);
  EXPECT_EQ(Requests(keys, 1'000, true), 3U);
  // The group's part that SQLite sorts first, and a second group in it.
  keys.emplace(keys.begin(), "\xEE\x80\x80", "1");
  for (int i = 0; i < 3; ++i) keys.emplace_back("\xF0\x9F\x9A\x81", std::to_string(i));
  Utf16Table table(keys, 1);
  EXPECT_TRUE(BinaryOrderReader(table, {}).Read() == keys);
  EXPECT_EQ(table.requests, 3U);
}

TEST(BinaryOrderTest, AnErrorOfAReadAsideIsTheReads) {
  // U+10000 fills the first page, so keys from U+E000 on are requested, which fails.
  const std::string first = R"({"value":[{"PartitionKey":"\uD800\uDC00","RowKey":"1"}]})";
  Response page = support::MakeResponse(200, first);
  page.headers.Add("x-ms-continuation-NextPartitionKey", "more");
  support::ScriptedClient s(
      std::vector<Outcome>{page, support::ErrorResponse(403, "AuthorizationFailure", "no more")});
  EntityQuery query;
  query.table = "T";
  const BinaryOrderStream::Narrow narrow = [&](const Conjunction& more) {
    EntityQuery narrowed = query;
    narrowed.filter = more;
    return std::make_unique<StreamPages>(s, std::move(narrowed), false);
  };
  BinaryOrderStream read(std::make_unique<StreamPages>(s, query, false), narrow, {});
  const auto more = read.Next();
  ASSERT_FALSE(more.ok());
  EXPECT_NE(more.status().message().find("no more"), std::string_view::npos);
}

}  // namespace
}  // namespace aztables
