// Checks that known keys divide a span into ranges that contain each key of it once.
#include "table/known_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "model/key.h"
#include "support/random_tables.h"

namespace aztables {
namespace {

bool Contains(const KeySpan& span, const std::string& partition, const std::string& row) {
  if (span.partition && partition != *span.partition) return false;
  const std::string& key = span.partition ? row : partition;
  const int low = CompareKeys(key, span.low);
  if (low < 0 || (low == 0 && span.after_low)) return false;
  return !span.high || CompareKeys(key, *span.high) < 0;
}

std::string Numbered(const std::string& prefix, size_t n) {
  return prefix + std::to_string(100'000 + n);
}

// The keys of a table of so many pages.
KnownKeys Known(size_t partitions, size_t pages) {
  KnownKeys known;
  for (size_t i = 0; i < pages; ++i)
    known.Add(Numbered("p", i * partitions / pages), Numbered("r", i));
  known.Sort();
  return known;
}

TEST(KnownKeysTest, TheLastKeyInASpan) {
  const KnownKeys known = Known(1'024, 1'024);  // so many that only every second one is kept
  EXPECT_EQ(known.LastIn({std::nullopt, "", false, Numbered("p", 1)}), Numbered("p", 0));
  EXPECT_EQ(known.LastIn({std::nullopt, Numbered("p", 0), false, Numbered("p", 1)}), std::nullopt);
  EXPECT_EQ(known.LastIn({std::nullopt, "", false, std::nullopt}), Numbered("p", 1'022));
  EXPECT_EQ(known.LastIn({Numbered("p", 4), "", false, std::nullopt}), Numbered("r", 4));
}

TEST(KnownKeysTest, EachKeyIsInOneRange) {
  std::mt19937 random(31);
  for (int i = 0; i < 400; ++i) {
    const auto partitions = support::RandomKeys(random);
    const auto rows = support::RandomKeys(random);
    const auto any = [&](const auto& keys) { return keys[random() % keys.size()]; };
    KnownKeys known;
    for (size_t n = random() % 100; n > 0; --n) known.Add(any(partitions), any(rows));
    known.Sort();
    KeySpan span;
    if (random() % 3 == 0) span.partition = any(partitions);
    const auto& keys = span.partition ? rows : partitions;
    if (random() % 2 == 0) span.low = any(keys);
    if (random() % 2 == 0) span.high = any(keys);
    span.after_low = random() % 2 == 0 && !span.low.empty();
    const auto ranges = known.Divide(span, 2 + random() % 20);
    if (ranges.empty()) continue;
    for (const std::string& partition : partitions) {
      for (const std::string& row : rows) {
        int found = 0;
        for (const KeySpan& range : ranges) found += Contains(range, partition, row) ? 1 : 0;
        EXPECT_EQ(found, Contains(span, partition, row) ? 1 : 0)
            << i << ": " << partition << "/" << row;
      }
    }
  }
}

TEST(KnownKeysTest, SmallSpansAreNotDivided) {
  EXPECT_TRUE(KnownKeys().Divide({}, 8).empty());
  EXPECT_TRUE(Known(7, 7).Divide({}, 8).empty());
  EXPECT_EQ(Known(8, 8).Divide({}, 8).size(), 2U);
  EXPECT_EQ(Known(1'000, 1'000).Divide({}, 8).size(), 8U);
  EXPECT_TRUE(Known(1'000, 1'000).Divide({.low = Numbered("p", 995)}, 8).empty());
}

TEST(KnownKeysTest, LargePartitionsAreDivided) {
  for (const KeySpan& range : Known(1, 80).Divide({.partition = Numbered("p", 0)}, 8)) {
    EXPECT_TRUE(range.partition);
  }
  const auto one = Known(1, 80).Divide({}, 8);  // and what may be before and behind it
  EXPECT_EQ(one.size(), 10U);
  for (const KeySpan& range : Known(40, 80).Divide({}, 4)) EXPECT_FALSE(range.partition);
}

TEST(KnownKeysTest, PagesBeforeAPartition) {
  KnownKeys known;
  known.Add("a", "r", 1, 1);
  known.Add("b", "r", 1, 0.25);
  known.Add("b", "s", 1, 1);
  known.Add("c", "r", 0.5, 0.5);
  known.Sort();
  const auto before = [&](const std::string& key) {
    return known.PagesBehind({.high = key}, "", "");
  };
  EXPECT_EQ(before("b"), 1.75);
  EXPECT_EQ(before("c"), 3) << "the page begins with it";
  EXPECT_EQ(before("d"), 3.5);
}

// A large range makes the ranges behind it smaller, so that the largest one has little more than
// its share.
TEST(KnownKeysTest, RangesOfWholePartitionsAreEven) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> size(0.1, 2);  // of a partition, in pages
  constexpr int kTables = 50;
  constexpr double kPages = 700;
  double excess = 0;
  for (int i = 0; i < kTables; ++i) {
    std::vector<double> begins = {0};
    while (begins.back() < kPages) begins.push_back(begins.back() + size(random));
    KnownKeys known;
    size_t last = 0;
    for (int page = 1; page <= kPages; ++page) {
      while (begins[last + 1] < page) ++last;
      known.Add(Numbered("p", last), Numbered("r", 0), 1, std::min(1.0, page - begins[last]));
    }
    known.Sort();
    const auto at = [&](const std::string& key) {
      return key.empty() ? 0 : begins[std::stoul(key.substr(1)) - 100'000];
    };
    double largest = 0;
    for (const KeySpan& range : known.Divide({}, 16)) {
      EXPECT_FALSE(range.partition);
      largest = std::max(largest, (range.high ? at(*range.high) : kPages) - at(range.low));
    }
    excess += largest - kPages / 16;
  }
  EXPECT_LE(excess / kTables, 1) << "pages";
}

TEST(KnownKeysTest, PagesBehindAnEntity) {
  const KeySpan all;
  const KnownKeys known = Known(100, 100);
  EXPECT_EQ(known.pages(), 100);
  EXPECT_EQ(known.PagesBehind(all, Numbered("p", 9), Numbered("r", 9)), 90);
  EXPECT_EQ(known.PagesBehind({.high = Numbered("p", 20)}, Numbered("p", 9), ""), 12);
  EXPECT_EQ(known.PagesBehind(all, Numbered("p", 200), ""), 0);
  const KnownKeys one = Known(1, 100);
  KeySpan rows{.partition = Numbered("p", 0)};
  EXPECT_EQ(one.PagesBehind(rows, Numbered("p", 0), Numbered("r", 9)), 90);
  rows.high = Numbered("r", 20);
  EXPECT_EQ(one.PagesBehind(rows, Numbered("p", 0), Numbered("r", 9)), 11);
  KnownKeys uneven;
  for (size_t i = 0; i < 50'000; ++i) uneven.Add(Numbered("p", i), "", i % 2 == 0 ? 1 : 0.5);
  uneven.Sort();
  EXPECT_NEAR(uneven.pages(), 37'500, 5'000);
  EXPECT_NEAR(uneven.PagesBehind(all, Numbered("p", 25'000), ""), 18'750, 5'000);
}

// The page behind the entity belongs to the first part.
TEST(KnownKeysTest, MiddleBehindAnEntity) {
  const auto middle = [](const KnownKeys& known, const KeySpan& span, size_t n, double least) {
    return known.MiddleBehind(span, Numbered("p", span.partition ? 0 : n), Numbered("r", n), least);
  };
  const KnownKeys known = Known(100, 100);
  EXPECT_EQ(middle(known, {}, 9, 1), Numbered("p", 54));
  EXPECT_EQ(middle(known, {.high = Numbered("p", 12)}, 9, 1), Numbered("p", 11));
  EXPECT_EQ(middle(known, {.high = Numbered("p", 12)}, 9, 2), std::nullopt);
  EXPECT_EQ(middle(known, {}, 98, 1), std::nullopt);
  const KeySpan rows{.partition = Numbered("p", 0)};
  EXPECT_EQ(middle(Known(1, 100), rows, 9, 1), Numbered("r", 54));
  EXPECT_EQ(middle(Known(1, 100), {}, 0, 1), std::nullopt) << "only one partition";
  EXPECT_EQ(middle(Known(2, 100), {}, 0, 1), Numbered("p", 1)) << "large partitions";
}

// The end of a read in the reverse order is found at once.
TEST(KnownKeysTest, TheLastPageIsARangeInOrder) {
  for (const size_t partitions : {1U, 300U}) {
    const auto ranges = Known(partitions, 300).DivideInOrder({}, 2.8);
    EXPECT_NEAR(static_cast<double>(ranges.size()), 107, 4);
    EXPECT_LE(ranges.back().pages, 1);
  }
}

TEST(KnownKeysTest, OfManyPagesSomeAreKept) {
  const auto ranges = Known(50'000, 50'000).Divide({}, 10);
  ASSERT_EQ(ranges.size(), 10U);
  for (const KeySpan& range : ranges) {
    const double low = range.low.empty() ? 0 : std::stod(range.low.substr(1)) - 100'000;
    const double high = range.high ? std::stod(range.high->substr(1)) - 100'000 : 50'000;
    EXPECT_NEAR(high - low, 5'000, 2'000);
  }
}

TEST(KnownKeysTest, KeysThatNoFilterHoldsAreNoBorders) {
  KnownKeys known;
  for (size_t i = 0; i < 100; ++i) known.Add(Numbered(std::string(1'000, '/'), i), "");
  known.Sort();
  EXPECT_EQ(known.Divide({}, 8).size(), 1U);
}

}  // namespace
}  // namespace aztables
