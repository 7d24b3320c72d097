// Checks rowids: stable per entity, never reused, bounded, and dropped only when no statement runs.
#include "vtab/session/rowid_map.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace aztables {
namespace {

TEST(RowidMapTest, OneIdPerEntity) {
  RowidMap map;
  const int64_t first = map.IdFor({"p", "1"});
  EXPECT_EQ(map.IdFor({"p", "1"}), first);
  EXPECT_NE(map.IdFor({"p", "2"}), first);
  EXPECT_NE(map.IdFor({"p1", ""}), map.IdFor({"p", "1"}));
  EXPECT_EQ(map.Find(first)->row_key, "1");
  EXPECT_FALSE(map.Find(first + 1000).has_value());
  EXPECT_FALSE(map.Find(0).has_value());
}

TEST(RowidMapTest, OnlyTheLastInsertedIsRemembered) {
  RowidMap map;
  const int64_t first = map.IdForInserted({"p", "1"});
  const int64_t second = map.IdForInserted({"p", "2"});
  EXPECT_NE(first, second);
  EXPECT_FALSE(map.Find(first).has_value());
  EXPECT_TRUE(map.Find(second).has_value());
  EXPECT_EQ(map.IdFor({"p", "2"}), second);
  const int64_t read = map.IdFor({"p", "3"});
  EXPECT_EQ(map.IdForInserted({"p", "3"}), read);
}

TEST(RowidMapTest, TrimForgetsTheOldestAndReusesNoId) {
  RowidMap map;
  std::set<int64_t> ids;
  const size_t count = RowidMap::kCapacity + 10;
  for (size_t i = 0; i < count; ++i) ids.insert(map.IdFor({"p", std::to_string(i)}));
  EXPECT_EQ(ids.size(), count);
  EXPECT_EQ(map.IdFor({"p", "0"}), *ids.begin()) << "nothing is forgotten before Trim()";
  map.Trim();
  for (size_t i = 0; i < 10; ++i) EXPECT_FALSE(map.Find(static_cast<int64_t>(i) + 1).has_value());
  EXPECT_EQ(map.Find(11)->row_key, "10");
  EXPECT_EQ(ids.count(map.IdFor({"p", "0"})), 0u) << "a forgotten entity gets a new id";
}

}  // namespace
}  // namespace aztables
