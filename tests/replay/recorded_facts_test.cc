// Compares recorded responses with handwritten facts: types and texts of values, continuation
// tokens, error codes and messages, statuses and indexes of batches.
#include <string>
#include <vector>

#include "odata/entity_page.h"
#include "odata/response_body.h"
#include "replay/recordings.h"
#include "unit/odata/show_cell.h"

namespace aztables::replay {
namespace {

using testing_support::Show;

class RecordedFactsTest : public RecordingsTest {};

struct CellFact {
  const char* id;
  size_t row;
  const char* property;
  const char* shown;
};

constexpr CellFact kCells[] = {
    // Every type, as inserted.
    {"entity-get-minimal", 0, "age", "Edm.Int64 39"},
    {"entity-get-minimal", 0, "sex", "Edm.String male"},
    {"entity-get-minimal", 0, "married", "Edm.Boolean 1"},
    {"entity-get-minimal", 0, "deceased", "Edm.Boolean 0"},
    {"entity-get-minimal", 0, "evenratio", "Edm.Double 3.0"},
    {"entity-get-minimal", 0, "ratio", "Edm.Double 3.1"},
    {"entity-get-minimal", 0, "Birthday", "Edm.DateTime 1973-10-04T00:00:00.0000000Z"},
    {"entity-get-minimal", 0, "birthday", "Edm.DateTime 1970-10-04T00:00:00.0000000Z"},
    {"entity-get-minimal", 0, "binary", "Edm.Binary 62696E617279"},
    {"entity-get-minimal", 0, "other", "Edm.Int32 20"},
    {"entity-get-minimal", 0, "clsid", "Edm.Guid c9da6455-213d-42c9-9a79-3e9149a57833"},
    {"entity-get-full", 0, "age", "Edm.Int64 39"},
    {"entity-get-full", 0, "evenratio", "Edm.Double 3.0"},
    {"entity-get-nometadata", 0, "age", "Edm.String 39"},
    {"entity-get-nometadata", 0, "Birthday", "Edm.String 1973-10-04T00:00:00Z"},
    // The service removes trailing zeros of dates, and the fraction if it is zero. The client
    // restores them.
    {"entity-insert-201-datetime", 0, "milliseconds", "Edm.DateTime 2011-11-04T00:05:23.2830000Z"},
    {"filter-datetime-eq", 0, "DateValue", "Edm.DateTime 2012-11-10T03:04:05.2000000Z"},
    {"filter-datetime-lt", 0, "date", "Edm.DateTime 2019-07-10T18:59:59.9990000Z"},
    // Doubles.
    {"entity-get-double-exponent", 0, "Value", "Edm.Double 1.23456789012346e+24"},
    {"entity-get-special-doubles", 0, "inf", "Edm.Double Infinity"},
    {"entity-get-special-doubles", 0, "negativeinf", "Edm.Double -Infinity"},
    {"entity-get-special-doubles", 0, "nan", "Edm.Double NaN"},
    {"entity-put-nan-sorted", 0, "DoubleTypeProperty", "Edm.Double NaN"},
    {"entity-put-nan-sorted", 0, "BinaryTypeProperty", "Edm.Binary 0102030405"},
    {"filter-double-eq", 0, "DoubleValue", "Edm.Double 123.45"},
    {"filter-not", 2, "DoubleInteger", "Edm.Double 4.0"},
    // Numbers.
    {"filter-int32-eq", 0, "Int32Value", "Edm.Int32 123"},
    {"filter-int64-eq-L", 0, "Int64Value", "Edm.Int64 4294967296"},
    {"filter-int64-absent", 0, "large_int", "Edm.Int64 1099511627776"},
    {"filter-int64-ge-L", 0, "Int64", "Edm.Int64 2147483650"},
    {"entity-insert-201", 0, "large", "Edm.Int32 933311100"},
    {"filter-binary-eq-X", 0, "BinaryValue", "Edm.Binary 010232"},
    {"filter-guid-eq", 0, "GuidValue", "Edm.Guid debc44d5-04a9-42ea-ab2f-4e2cb49ff833"},
    // A merge that changed a type, and the results of null and of an absent property.
    {"entity-get-after-upsert-merge", 0, "age", "Edm.String abc"},
    {"entity-get-after-upsert-merge", 0, "large", "Edm.Int64 933311100"},
    {"entity-get-after-upsert-replace", 0, "large", "null"},
    {"entity-get-select-null", 0, "xyz", "null"},
    {"entity-get-select-null", 0, "age", "Edm.Int64 39"},
    {"entity-get-null-dropped", 0, "age", "null"},
    {"entity-get-empty-strings", 0, "EmptyByte", "Edm.String "},
    {"entity-get-empty-strings", 0, "SpacesBeforeAndAfterByte", "Edm.String    Text   "},
    {"filter-or-and-precedence", 1, "IsAdmin", "Edm.String "},
    // Escapes in values, names and keys.
    {"query-unicode-name", 0, "\xE5\x95\x8A\xE9\xBD\x84\xE4\xB8\x82\xE7\x8B\x9B\xE7\x8B\x9C",
     "Edm.String \xEA\x80\x95"},
    {"query-unicode-name", 1, "\xE5\x95\x8A\xE9\xBD\x84\xE4\xB8\x82\xE7\x8B\x9B\xE7\x8B\x9C",
     "Edm.String hello"},
    {"filter-odd-chars", 0, "Chars", "Edm.String ?\"\\{}<>%"},
    {"filter-odd-chars", 0, "RowKey", "Edm.String =& "},
    {"entity-insert-odd-keys", 0, "PartitionKey", "Edm.String :@"},
    {"quotes-get", 0, "PartitionKey", "Edm.String a''''b"},
    {"get-empty-rk", 0, "RowKey", "Edm.String "},
    {"get-empty-rk", 0, "content", "Edm.String \n\nhi\n\nthere\n\n"},
    {"filter-special-chars", 0, "RowKey", "Edm.String row-\xC3\xB4- -''-\"-%20-%27-rk1"},
    // Timestamps with four to seven digits. Keys are present only if selected.
    {"entity-get-minimal", 0, "Timestamp", "Edm.DateTime 2017-11-10T02:44:46.1416145Z"},
    {"filter-not", 2, "Timestamp", "Edm.DateTime 2020-07-25T01:23:53.9961500Z"},
    {"sas-range-query-200", 0, "Timestamp", "Edm.DateTime 2021-01-19T17:08:02.4069790Z"},
    {"query-select", 0, "PartitionKey", "null"},
    {"query-select-one", 1, "Address", "Edm.String street10"},
    {"query-select-one", 1, "Timestamp", "null"},
    {"table-create-201", 0, "TableName", "Edm.String tableName1969384182"},
};

TEST_F(RecordedFactsTest, Values) {
  for (const CellFact& fact : kCells) {
    SCOPED_TRACE(std::string(fact.id) + " " + fact.property);
    EntityPage page({{fact.property}, false});
    const Recording& recording = Get(fact.id);
    const bool query = KindOf(recording) == Kind::kQuery;
    ASSERT_TRUE((query ? page.ReadQuery(recording.body) : page.ReadEntity(recording.body)).ok());
    ASSERT_LT(fact.row, page.size());
    const std::string_view name = fact.property;
    const size_t column = name == "PartitionKey" ? EntityPage::kPartitionKey
                          : name == "RowKey"     ? EntityPage::kRowKey
                          : name == "Timestamp"  ? EntityPage::kTimestamp
                                                 : EntityPage::kFirstProperty;
    EXPECT_EQ(Show(page.At(fact.row, column)), fact.shown);
  }
}

TEST_F(RecordedFactsTest, SurrogatePairs) {
  EntityPage page({{"gb18030"}, false});
  ASSERT_TRUE(page.ReadQuery(Get("query-surrogates").body).ok());
  const std::string_view text = page.At(0, EntityPage::kFirstProperty).view();
  EXPECT_TRUE(IsValidUtf8(text));
  // U+21B01 U+20EDD U+290BB, then U+8028.
  EXPECT_TRUE(text.starts_with("\xF0\xA1\xAC\x81\xF0\xA0\xBB\x9D\xF0\xA9\x82\xBB\xE8\x80\xA8"));
  EXPECT_NE(text.find(", Uighur, "), std::string_view::npos);
}

TEST_F(RecordedFactsTest, NumbersOfEntities) {
  const std::pair<const char*, size_t> kSizes[] = {
      {"query-empty", 0},         {"filter-contradiction", 0}, {"filter-double-encoded", 0},
      {"filter-int64-absent", 1}, {"filter-and", 1},           {"filter-or-and-precedence", 2},
      {"filter-not", 3},          {"sas-range-query-200", 1},  {"query-select", 2},
  };
  for (const auto& [id, size] : kSizes) {
    EntityPage page({{}, false});
    ASSERT_TRUE(page.ReadQuery(Get(id).body).ok()) << id;
    EXPECT_EQ(page.size(), size) << id;
  }
}

TEST_F(RecordedFactsTest, PropertyOrderIsSortedAfterAnUpdate) {
  EntityPage page({{}, true});
  ASSERT_TRUE(page.ReadEntity(Get("entity-get-after-upsert-merge").body).ok());
  const auto properties = ReadEntityText(page.At(0, EntityPage::kEntity).view());
  ASSERT_TRUE(properties.ok());
  ASSERT_EQ(properties->size(), 13U);
  for (size_t i = 1; i < properties->size(); ++i) {
    EXPECT_LT((*properties)[i - 1].name, (*properties)[i].name);
  }
}

struct TokenFact {
  const char* id;
  const char* header;
  const char* value;  // null: the header is absent
};

constexpr TokenFact kTokens[] = {
    {"query-top2-page1", "x-ms-continuation-NextPartitionKey", "1!16!cGs4MDEwMTZlOA--"},
    {"query-top2-page1", "x-ms-continuation-NextRowKey", "1!20!cms4MDEwMTZlODEyMw--"},
    {"query-top2-page3", "x-ms-continuation-NextPartitionKey", nullptr},
    {"query-top2-page3", "x-ms-continuation-NextRowKey", nullptr},
    // Another recorder, which changes names to lower case.
    {"query-top9-page2", "x-ms-continuation-NextPartitionKey",
     "1!40!cGFydGl0aW9uMS3DtC0gLSctIi0lMjAtJTI3LXBr"},
    {"query-top9-page2", "x-ms-continuation-NextRowKey",
     "1!36!cm93LcO0LSAtJyctIi0lMjAtJTI3LXJrOA--"},
    {"tables-list-top2", "x-ms-continuation-NextTableName",
     "1!40!dGFibGUzNTg2MTlkMgEwMWQzNTljZGFiMWI3OTg1"},
    {"tables-filter-top1", "x-ms-continuation-NextTableName",
     "1!52!dGFibGVzZXJ2aWNldGVzdGRhdGExNwEwMWQzMjE5MmJmZWVmNjIz"},
    {"query-empty", "x-ms-continuation-NextPartitionKey", nullptr},
};

TEST_F(RecordedFactsTest, ContinuationTokens) {
  for (const TokenFact& fact : kTokens) {
    const std::string* const token = Get(fact.id).headers.Find(fact.header);
    ASSERT_EQ(token != nullptr, fact.value != nullptr) << fact.id << " " << fact.header;
    if (token != nullptr) {
      EXPECT_EQ(*token, fact.value) << fact.id;
    }
  }
}

TEST_F(RecordedFactsTest, ListsOfTables) {
  EXPECT_EQ(
      *ReadTableNames(Get("tables-list-top2").body),
      (std::vector<std::string>{"listtable3f561007", "table01195b113b204be595f426a2aec78bf6"}));
  EXPECT_EQ(ReadTableNames(Get("tables-filter-top1").body)->at(0), "tableservicetestdata16");
}

}  // namespace
}  // namespace aztables::replay
