// Checks pages and continuation tokens in requests and responses: page sizes, the form of tokens,
// and their effect after the table has changed.
#include <algorithm>
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

class ContinuationTest : public RawTest {
 protected:
  void InsertRows(const std::vector<std::string>& rows) const {
    for (const std::string& row : rows) ASSERT_EQ(Insert(row, R"("V":1)").status, 201) << row;
  }
  // The service's token for a key, or Azurite's.
  static std::string Token(const std::string& key) {
    std::string base64 = Base64Encode(key);
    if (Differs(Difference::kFormOfTokens)) return base64;
    std::replace(base64.begin(), base64.end(), '=', '-');
    return "1!" + std::to_string(base64.size()) + "!" + base64;
  }
  static std::string Next(const ParsedResponse& response) {
    const auto token = [&](const std::string& key) {
      const auto value = response.headers.Get("x-ms-continuation-Next" + key);
      return value.empty() ? "" : "&Next" + key + "=" + PercentEncode(value);
    };
    return token("PartitionKey") + token("RowKey");
  }
};

TEST_F(ContinuationTest, Pages) {
  InsertRows({"a", "b", "c", "d", "e"});
  const ParsedResponse first = List("$top=2");
  EXPECT_EQ(RowKeys(first), "a b");
  EXPECT_EQ(first.headers.Get("x-ms-continuation-NextPartitionKey"), Token("p"));
  EXPECT_EQ(first.headers.Get("x-ms-continuation-NextRowKey"), Token("c"))
      << "the first one of the next page";
  const ParsedResponse second = List("$top=2" + Next(first));
  EXPECT_EQ(RowKeys(second), "c d");
  const ParsedResponse last = List("$top=2" + Next(second));
  EXPECT_EQ(RowKeys(last), "e");
  EXPECT_EQ(Next(last), "");
  EXPECT_EQ(Next(List("$top=5")), "") << "nothing follows";
  EXPECT_EQ(RowKeys(List(Next(first).substr(1))), "c d e") << "$top is not kept";
}

TEST_F(ContinuationTest, TokensOfOddKeys) {
  const std::vector<std::string> keys = {"", "a'b", "a+b=c&d", "\xC3\xA9", "\xF0\x9F\x98\x80"};
  InsertRows(keys);
  std::string query = "$top=1";
  for (const std::string& key : keys) {
    const ParsedResponse page = List(query);
    EXPECT_EQ(RowKeys(page).empty(), key.empty());
    query = "$top=1" + Next(page);
  }
  EXPECT_EQ(query, "$top=1");
}

TEST_F(ContinuationTest, WhatATokenLeadsToWhenRowsAreGone) {
  InsertRows({"a", "b", "c", "d", "e"});
  const std::string next = Next(List("$top=2"));
  for (const char* row : {"b", "c", "d"}) EXPECT_EQ(Change("DELETE", row, "", "*").status, 204);
  EXPECT_EQ(RowKeys(List("$top=2" + next)), "e");
  InsertRows({"b", "cc"});
  EXPECT_EQ(RowKeys(List("$top=9" + next)), "cc e") << "what lies before it does not come";
  EXPECT_EQ(Change("DELETE", "cc", "", "*").status, 204);
  EXPECT_EQ(Change("DELETE", "e", "", "*").status, 204);
  const ParsedResponse none = List("$top=2" + next);
  EXPECT_EQ(none.outcome(), "200");
  EXPECT_EQ(RowKeys(none), "");
}

TEST_F(ContinuationTest, OptionsHoldWithATokenToo) {
  InsertRows({"a", "b", "c", "d"});
  Change("MERGE", "c", R"({"V":2})", "*");
  const std::string next = Next(List("$top=1&$filter=V%20eq%201"));
  EXPECT_EQ(RowKeys(List("$filter=V%20eq%201" + next)), "b d");
  EXPECT_EQ(List("$select=V" + next).At("/value/1/V"), "2");
}

TEST_F(ContinuationTest, ATokenOfAPartitionAlone) {
  InsertRows({"a"});
  Insert("b", "", "q");
  EXPECT_EQ(RowKeys(List("NextPartitionKey=" + PercentEncode(Token("q")))), "b");
}

TEST_F(ContinuationTest, WhatIsNoToken) {
  InsertRows({"a"});
  for (const char* token : {"!", "1!3!a", "abc!", "1!4!*(*("}) {
    std::string query = "NextPartitionKey=";
    query.append(PercentEncode(token)).append("&NextRowKey=").append(PercentEncode(token));
    EXPECT_EQ(List(query).outcome(),
              Differs(Difference::kTokensNotChecked) ? "200" : "400 InvalidInput")
        << token;
  }
  EXPECT_EQ(List("NextRowKey=" + PercentEncode(Token("a"))).outcome(),
            Differs(Difference::kTokensNotChecked) ? "200" : "400 InvalidInput");
}

TEST_F(ContinuationTest, Top) {
  InsertRows({"a", "b"});
  EXPECT_EQ(RowKeys(List("$top=1")), "a");
  EXPECT_EQ(RowKeys(List("$top=1000")), "a b");
  EXPECT_EQ(List("$top=1001").outcome(),
            Differs(Difference::kTopAboveAThousand) ? "200" : "400 InvalidInput");
  for (const char* top : {"$top=-1", "$top=abc"}) {
    EXPECT_EQ(List(top).outcome(),
              Differs(Difference::kErrorsWithoutBody) ? "400" : "400 InvalidInput")
        << top;
  }
}

// With a token, a client would request pages forever.
TEST_F(ContinuationTest, NothingIsAskedForByATopOfZero) {
  InsertRows({"a", "b"});
  const bool other = Differs(Difference::kTopOfZero);
  const ParsedResponse none = List("$top=0");
  EXPECT_EQ(none.At("/value/0"), kAbsent) << none.outcome();
  EXPECT_EQ(none.headers.Find("x-ms-continuation-NextPartitionKey") != nullptr, other);
  const ParsedResponse tables = Send({.path = "Tables", .query = "$top=0"});
  EXPECT_EQ(tables.outcome(), "200");
  EXPECT_EQ(tables.At("/value/0") == kAbsent, !other);
  EXPECT_EQ(tables.headers.Find("x-ms-continuation-NextTableName"), nullptr);
}

TEST_F(ContinuationTest, Tables) {
  const std::string last = "u" + table_.substr(1);
  ASSERT_TRUE(client().CreateTable(last, options_, cancel_).ok());
  const std::string filter =
      "$filter=" + PercentEncode("TableName eq '" + table_ + "' or TableName eq '" + last + "'");
  const ParsedResponse first = Send({.path = "Tables", .query = "$top=1&" + filter});
  EXPECT_EQ(first.At("/value"), "[{\"TableName\":\"" + table_ + "\"}]");
  const std::string token(first.headers.Get("x-ms-continuation-NextTableName"));
  EXPECT_FALSE(token.empty());
  const ParsedResponse second =
      Send({.path = "Tables", .query = filter + "&NextTableName=" + PercentEncode(token)});
  EXPECT_EQ(second.At("/value/0/TableName"), "\"" + last + "\"");
  EXPECT_EQ(second.At("/value/1"), kAbsent);
  EXPECT_EQ(second.headers.Find("x-ms-continuation-NextTableName"), nullptr);
  ASSERT_TRUE(client().DeleteTable(last, options_, cancel_).ok());
}

}  // namespace
}  // namespace aztables
