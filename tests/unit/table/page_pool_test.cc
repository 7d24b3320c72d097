// Checks that a page is used again for the same projection only, and that it is empty then.
#include "table/page_pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace aztables {
namespace {

Projection Of(std::string property) { return {.properties = {std::move(property)}}; }

TEST(PagePoolTest, APageIsUsedAgainForItsProjection) {
  PagePool pool;
  auto page = pool.Take(Of("A"));
  const EntityPage* const first = page.get();
  ASSERT_TRUE(page->ReadEntity(R"({"PartitionKey":"p","RowKey":"r","A":1})").ok());
  pool.Return(std::move(page));
  EXPECT_NE(pool.Take(Of("B")).get(), first);
  page = pool.Take(Of("A"));
  EXPECT_EQ(page.get(), first);
  EXPECT_EQ(page->size(), 0U);
  EXPECT_NE(pool.Take(Of("A")).get(), first) << "it is in use";
}

TEST(PagePoolTest, KeepsTheLastPages) {
  PagePool pool;
  for (const char* name : {"A", "B", "C", "D", "E"}) pool.Return(pool.Take(Of(name)));
  const auto kept = pool.Take(Of("E"));
  EXPECT_EQ(kept->projection(), Of("E"));
  pool.Return(nullptr);
}

}  // namespace
}  // namespace aztables
