// Checks the index ranges of a filter: chosen examples, and random filters against every key of a
// small table.
#include "service/store/key_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "service/handlers/filter_match.h"
#include "service/store/stored_key.h"

namespace aztables {
namespace {

const std::string kEnd(kAboveAllKeys);

FilterNode Parsed(const std::string& text) {
  const auto filter = ParseFilter(text);
  EXPECT_TRUE(filter.ok()) << text;
  return filter.ok() ? *filter : FilterNode();
}

// "a/1..b/"; "." is the successor's last byte and "~" the end of all keys.
std::string Shown(const std::vector<KeyRange>& ranges) {
  const auto text = [](const KeyPoint& point) {
    std::string shown;
    for (const char c : point.partition_key + "/" + point.row_key) {
      shown += c == '\0' ? '.' : c == '\xFF' ? '~' : c;
    }
    return shown;
  };
  std::string shown;
  for (const KeyRange& range : ranges) {
    if (!shown.empty()) shown += ' ';
    shown += text(range.from) + "-" + text(range.to);
  }
  return shown;
}

TEST(KeyRangesTest, OfFilters) {
  EXPECT_EQ(RangesOf(nullptr), std::vector<KeyRange>{WholeTable()});
  const struct {
    const char* filter;
    const char* ranges;
  } kFilters[] = {
      {"PartitionKey eq 'p'", "p/-p/~"},
      {"PartitionKey eq 'p' and RowKey eq 'r'", "p/r-p/r."},
      {"PartitionKey eq 'p' and RowKey ge 'r' and RowKey lt 's'", "p/r-p/s"},
      {"PartitionKey eq 'p' and RowKey gt 'r' and RowKey le 's'", "p/r.-p/s."},
      {"PartitionKey ge 'p' and PartitionKey lt 'q'", "p/-q/"},
      {"PartitionKey gt 'p'", "p./-~/"},
      {"PartitionKey le 'p'", "/-p./"},
      {"PartitionKey ge 'p' and PartitionKey le 'p' and RowKey eq 'r'", "p/r-p/r."},
      {"RowKey eq 'r'", "/r-~/"},
      {"PartitionKey ge 'p' and RowKey ge 'r'", "p/r-~/"},
      {"PartitionKey eq 'p' and PartitionKey eq 'q'", ""},
      {"PartitionKey lt ''", ""},
      {"false", ""},
      {"true", "/-~/"},
      {"not false", "/-~/"},
      {"true and PartitionKey eq 'p'", "p/-p/~"},
      {"false or PartitionKey eq 'p'", "p/-p/~"},
      {"(true and PartitionKey eq 'p' and RowKey eq 'r') or false", "p/r-p/r."},
      {"PartitionKey eq 'p' and false", ""},
      {"PartitionKey eq 'p' or PartitionKey eq 'q'", "p/-p/~ q/-q/~"},
      {"PartitionKey eq 'q' and RowKey eq '2' or PartitionKey eq 'q' and RowKey eq '1'",
       "q/1-q/1. q/2-q/2."},
      {"(PartitionKey eq 'p' or PartitionKey eq 'q') and (RowKey eq '1' or RowKey eq '2')",
       "p/1-p/1. p/2-p/2. q/1-q/1. q/2-q/2."},
      {"PartitionKey eq 'p' or A eq 1", "/-~/"},
      {"PartitionKey eq 'p' and A eq 1", "p/-p/~"},
      {"not (PartitionKey eq 'p')", "/-~/"},
      {"PartitionKey ne 'p'", "/-~/"},
      {"PartitionKey eq 5", "/-~/"},
      {"PartitionKey le 'b' or PartitionKey ge 'b'", "/-~/"},
      {"'p' eq PartitionKey", "p/-p/~"},
      {"Timestamp ge datetime'2020-01-01T00:00:00Z'", "/-~/"},
  };
  for (const auto& [text, ranges] : kFilters) {
    const FilterNode filter = Parsed(text);
    EXPECT_EQ(Shown(RangesOf(&filter)), ranges) << text;
  }
}

TEST(KeyRangesTest, Intersections) {
  const KeyRange left{{"b", "2"}, {"d", ""}};
  EXPECT_EQ(Shown(Intersect({WholeTable()}, left)), "b/2-d/");
  EXPECT_EQ(Shown(Intersect({left}, {{"c", ""}, {"e", ""}})), "c/-d/");
  EXPECT_EQ(Shown(Intersect({left}, {{"d", ""}, {"e", ""}})), "");
  EXPECT_EQ(Shown(Intersect({left, {{"f", ""}, {"g", ""}}}, {{"c", "x"}, {"f", "1"}})),
            "c/x-d/ f/-f/1");
  EXPECT_EQ(Shown(Intersect({}, WholeTable())), "");
}

constexpr const char* kKeys[] = {"", "a", "aa", "b", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "c"};

// A random filter over keys and a property, with few literals, so that it is often true.
std::string RandomFilter(std::mt19937& random, int depth) {
  const auto kind = random() % 8;
  if (depth == 0 || kind < 4) {
    constexpr const char* kOperators[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    constexpr const char* kNames[] = {"PartitionKey", "PartitionKey", "RowKey", "RowKey", "A"};
    const std::string name = kNames[random() % std::size(kNames)];
    return name + " " + kOperators[random() % std::size(kOperators)] + " '" +
           kKeys[random() % std::size(kKeys)] + "'";
  }
  if (kind == 4) return "not (" + RandomFilter(random, depth - 1) + ")";
  const std::string word = kind == 5 ? ") or (" : ") and (";
  std::string filter = "(" + RandomFilter(random, depth - 1);
  for (auto left = 1 + random() % 3; left > 0; --left) {
    filter += word + RandomFilter(random, depth - 1);
  }
  return filter + ")";
}

TEST(KeyRangesTest, EveryKeyThatMatchesLiesInOneRangeOfRandomFilters) {
  std::mt19937 random(20261102);
  size_t matched = 0;
  size_t spared = 0;
  size_t decided = 0;
  for (int i = 0; i < 3'000; ++i) {
    const std::string text = RandomFilter(random, 3);
    const FilterNode filter = Parsed(text);
    const FilterMatch match(filter);
    const std::vector<KeyRange> ranges = RangesOf(&filter);
    FilterNode rest = filter;
    const bool kept = KeepUndecided(rest);
    const FilterMatch rest_matches(rest);
    for (size_t at = 0; at < ranges.size(); ++at) {
      EXPECT_LT(ranges[at].from, ranges[at].to) << text;
      if (at > 0) {
        EXPECT_LT(ranges[at - 1].to, ranges[at].from) << text;
      }
    }
    for (const char* pk : kKeys) {
      for (const char* rk : kKeys) {
        StoredEntity entity;
        entity.partition_key = pk;
        entity.row_key = rk;
        const KeyPoint point{StoredKey(pk), StoredKey(rk)};
        size_t in = 0;
        for (const KeyRange& range : ranges) in += range.from <= point && point < range.to;
        const bool matches = match.Matches(entity);
        EXPECT_LE(in, 1U);
        EXPECT_TRUE(!matches || in == 1) << text << ": " << pk << "/" << rk;
        if (in == 1) {
          EXPECT_EQ(!kept || rest_matches.Matches(entity), matches)
              << text << ": " << pk << "/" << rk;
          decided += !kept;
        }
        matched += matches;
        spared += in == 0;
      }
    }
  }
  EXPECT_GT(matched, 10'000U);
  EXPECT_GT(spared, 10'000U);
  EXPECT_GT(decided, 1'000U);
}

TEST(KeyRangesTest, ComparisonsThatTheRangesDecideAreRemoved) {
  const struct {
    const char* filter;
    size_t kept;  // conditions
  } kFilters[] = {
      {"PartitionKey eq 'p'", 0},
      {"PartitionKey ne 'p'", 1},
      {"PartitionKey eq 5", 1},
      {"PartitionKey gt 'p' and PartitionKey le 'q'", 0},
      {"PartitionKey eq 'p' and RowKey ge 'r' and RowKey lt 's'", 0},
      {"PartitionKey eq 'p' and RowKey ge 'r' and A eq 1", 1},
      {"PartitionKey eq 'p' and RowKey ne 'r'", 1},
      {"PartitionKey ge 'p' and RowKey ge 'r'", 1},
      {"RowKey ge 'r'", 1},
      {"PartitionKey eq 'p' or PartitionKey eq 'q'", 2},
      {"not (PartitionKey eq 'p')", 1},
  };
  for (const auto& [text, kept] : kFilters) {
    FilterNode filter = Parsed(text);
    const bool some = KeepUndecided(filter);
    const size_t conditions = std::max<size_t>(filter.children.size(), 1);
    EXPECT_EQ(some ? conditions : 0, kept) << text;
  }
}

TEST(KeyRangesTest, VeryManyAlternativesAreStillCovered) {
  // 40 x 40 rectangles are too many to keep separate, and so are 1100 clauses.
  std::string partitions;
  std::string rows;
  for (int i = 100; i < 140; ++i) {
    partitions +=
        (i > 100 ? " or PartitionKey eq '" : "PartitionKey eq '") + std::to_string(i) + "'";
    rows += (i > 100 ? " or RowKey eq '" : "RowKey eq '") + std::to_string(i) + "'";
  }
  std::string many;
  for (int i = 1000; i < 2100; ++i) {
    many += (i > 1000 ? " or PartitionKey eq '" : "PartitionKey eq '") + std::to_string(i) + "'";
  }
  const std::string both = "(" + partitions + ") and (" + rows + ")";
  for (const std::string& text : {both, many}) {
    const auto filter = ParseFilter(text);
    if (!filter.ok()) continue;  // longer than the service accepts
    const std::vector<KeyRange> ranges = RangesOf(&*filter);
    for (const char* key : {"100", "139", "1000", "2099"}) {
      StoredEntity entity;
      entity.partition_key = key;
      entity.row_key = key;
      bool in = false;
      for (const KeyRange& range : ranges) {
        in = in || (range.from <= KeyPoint{key, key} && KeyPoint{key, key} < range.to);
      }
      EXPECT_TRUE(in || !FilterMatch(*filter).Matches(entity)) << key;
    }
  }
}

}  // namespace
}  // namespace aztables
