// Deletes and recreates a table during a read: no scan of the first table continues in the second.
// (The live service locks the name for a while.)
#include "contract/contract_test_base.h"
#include "contract/differences.h"

namespace aztables {
namespace {

class RecreatedTest : public ContractTest {};

TEST_F(RecreatedTest, AScanOfTheFirstDoesNotGoOnInTheSecond) {
  std::vector<Entity> entities;
  entities.reserve(1100);
  for (int i = 0; i < 1100; ++i) {
    entities.push_back({"p" + std::to_string(i / 100), std::to_string(i), {}});
  }
  Write(entities);
  PageStream stream = Stream(Query());
  auto more = stream.NextPage(cancel_);
  ASSERT_TRUE(more.ok() && *more);
  EXPECT_EQ(stream.page().size(), 1000U);
  ASSERT_TRUE(client().DeleteTable(table_, options_, cancel_).ok());
  ASSERT_TRUE(client().CreateTable(table_, options_, cancel_).ok());
  Write(entities);
  more = stream.NextPage(cancel_);
  if (Differs(Difference::kTokensOutliveTheirTable)) {
    ASSERT_TRUE(more.ok());
    EXPECT_TRUE(*more);
    EXPECT_EQ(stream.page().size(), 100U);
    return;
  }
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.status().failure().code, "TableNotFound");
  EXPECT_EQ(Read(Query()).size(), 1100U);  // over the second table's pages, with its own tokens
}

}  // namespace
}  // namespace aztables
