// Checks the groups of keys on which SQLite's order and the service's differ: the group of an
// entity and the filter of a group, over all short keys.
#include "read/order_conflict_range.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"
#include "support/filter_reading.h"
#include "support/texts.h"

namespace aztables {
namespace {

const std::string kHigh = "\xEE\x80\x80";           // U+E000
const std::string kLast = "\xF4\x8F\xBF\xBF";       // U+10FFFF
const std::string kHighest = "\xEF\xBF\xBF";        // U+FFFF
const std::string kSurrogate = "\xF0\x90\x80\x80";  // U+10000

std::vector<std::string> Beginnings(EntityKeyView key, bool of_rows) {
  std::vector<std::string> all;
  for (const OrderConflictRange& group : GroupsOf(key)) {
    if (group.of_rows == of_rows) all.push_back(group.beginning);
    EXPECT_TRUE(group.Has(key));
    EXPECT_NE(group.HasHigh(key), group.HasSurrogate(key));
    EXPECT_EQ(group.partition_key, group.of_rows ? key.partition_key : "");
    EXPECT_FALSE(group.read_high);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(OrderConflictRangeTest, AnEntityBelongsToOneForEachSuchCodePoint) {
  EXPECT_TRUE(GroupsOf({"", ""}).empty());
  EXPECT_TRUE(GroupsOf({"p", "\xED\x9F\xBF"}).empty()) << "U+D7FF";
  const std::string partition = "a" + kSurrogate + "b" + kHigh;
  const std::string row = kHighest + kHigh;
  EXPECT_EQ(Beginnings({partition, row}, false), (Texts{"a", "a" + kSurrogate + "b"}));
  EXPECT_EQ(Beginnings({partition, row}, true), (Texts{"", kHighest}));
  EXPECT_FALSE(GroupsOf({partition, row}).front().of_rows) << "the widest first";
}

TEST(OrderConflictRangeTest, PlacesOfEntities) {
  OrderConflictRange rows;
  rows.of_rows = true;
  rows.partition_key = "p";
  rows.beginning = "a";
  EXPECT_TRUE(rows.HasHigh({"p", "a" + kHigh}));
  EXPECT_TRUE(rows.HasHigh({"p", "a" + kHighest + "z"}));
  EXPECT_TRUE(rows.HasSurrogate({"p", "a" + kSurrogate}));
  for (const std::string& outside :
       {std::string("a"), std::string(), kHigh, "ab" + kHigh, std::string("a\xED\x9F\xBF")}) {
    EXPECT_FALSE(rows.Has({"p", outside})) << outside;
  }
  EXPECT_FALSE(rows.Has({"q", "a" + kHigh}));
  EXPECT_FALSE(rows.Has({"a" + kHigh, "p"}));
  OrderConflictRange partitions;
  EXPECT_TRUE(partitions.HasHigh({kHigh, ""}));
  EXPECT_FALSE(partitions.Has({"a", kHigh}));
}

TEST(OrderConflictRangeTest, Filters) {
  OrderConflictRange group;
  EXPECT_EQ(FilterText(group.Filter()), "PartitionKey ge '" + kLast + "'");
  group.beginning = "a";
  EXPECT_EQ(FilterText(group.Filter()), "PartitionKey ge 'a" + kLast + "' and PartitionKey lt 'b'");
  group.of_rows = true;
  group.partition_key = "it's";
  group.beginning = "a" + kSurrogate;
  EXPECT_EQ(FilterText(group.Filter()), "PartitionKey eq 'it''s' and RowKey ge 'a" + kSurrogate +
                                            kLast + "' and RowKey lt 'a\xF0\x90\x80\x81'");
  group.whole = true;
  EXPECT_EQ(FilterText(group.Filter()), "PartitionKey eq 'it''s' and RowKey ge 'a" + kSurrogate +
                                            "\xED\x9F\xBF' and RowKey lt 'a\xF0\x90\x80\x81'");
}

TEST(OrderConflictRangeTest, HalvesOfPairs) {
  OrderConflictRange group;
  group.beginning = "a";
  for (const std::string half : {"\xED\xA0\x80", "\xED\xAF\xBF", "\xED\xB0\x80", "\xED\xBF\xBF"}) {
    const EntityKey key{"a" + half + "b", ""};
    const bool second = half >= "\xED\xB0";
    EXPECT_EQ(group.HasSecondHalf(key), second);
    EXPECT_TRUE(group.HasHalf(key));
    EXPECT_EQ(group.ReadsAside(key), second);
    EXPECT_FALSE(group.HasHigh(key) || group.HasSurrogate(key));
    EXPECT_EQ(GroupsOf(key).size(), 1U);
  }
}

bool Returns(const OrderConflictRange& group, const std::string& partition_key,
             const std::string& row_key) {
  const Value keys[] = {Value::String(partition_key), Value::String(row_key)};
  const support::PropertyOf property_of = [&](std::string_view name) {
    return &keys[name == "RowKey" ? 1 : 0];
  };
  return support::Returns(group.Filter(), property_of);
}

// Texts that continue with the last code point are excepted: second halves of pairs follow it.
TEST(OrderConflictRangeTest, TheFilterNamesWhatIsHighAndNothingElse) {
  constexpr char32_t kLetters[] = {'a',    'b',    0xD7FE,  0xD7FF,  0xE000,
                                   0xFFFE, 0xFFFF, 0x10000, 0x10FFFF};
  const std::vector<std::string> texts = support::AllTexts(kLetters, 3);
  for (size_t i = 0; i < texts.size(); i += i < 91 ? 1 : 37) {
    OrderConflictRange group;
    group.beginning = texts[i];
    for (const std::string& text : texts) {
      const bool behind = group.HasHigh({text, ""}) || text.starts_with(texts[i] + kLast);
      ASSERT_EQ(Returns(group, text, ""), behind)
          << testing::PrintToString(group.beginning) << testing::PrintToString(text);
    }
  }
}

TEST(OrderConflictRangeTest, ALongBeginningIsCutAndTheFilterNamesMore) {
  OrderConflictRange group;
  for (int i = 0; i < 1'000; ++i) group.beginning += "\xC3\xA9";
  EXPECT_LT(PercentEncodedSize(FilterText(group.Filter())), 5'000U);
  EXPECT_TRUE(Returns(group, group.beginning + kHigh, ""));
  EXPECT_TRUE(Returns(group, group.beginning + kHighest + "z", ""));
  EXPECT_FALSE(Returns(group, "\xC3\xA9", ""));
  EXPECT_FALSE(Returns(group, "\xC3\xAA", ""));
}

}  // namespace
}  // namespace aztables
