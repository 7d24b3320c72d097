// Checks the results of $filter: comparisons by type, absent properties, negation, quotes, invalid
// filters.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

// The results of a filter on the service, and on Azurite if they differ.
struct Case {
  const char* filter;
  const char* rows;
  std::optional<Difference> difference;
  const char* azurite = nullptr;
};

class FiltersTest : public RawTest {
 protected:
  template <size_t n>
  void Check(const Case (&cases)[n]) const {
    for (const Case& one : cases) {
      const bool differs = one.difference && Differs(*one.difference);
      EXPECT_EQ(Rows(one.filter), differs ? one.azurite : one.rows) << one.filter;
    }
  }
  // One entity for each type that V may have, and one without V.
  void InsertEveryType() const {
    Insert("absent");
    Insert("bool", R"("V":true)");
    Insert("date", R"("V@odata.type":"Edm.DateTime","V":"2026-11-02T10:00:00Z")");
    Insert("double", R"("V@odata.type":"Edm.Double","V":5.5)");
    Insert("guid", R"("V@odata.type":"Edm.Guid","V":"c9da6455-213d-42c9-9a79-3e9149a57833")");
    Insert("int", R"("V":5)");
    Insert("text", R"("V":"5")");
  }
};

TEST_F(FiltersTest, Text) {
  Insert("1", R"("V":"")");
  Insert("2", R"("V":"O'Brien")");
  Insert("3", R"("V":"a")");
  Insert("4", R"("V":"b")");
  Insert("5", R"("V":"\uD83D\uDE00")");
  Insert("6", R"("V":"\uE000")");
  Check({{"V eq 'a'", "3"},
         {"V eq 'A'", ""},
         {"V eq 'O''Brien'", "2"},
         {"V eq ''", "1"},
         {"V gt 'a'", "4 5 6"},
         {"V ge 'a' and V lt 'b'", "3"},
         {"V gt '\xF0\x9F\x98\x80'", "6"},
         {"V le ''", "1"},
         {"V ne 'a'", "1 2 4 5 6"},
         {"v eq 'a'", ""},
         {"'a' eq V", "3"},
         {"'a' lt V", "4 5 6"},
         {"V eq 'a%27'", ""}});
}

TEST_F(FiltersTest, Numbers) {
  Insert("1", R"("I":-5,"D@odata.type":"Edm.Double","D":-0.5)");
  Insert("2", R"("I":40,"D@odata.type":"Edm.Double","D":4)");
  Insert("3", R"("I":123,"D@odata.type":"Edm.Double","D":123.45)");
  Check({{"I eq 123", "3"},
         {"I lt 40", "1"},
         {"I gt -5", "2 3"},
         {"I ne 40", "1 3"},
         {"I le 40 and I ge 40", "2"},
         {"D eq 123.45", "3"},
         {"D lt 4.1", "1 2"},
         {"D ge -0.5", "1 2 3"},
         {"D eq 4.0", "2"},
         {"D ge 1.2345e2", "3", Difference::kExponentInFilters, ""}});
}

TEST_F(FiltersTest, LargeIntegers) {
  Insert("1", R"("V@odata.type":"Edm.Int64","V":"9007199254740992")");
  Insert("2", R"("V@odata.type":"Edm.Int64","V":"9007199254740993")");
  Insert("3", R"("V@odata.type":"Edm.Int64","V":"-9223372036854775808")");
  Insert("4", R"("V@odata.type":"Edm.Int64","V":"10")");
  Insert("5");
  Check({{"V eq 9007199254740993L", "2"},
         {"V gt 9007199254740992L", "2"},
         {"V lt 9L", "3"},
         {"V ge 10L", "1 2 4"},
         {"V eq 9223372036854775807L", ""},
         {"V eq -9223372036854775808L", "3"},
         {"V eq 9223372036854775808L", "400 InvalidInput", Difference::kLiteralsNotChecked, ""},
         {"V eq 10", "4", Difference::kInt32LiteralOnInt64, ""},
         {"V eq 99999999999", "400 InvalidInput", Difference::kLiteralsNotChecked, ""}});
}

TEST_F(FiltersTest, Dates) {
  Insert("1", R"("V@odata.type":"Edm.DateTime","V":"2026-11-02T10:00:00.1234567Z")");
  Insert("2", R"("V@odata.type":"Edm.DateTime","V":"2026-11-02T10:00:00.1234568Z")");
  Insert("3", R"("V@odata.type":"Edm.DateTime","V":"2026-11-02T10:00:00.2Z")");
  const Difference ms = Difference::kDatesToTheMillisecond;
  Check({{"V eq datetime'2026-11-02T10:00:00.1234567Z'", "1", ms, "1 2"},
         {"V gt datetime'2026-11-02T10:00:00.1234567Z'", "2 3", ms, "3"},
         {"V eq datetime'2026-11-02T10:00:00.200Z'", "3"},
         {"V lt datetime'2026-11-02T10:00:00.2Z'", "1 2"},
         {"V gt datetime'2026-11-02T10:00:01Z'", ""},
         {"V eq datetime'nodate'", "400 InvalidInput", Difference::kLiteralsNotChecked, ""}});
}

TEST_F(FiltersTest, Guids) {
  Insert("1", R"("V@odata.type":"Edm.Guid","V":"c9da6455-213d-42c9-9a79-3e9149a57833")");
  Insert("2", R"("V":"c9da6455-213d-42c9-9a79-3e9149a57833")");
  Check({{"V eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'", "1", Difference::kGuidIsText, "1 2"},
         {"V eq guid'C9DA6455-213D-42C9-9A79-3E9149A57833'", "1", Difference::kGuidIsText, ""},
         {"V eq 'c9da6455-213d-42c9-9a79-3e9149a57833'", "2"},
         {"V eq guid'x'", "400 InvalidInput", Difference::kLiteralsNotChecked, ""}});
}

TEST_F(FiltersTest, Binary) {
  Insert("1", R"("V@odata.type":"Edm.Binary","V":"AQI=")");  // 0102
  Insert("2", R"("V@odata.type":"Edm.Binary","V":"AQID")");  // 010203
  Insert("3", R"("V@odata.type":"Edm.Binary","V":"/w==")");  // FF
  Check({{"V eq X'0102'", "1"},
         {"V eq binary'010203'", "2"},
         {"V eq X'ff'", "3"},
         {"V ge X'010203'", "2 3", Difference::kOrderOfBinary, "2"},
         {"V eq X'1'", "400 InvalidInput", Difference::kLiteralsNotChecked, ""}});
}

TEST_F(FiltersTest, Booleans) {
  Insert("1", R"("V":true)");
  Insert("2", R"("V":false)");
  Insert("3");
  Check({{"V eq true", "1"}, {"V eq false", "2"}, {"V ne true", "2"}});
  // Azure accepts capitals, which Python and .NET write.
  Check({{"V eq True", "1"}, {"V eq FALSE", "2"}});
}

// .NET Aspire's health check lists tables by the filter false.
TEST_F(FiltersTest, Constants) {
  for (const char* row : {"1", "2", "3"}) Insert(row);
  Check({{"true", "1 2 3"},
         {"false", ""},
         {"(true and RowKey eq '1') or false", "1"},
         {"not false and RowKey gt '1'", "2 3"},
         {"not (true)", "", Difference::kFilterGrammar, "400 InvalidInput"},
         {"RowKey eq '2' or (false or true)", "1 2 3"},
         {"RowKey eq '2' and (false or not true)", ""}});
  const auto tables = [this](const char* filter) {
    const ParsedResponse response =
        Send({.path = "Tables", .query = std::string("$filter=") + filter});
    if (response.status != 200) return response.outcome();
    return std::string(response.body.find('"' + table_ + '"') == std::string::npos ? "" : "found");
  };
  EXPECT_EQ(tables("true"), "found");
  EXPECT_EQ(tables("false"), "");
  const ParsedResponse number = List("$filter=1");
  EXPECT_EQ(number.outcome(), "400 InvalidInput");
  EXPECT_EQ(number.message,
            Differs(Difference::kWordsOfErrors)
                ? "The query condition specified in the request is invalid."
                : "The $filter expression must evaluate to a single boolean value.");
}

TEST_F(FiltersTest, AnAbsentPropertyMatchesNothing) {
  Insert("1", R"("V":1)");
  Insert("2");
  Check({{"V eq 1", "1"},
         {"V ne 1", ""},
         {"V ne 2", "1"},
         {"V lt 2", "1"},
         {"Never eq 'x'", ""},
         {"Never ne 'x'", ""},
         {"not (V eq 1)", "2"},
         {"not (V eq 2)", "1 2"},
         {"not (Never lt 'x')", "1 2"}});
}

TEST_F(FiltersTest, ValuesOfOtherTypes) {
  InsertEveryType();
  const Difference coerced = Difference::kTypesAreCoerced;
  Check(
      {{"V eq '5'", "text"},
       {"V eq 5", "int"},
       {"V eq 5.5", "double"},
       {"V ge 5", "int", coerced, "double int text"},
       {"V lt 6", "int", coerced, "bool double int text"},
       {"V eq 5L", "", Difference::kLongLiteralOnOthers, "500"},
       {"V eq true", "bool"},
       {"V gt '4'", "text", coerced, "double guid int text"},
       {"V eq datetime'2026-11-02T10:00:00Z'", "date"},
       {"V eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'", "guid", coerced, "bool double guid int"},
       {"V eq X'05'", "", coerced, "bool double int"},
       {"V ne 5", "bool date double guid text"}});
}

TEST_F(FiltersTest, Precedence) {
  Insert("1", R"("A":1,"B":1)");
  Insert("2", R"("A":1,"B":2)");
  Insert("3", R"("A":2,"B":2)");
  Check({{"A eq 1 or A eq 2 and B eq 1", "1 2"},
         {"(A eq 1 or A eq 2) and B eq 1", "1"},
         {"not (A eq 1) and B eq 2", "3"},
         {"not (A eq 1 and B eq 2)", "1 3"},
         {"A eq 1 and B eq 1 or A eq 2", "1 3"},
         {"((((A eq 2))))", "3"}});
}

TEST_F(FiltersTest, Keys) {
  for (const char* row : {"a", "b", "c"}) Insert(row);
  Insert("b", "", "q");
  Check({{"PartitionKey eq 'p' and RowKey gt 'a'", "b c"},
         {"PartitionKey eq 'p' and RowKey ne 'b'", "a c"},
         {"PartitionKey eq 'p' and (RowKey eq 'a' or RowKey eq 'c')", "a c"},
         {"RowKey eq 'b'", "b b"},
         {"PartitionKey gt 'p'", "b"},
         {"PartitionKey eq 'p' and PartitionKey eq 'q'", ""},
         {"PartitionKey eq 'p' and not (RowKey eq 'b')", "a c"},
         {"RowKey lt 'b' or RowKey gt 'b'", "a c"},
         {"PartitionKey eq 'p' or PartitionKey eq 'p'", "a b c"},
         {"", "a b c b"}});
}

TEST_F(FiltersTest, WhatIsNoFilter) {
  Insert("1", R"("V":1,"W":1)");
  const Difference lenient = Difference::kFilterGrammar;
  Check({{"aaa bbb ccc", "400 InvalidInput"},
         {"V eq", "400 InvalidInput"},
         {"V eq 1 and", "400 InvalidInput"},
         {"(V eq 1", "400 InvalidInput"},
         {"V eq 'x", "400 InvalidInput", lenient, ""},
         {"V eq null", "400 InvalidInput", lenient, ""},
         {"V eq W", "400 InvalidInput", lenient, "1"},
         {"V EQ 1", "400 InvalidInput", lenient, "1"},
         {"V", "400 InvalidInput", lenient, "1"},
         {"startswith(V,'a')", "501 NotImplemented", lenient, "400 InvalidInput"},
         {"V add 1 eq 2", "501 NotImplemented", lenient, "400 InvalidInput"}});
  const ParsedResponse response = List("$filter=aaa%20bbb%20ccc");
  EXPECT_EQ(response.message, Differs(Difference::kWordsOfErrors)
                                  ? "The query condition specified in the request is invalid."
                                  : "Syntax error at position 7 in 'aaa bbb ccc'.");
}

TEST_F(FiltersTest, NamesOfProperties) {
  Insert("1", R"("_a1":1,"\u00c4nd":1,"eq":1,"datetime":1)");
  Check({{"_a1 eq 1", "1"}, {"_A1 eq 1", ""}, {"\xC3\x84nd eq 1", "1"}, {"datetime eq 1", "1"}});
}

TEST_F(FiltersTest, EncodingsInTheQuery) {
  Insert("a b", R"("V":"x+y")");
  EXPECT_EQ(RowKeys(List("$filter=RowKey+eq+'a+b'")), "a b");
  EXPECT_EQ(RowKeys(List("%24filter=RowKey%20eq%20%27a%20b%27")), "a b");
  EXPECT_EQ(RowKeys(List("$filter=V%20eq%20'x%2By'")), "a b");
  EXPECT_EQ(RowKeys(List("$filter=V%20eq%20'x%252By'")), "") << "encoded twice";
}

}  // namespace
}  // namespace aztables
