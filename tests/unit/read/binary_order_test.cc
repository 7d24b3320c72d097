// Checks that a read returns every entity exactly once in UTF-8 order, for keys whose position
// differs in the service's order. Pages have all sizes; reads are of tables, partitions, ranges,
// and one row per partition.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "binary_order_reader.h"
#include "support/rounds.h"

namespace aztables {
namespace {

using support::Utf16Table;

// A filter as in plans: bounds have no code point from U+E000 on.
Conjunction RandomFilter(std::mt19937& random, const Keys& keys) {
  Conjunction filter;
  const bool one = !keys.empty() && random() % 3 == 0;
  if (one) {
    filter.push_back(
        {"PartitionKey", CompareOp::kEq, Value::String(keys[random() % keys.size()].first)});
  }
  const bool one_row = !keys.empty() && random() % 6 == 0;
  if (one_row) {
    filter.push_back(
        {"RowKey", CompareOp::kEq, Value::String(keys[random() % keys.size()].second)});
  }
  for (const char* name : {"PartitionKey", "RowKey"}) {
    if (name[0] == 'P' ? one : one_row) continue;
    const std::string low = RandomText(random, kTame, 2);
    const std::string high = RandomText(random, kTame, 2);
    const bool strict = random() % 2 == 0;
    if (random() % 3 == 0) {
      filter.push_back({name, strict ? CompareOp::kGt : CompareOp::kGe, Value::String(low)});
    }
    if (random() % 3 == 0) {
      filter.push_back({name, strict ? CompareOp::kLt : CompareOp::kLe, Value::String(high)});
    }
  }
  return filter;
}

// The keys that the filter selects; the bounds have the same meaning in both orders.
Keys Selected(const Keys& keys, const Conjunction& filter) {
  Keys selected;
  for (const Key& key : keys) {
    const Value values[] = {Value::String(key.first), Value::String(key.second)};
    const support::PropertyOf property_of = [&](std::string_view name) {
      return &values[name == "RowKey" ? 1 : 0];
    };
    if (support::Returns(filter, property_of)) selected.push_back(key);
  }
  return selected;
}

std::string Show(const Keys& keys) {
  std::string text;
  for (const auto& [partition_key, row_key] : keys) {
    for (const std::string& part : {partition_key, std::string("/"), row_key, std::string(" ")}) {
      for (size_t pos = 0; pos < part.size();) {
        const char32_t c = NextCodePoint(part, pos);
        char code[16];
        std::snprintf(code, sizeof code, c < 0x80 ? "%c" : "<%X>", static_cast<unsigned>(c));
        text += code;
      }
    }
  }
  return text;
}

TEST(BinaryOrderTest, GivesEveryEntityOnceInTheOrderOfBytes) {
  std::mt19937 random(21);
  size_t moved = 0;
  for (int i = 0; i < support::Rounds(10'000); ++i) {
    const Keys keys = RandomKeys(random);
    Utf16Table table(keys, static_cast<uint32_t>(random()));
    table.page = 1 + random() % (i % 2 == 0 ? 5 : 30);
    table.random_pages = random() % 2 == 0;
    const Conjunction filter = random() % 2 == 0 ? Conjunction() : RandomFilter(random, keys);
    const Keys expected = Selected(keys, filter);
    const Keys read = BinaryOrderReader(table, filter).Read();
    const auto sent = [&table] {
      std::string texts;
      for (const std::string& text : table.filters) texts += "\n  " + Show({{text, ""}});
      return texts;
    };
    ASSERT_TRUE(read == expected) << "round " << i << ", pages of " << table.page << ", filter "
                                  << Show({{FilterText(filter), ""}}) << "\nwanted "
                                  << Show(expected) << "\ngot    " << Show(read) << "\nsent"
                                  << sent();
    moved += BinaryOrderReader(table, filter).Read(false) != expected ? 1 : 0;
  }
  EXPECT_GT(moved, support::Rounds(1'000U)) << "the keys are too tame";
}

bool Less(const Key& a, const Key& b) {
  return CompareEntityKeys({a.first, a.second}, {b.first, b.second}) < 0;
}

Keys KeysWithHalves(std::mt19937& random) {
  constexpr char32_t kHalves[] = {0xD83D, 0xDC00, 0xDFFF};
  std::set<Key> all;
  for (auto [partition_key, row_key] : RandomKeys(random)) {
    if (random() % 8 == 0) AppendUtf8(partition_key, kHalves[random() % 3]);
    if (random() % 8 == 0) AppendUtf8(row_key, kHalves[random() % 3]);
    if (random() % 8 == 0) AppendUtf8(row_key, kTame[random() % 3]);
    all.emplace(TextOf(Utf16(partition_key)), TextOf(Utf16(row_key)));
  }
  Keys keys(all.begin(), all.end());
  std::sort(keys.begin(), keys.end(), Less);
  return keys;
}

// Keys with lone surrogates, which SQLite sees as U+FFFD, some of them as equal. The read must
// return all rows in order or fail. If their groups are on one page, it must succeed.
TEST(BinaryOrderTest, GivesKeysWithLoneSurrogatesInOrderOrNone) {
  std::mt19937 random(24);
  size_t failed = 0;
  size_t right = 0;
  for (int i = 0; i < support::Rounds(10'000); ++i) {
    const Keys keys = KeysWithHalves(random);
    Utf16Table table(keys, static_cast<uint32_t>(random()));
    const bool one_page = i % 4 == 0;
    table.page = one_page ? 1'000 : 1 + random() % 30;
    BinaryOrderReader reader(table, {});
    const Keys read = reader.ReadInOrder();
    if (reader.status.ok()) {
      ASSERT_TRUE(read == keys) << "round " << i << "\nwanted " << Show(keys) << "\ngot    "
                                << Show(read);
      ++right;
      continue;
    }
    ASSERT_FALSE(one_page) << i;
    EXPECT_NE(reader.status.message().find("half of a surrogate pair"), std::string_view::npos);
    ASSERT_TRUE(std::includes(keys.begin(), keys.end(), read.begin(), read.end(), Less)) << i;
    ++failed;
  }
  EXPECT_GT(failed, support::Rounds(300U));
  EXPECT_GT(right, support::Rounds(3'000U));
}

// LIMIT makes the first page small: a group that continues after it is read on its own page.
TEST(BinaryOrderTest, GivesKeysWithLoneSurrogatesInOrderAfterASmallPage) {
  std::mt19937 random(25);
  size_t aside = 0;
  for (int i = 0; i < support::Rounds(10'000); ++i) {
    const Keys keys = KeysWithHalves(random);
    Utf16Table table(keys, static_cast<uint32_t>(random()));
    table.first_page = 1 + random() % 3;
    const Keys read = BinaryOrderReader(table, {}).Read();
    aside += table.requests > 2 ? 1 : 0;
    ASSERT_TRUE(read == keys) << "round " << i << "\nwanted " << Show(keys) << "\ngot    "
                              << Show(read);
  }
  EXPECT_GT(aside, support::Rounds(1'000U));
}

// A filter cannot contain the prefix of such a group; additional rows are dropped.
TEST(BinaryOrderTest, GivesEveryEntityOnceWhereKeysAreLong) {
  std::mt19937 random(22);
  std::string beginning;
  for (int i = 0; i < 400; ++i) AppendUtf8(beginning, 0xE9);
  for (int i = 0; i < 60; ++i) {
    Keys keys = RandomKeys(random);
    std::set<Key> longer;
    for (auto& [partition_key, row_key] : keys) {
      longer.emplace(random() % 2 == 0 ? beginning + partition_key : partition_key,
                     random() % 2 == 0 ? beginning + row_key : row_key);
    }
    keys.assign(longer.begin(), longer.end());
    Utf16Table table(keys, static_cast<uint32_t>(random()));
    table.page = 1 + random() % 6;
    table.random_pages = random() % 2 == 0;
    ASSERT_TRUE(BinaryOrderReader(table, {}).Read() == keys) << i;
  }
}

TEST(BinaryOrderTest, GivesEveryPartitionInOrderWhereOneRowIsEnough) {
  std::mt19937 random(23);
  for (int i = 0; i < 1'000; ++i) {
    const Keys keys = RandomKeys(random);
    Utf16Table table(keys, static_cast<uint32_t>(random()));
    table.page = 1 + random() % 10;
    table.random_pages = random() % 2 == 0;
    const Conjunction filter = random() % 2 == 0 ? Conjunction() : RandomFilter(random, keys);
    std::vector<std::string> partitions;
    for (const Key& key : Selected(keys, filter)) partitions.push_back(key.first);
    std::vector<std::string> read;
    for (const Key& key : BinaryOrderReader(table, filter, true).Read()) read.push_back(key.first);
    partitions.erase(std::unique(partitions.begin(), partitions.end()), partitions.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    ASSERT_TRUE(read == partitions) << "round " << i << ", pages of " << table.page;
  }
}

}  // namespace
}  // namespace aztables
