// Checks which user-written filters limit the partitions that the service must read.
#include <gtest/gtest.h>

#include <string>

#include "odata/filter_tree.h"

namespace aztables {
namespace {

TEST(RawFilterTest, LimitsPartitionKey) {
  for (const char* filter : {
           "PartitionKey eq 'a'",
           "'a' eq PartitionKey",
           "PartitionKey gt 'a'",
           "(PartitionKey ge 'a')and(Rating gt 5.0)",
           "Rating gt 5.0 and PartitionKey lt 'b'",
           "  ( ( PartitionKey eq 'a' ) )  ",
           "PartitionKey eq 'a' or PartitionKey eq 'b'",
           "(PartitionKey eq 'a' and RowKey eq '1') or (PartitionKey eq 'b' and RowKey eq '2')",
           "PartitionKey eq 'it''s or ( not'",
           "PartitionKey eq ''",
           "PartitionKey le ''",
           "'' ge PartitionKey",
           "'a' lt PartitionKey",
           "PartitionKey eq 'a' and not (Rating gt 5.0)",
           "IsFavorite eq true and PartitionKey eq 'a'",
           "Id eq guid'c9da6455-213d-42c9-9a79-3e9149a57833' and PartitionKey eq 'x'",
           "true and PartitionKey eq 'a'",
           "A eq 1 or A eq 2 and PartitionKey eq 'a' or PartitionKey eq 'b'",
       }) {
    const bool first_or_lacks_it = std::string(filter).starts_with("A eq 1");
    EXPECT_EQ(LimitsPartitionKey(filter), !first_or_lacks_it) << filter;
  }
}

TEST(RawFilterTest, DoesNotLimitPartitionKey) {
  for (const char* filter : {
           "",
           "   ",
           "Rating gt 5.0",
           "RowKey eq 'a'",
           "PartitionKey ne 'a'",
           "not (PartitionKey eq 'a')",
           "not PartitionKey eq 'a'",
           "PartitionKey eq 'a' or Rating gt 5.0",
           "Text eq 'PartitionKey eq ''a'''",
           "PartitionKey eq RowKey",
           "partitionkey eq 'a'",
           "PartitionKey",
           "PartitionKey eq",
           "PartitionKey eq 'a",
           "(PartitionKey eq 'a'",
           "PartitionKey eq 'a')",
           "PartitionKey eq 'a' 'b'",
           "PartitionKey eq 'a' and",
           "or",
           "PartitionKey EQ 'a'",
           "PartitionKey ge ''",
           "PartitionKey gt ''",
           "'' le PartitionKey",
           "'' lt PartitionKey",
           "'a' eq 'PartitionKey'",
           "PartitionKey eq 1",
           "PartitionKey eq null",
           "true",
           "false",
           "PartitionKey eq 'a' or false",
           // The service accepts none of these.
           "IsFavorite and PartitionKey eq 'a'",
           "PartitionKey eq 'a' and A eq 5x",
           "PartitionKey eq 'a' and A eq guid'5'",
           "PartitionKey eq 'a' and startswith(RowKey, 'a')",
       }) {
    EXPECT_FALSE(LimitsPartitionKey(filter)) << filter;
  }
}

TEST(RawFilterTest, DeepNestingEnds) {
  const std::string open(100'000, '(');
  EXPECT_FALSE(LimitsPartitionKey(open + "PartitionKey eq 'a'" + std::string(100'000, ')')));
  std::string nots;
  for (int i = 0; i < 100'000; ++i) nots += "not ";
  EXPECT_FALSE(LimitsPartitionKey(nots));
}

}  // namespace
}  // namespace aztables
