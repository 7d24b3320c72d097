// Checks what the partitions that were read show of the one before them.
#include "table/read_partitions.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

TEST(ReadPartitionsTest, APartitionIsLikeTheNextOne) {
  ReadPartitions read;
  EXPECT_FALSE(read.LeftOf("b"));
  read.Add("c", 1000);
  read.Add("c", 500);
  EXPECT_EQ(read.EntitiesOf("c"), 1500U);
  EXPECT_FALSE(read.EntitiesOf("b"));
  EXPECT_FALSE(read.LeftOf("b")) << "nothing of it was read";
  read.Add("b", 600);
  EXPECT_EQ(read.LeftOf("b"), 900U);
  EXPECT_FALSE(read.LeftOf("c")) << "no partition follows it";
  read.Add("b", 900);
  EXPECT_FALSE(read.LeftOf("b")) << "it may be larger";
}

TEST(ReadPartitionsTest, TheNextOneInTheOrderOfKeys) {
  ReadPartitions read;
  read.Add("m", 1);
  read.Add("x", 1);
  ASSERT_NE(read.Next("a"), nullptr);
  EXPECT_EQ(*read.Next("a"), "m");
  EXPECT_EQ(*read.Next("m"), "x");
  EXPECT_EQ(read.Next("x"), nullptr);
}

}  // namespace
}  // namespace aztables
