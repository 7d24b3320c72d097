// Checks headers: names in any case, duplicate names, and the defaults of a request.
#include "http/message.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

TEST(HeadersTest, FoundInAnyCase) {
  Headers headers;
  headers.Add("x-ms-continuation-NextPartitionKey", "1!4!cA--");
  ASSERT_NE(headers.Find("X-MS-Continuation-nextpartitionkey"), nullptr);
  EXPECT_EQ(*headers.Find("X-MS-Continuation-nextpartitionkey"), "1!4!cA--");
  EXPECT_EQ(headers.Get("x-ms-continuation-nextpartitionkey"), "1!4!cA--");
  EXPECT_EQ(headers.Find("x-ms-continuation-NextRowKey"), nullptr);
  EXPECT_EQ(headers.Get("x-ms-continuation-NextRowKey"), "");
  EXPECT_EQ(headers.Find("x-ms-continuation"), nullptr);
  EXPECT_EQ(headers.Find(""), nullptr);
}

TEST(HeadersTest, AnEmptyValueIsThere) {
  Headers headers;
  headers.Add("ETag", "");
  ASSERT_NE(headers.Find("etag"), nullptr);
  EXPECT_EQ(headers.Get("etag"), "");
}

TEST(HeadersTest, AddKeepsAllAndTheFirstCounts) {
  Headers headers;
  headers.Add("Vary", "Origin");
  headers.Add("vary", "Accept");
  EXPECT_EQ(headers.Get("Vary"), "Origin");
  ASSERT_EQ(headers.all().size(), 2U);
  EXPECT_EQ(headers.all()[1].name, "vary");
  EXPECT_EQ(headers.all()[1].value, "Accept");
}

TEST(HeadersTest, SetReplacesEveryOne) {
  Headers headers;
  headers.Add("Other", "stays");
  headers.Add("x-ms-date", "one");
  headers.Add("X-MS-Date", "two");
  headers.Set("x-Ms-Date", "three");
  ASSERT_EQ(headers.all().size(), 2U);
  EXPECT_EQ(headers.Get("x-ms-date"), "three");
  EXPECT_EQ(headers.Get("other"), "stays");
  headers.Set("New", "added");
  EXPECT_EQ(headers.all().size(), 3U);
}

TEST(RequestTest, ByDefaultARead) {
  const Request request;
  EXPECT_TRUE(request.may_repeat);
  EXPECT_EQ(request.max_retries, 5);
  EXPECT_EQ(request.timeout, std::chrono::seconds(60));
  EXPECT_EQ(request.label.statement_id, 0);
}

}  // namespace
}  // namespace aztables
