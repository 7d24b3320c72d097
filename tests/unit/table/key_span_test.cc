// Checks which rows of a page belong to a span of keys, and the filters for spans.
#include "table/key_span.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

std::string Rows(const KeySpan& span) {
  EntityPage page({});
  EXPECT_TRUE(page.ReadQuery(R"({"value":[{"PartitionKey":"a","RowKey":"1"},)"
                             R"({"PartitionKey":"b","RowKey":"1"},)"
                             R"({"PartitionKey":"b","RowKey":"2"},)"
                             R"({"PartitionKey":"c","RowKey":"1"}]})")
                  .ok());
  const RowsOfSpan rows = RowsIn(span, page);
  return std::to_string(rows.begin) + "-" + std::to_string(rows.end) +
         (rows.passed ? " passed" : "");
}

std::string Filter(const KeySpan& span) {
  const auto filter = FilterOf(span);
  return filter ? FilterText(*filter) : "none";
}

TEST(KeySpanTest, RowsOfAPage) {
  EXPECT_EQ(Rows({}), "0-4");
  EXPECT_EQ(Rows({.low = "a"}), "0-4");
  EXPECT_EQ(Rows({.low = "a", .after_low = true}), "1-4");
  EXPECT_EQ(Rows({.low = "b", .high = "c"}), "1-3 passed");
  EXPECT_EQ(Rows({.high = "d"}), "0-4");
  EXPECT_EQ(Rows({.low = "x"}), "4-4");
  EXPECT_EQ(Rows({.high = ""}), "0-0 passed");
  EXPECT_EQ(Rows({.partition = "b"}), "1-3 passed");
  EXPECT_EQ(Rows({.partition = "b", .low = "2"}), "2-3 passed");
  EXPECT_EQ(Rows({.partition = "b", .high = "2"}), "1-2 passed");
  EXPECT_EQ(Rows({.partition = "c", .low = "1", .after_low = true}), "4-4");
  const EntityPage empty({});
  EXPECT_EQ(RowsIn({}, empty).end, 0U);
}

TEST(KeySpanTest, TheServicesOrder) {
  // U+1F600 is written with surrogates, which sort before U+E000.
  EntityPage page({});
  ASSERT_TRUE(page.ReadQuery("{\"value\":[{\"PartitionKey\":\"\xF0\x9F\x98\x80\",\"RowKey\":\"\"},"
                             "{\"PartitionKey\":\"\xEE\x80\x80\",\"RowKey\":\"\"}]}")
                  .ok());
  EXPECT_EQ(RowsIn({.low = "\xEE\x80\x80"}, page).begin, 1U);
  EXPECT_EQ(RowsIn({.high = "\xEE\x80\x80"}, page).end, 1U);
}

TEST(KeySpanTest, Filters) {
  EXPECT_EQ(Filter({}), "");
  EXPECT_EQ(Filter({.low = "o'"}), "PartitionKey ge 'o'''");
  EXPECT_EQ(Filter({.low = "", .after_low = true}), "PartitionKey gt ''");
  EXPECT_EQ(Filter({.low = "a", .after_low = true, .high = "b"}),
            "PartitionKey gt 'a' and PartitionKey lt 'b'");
  EXPECT_EQ(Filter({.partition = "p"}), "PartitionKey eq 'p'");
  EXPECT_EQ(Filter({.partition = "p", .low = "1", .high = "2"}),
            "PartitionKey eq 'p' and RowKey ge '1' and RowKey lt '2'");
  for (const std::string& key : {std::string(1'001, 'a'), std::string("\xED\xA0\xBD")}) {
    EXPECT_EQ(Filter({.low = key}), "none");
    EXPECT_EQ(Filter({.high = key}), "none");
    EXPECT_EQ(Filter({.partition = key}), "none");
  }
}

}  // namespace
}  // namespace aztables
