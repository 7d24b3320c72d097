// Checks pages that wait on the disk: they come back from the last one to the first, with their
// cells.
#include "read/page_file.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

std::string EntityText(const std::string& partition, const std::string& row) {
  return R"({"PartitionKey":")" + partition + R"(","RowKey":")" + row + R"(","N":7})";
}

TEST(PageFileTest, FromTheLastToTheFirst) {
  auto file = PageFile::Make();
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE((*file)->empty());
  EntityPage page(Projection{.properties = {"N"}});
  int64_t asked_at = 0;
  const auto add = [&](const std::string& entities, RowsOfSpan rows) {
    ASSERT_TRUE(page.ReadQuery(R"({"value":[)" + entities + "]}").ok());
    ASSERT_TRUE((*file)->Add(page, rows, ++asked_at).ok());
  };
  add(EntityText("p", "2") + "," + EntityText("p", "3"), {0, 2});
  add(EntityText("q", "1") + "," + EntityText("q", "2") + "," + EntityText("r", "1"), {1, 3});
  add(EntityText("p", "0") + "," + EntityText("p", "1"), {0, 1});
  (*file)->Sort();
  const auto take = [&](const std::string& partition, const std::string& row, RowsOfSpan rows,
                        int64_t asked) {
    ASSERT_FALSE((*file)->empty());
    const auto taken = (*file)->TakeLast();
    ASSERT_TRUE(taken.ok());
    EXPECT_EQ(taken->rows.begin, rows.begin);
    EXPECT_EQ(taken->rows.end, rows.end);
    EXPECT_EQ(taken->asked_at, asked);
    EXPECT_EQ(taken->page->At(rows.begin, EntityPage::kPartitionKey).view(), partition);
    EXPECT_EQ(taken->page->At(rows.begin, EntityPage::kRowKey).view(), row);
    EXPECT_EQ(taken->page->At(rows.begin, EntityPage::kFirstProperty).integer, 7);
  };
  take("q", "2", {1, 3}, 2);
  take("p", "2", {0, 2}, 1);
  take("p", "0", {0, 1}, 3);
  EXPECT_TRUE((*file)->empty());
}

}  // namespace
}  // namespace aztables
