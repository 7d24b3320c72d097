// Checks parsing the options of a request.
#include "service/query_options.h"

#include <gtest/gtest.h>

namespace aztables {
namespace {

TEST(QueryOptionsTest, NamesAndValuesAreDecoded) {
  const QueryOptions options("?$filter=a+eq+%27b%2Bc%27&%24top=5&empty=&bare&x=1=2&%C3%A4=%C3%B6");
  EXPECT_EQ(options.Get("$filter"), "a eq 'b+c'");
  EXPECT_EQ(options.Get("$top"), "5");
  EXPECT_EQ(options.Get("empty"), "");
  EXPECT_NE(options.Find("empty"), nullptr);
  EXPECT_NE(options.Find("bare"), nullptr);
  EXPECT_EQ(options.Get("x"), "1=2");
  EXPECT_EQ(options.Get("\xC3\xA4"), "\xC3\xB6");
  EXPECT_EQ(options.Find("absent"), nullptr);
  EXPECT_EQ(options.Get("absent"), "");
  EXPECT_EQ(options.Find("$TOP"), nullptr) << "names have case";
}

TEST(QueryOptionsTest, OnceDecoded) {
  EXPECT_EQ(QueryOptions("a=%2527%252B").Get("a"), "%27%2B");
  EXPECT_EQ(QueryOptions("a=100%&b=%zz").Get("a"), "100%");
}

TEST(QueryOptionsTest, TheFirstOfSeveralIsMeant) {
  QueryOptions options("a=1&a=2&&b=3&");
  options.Add("?a=0&c=4");
  options.Add("");
  EXPECT_EQ(options.Get("a"), "1");
  EXPECT_EQ(options.Count("a"), 3U);
  EXPECT_EQ(options.Get("b"), "3");
  EXPECT_EQ(options.Get("c"), "4");
  EXPECT_EQ(options.Count("b"), 1U);
  EXPECT_EQ(options.Count("c"), 1U);
  EXPECT_EQ(options.Count(""), 0U);
}

}  // namespace
}  // namespace aztables
