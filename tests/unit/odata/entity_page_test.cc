// Checks EntityPage: all types in all forms, annotations in any position, malformed values, and
// entities of different shapes on one page.
#include "odata/entity_page.h"

#include <gtest/gtest.h>

#include <string>

#include "odata/entity_reader.h"
#include "unit/odata/show_cell.h"

namespace aztables {
namespace {

using testing_support::kFirst;
using testing_support::Show;

// The cell of property "A" in the entity with these members.
std::string ReadA(const std::string& members) {
  EntityPage page({{"A"}, false});
  const Status status = page.ReadQuery("{\"value\":[{" + members + "}]}");
  if (!status.ok()) return std::string(status.message());
  if (page.size() != 1) return "no row";
  return Show(page.At(0, kFirst));
}

// The same with an annotation before the property, and after it. Both must be equal.
std::string ReadTyped(const std::string& type, const std::string& value) {
  const std::string annotation = "\"A@odata.type\":\"" + type + "\"";
  const std::string property = "\"A\":" + value;
  const std::string before = ReadA(annotation + "," + property);
  const std::string behind = ReadA(property + ",\"B\":1," + annotation);
  return before == behind ? before : before + " but behind it " + behind;
}

TEST(EntityPageTest, UnannotatedValues) {
  EXPECT_EQ(ReadA(R"("A":"text")"), "Edm.String text");
  EXPECT_EQ(ReadA(R"("A":"")"), "Edm.String ");
  EXPECT_EQ(ReadA(R"("A":true)"), "Edm.Boolean 1");
  EXPECT_EQ(ReadA(R"("A":false)"), "Edm.Boolean 0");
  EXPECT_EQ(ReadA(R"("A":5)"), "Edm.Int32 5");
  EXPECT_EQ(ReadA(R"("A":-2147483648)"), "Edm.Int32 -2147483648");
  EXPECT_EQ(ReadA(R"("A":2147483647)"), "Edm.Int32 2147483647");
  EXPECT_EQ(ReadA(R"("A":5.0)"), "Edm.Double 5.0") << "no Int32: the point says so";
  EXPECT_EQ(ReadA(R"("A":3.25)"), "Edm.Double 3.25");
  EXPECT_EQ(ReadA(R"("A":-0.0)"), "Edm.Double -0.0");
  EXPECT_EQ(ReadA(R"("A":1.23456789012346E+24)"), "Edm.Double 1.23456789012346e+24");
  EXPECT_EQ(ReadA(R"("A":1e3)"), "Edm.Double 1000.0");
  EXPECT_EQ(ReadA(R"("A":1.5E-09)"), "Edm.Double 1.5e-09");
  EXPECT_EQ(ReadA(R"("A":2147483648)"), "Edm.Double 2147483648.0") << "outside Int32";
  EXPECT_EQ(ReadA(R"("A":-2147483649)"), "Edm.Double -2147483649.0");
  EXPECT_EQ(ReadA(R"("A":null)"), "null");
  EXPECT_EQ(ReadA(R"("B":1)"), "null");
  EXPECT_EQ(ReadA(""), "null");
}

// `_entity` marks a Double that the page shows as one.
TEST(EntityPageTest, LargeIntegersAreMarkedInEntity) {
  EntityPage page({{"A", "B"}, true});
  const Status status = page.ReadQuery(
      R"({"value":[{"A":2147483648,"B":-2147483648},{"A":-3000000000,"B":3000000000.0},)"
      R"({"A":12345678901234567890,"B":1e300}]})");
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(page.At(0, EntityPage::kEntity).view(),
            R"({"A@odata.type":"Edm.Double","A":2147483648,"B":-2147483648})");
  EXPECT_EQ(page.At(1, EntityPage::kEntity).view(),
            R"({"A@odata.type":"Edm.Double","A":-3000000000,"B":3000000000.0})");
  EntityReader reader;
  for (size_t row = 0; row < page.size(); ++row) {
    for (const char* name : {"A", "B"}) {
      const auto value = reader.Get(page.At(row, EntityPage::kEntity).view(), name);
      ASSERT_TRUE(value.ok()) << value.status().message();
      EXPECT_EQ(Show(*value), Show(page.At(row, kFirst + (name[0] == 'A' ? 0 : 1))));
    }
  }
}

TEST(EntityPageTest, AnnotatedValues) {
  EXPECT_EQ(ReadTyped("Edm.String", R"("5")"), "Edm.String 5");
  EXPECT_EQ(ReadTyped("Edm.Int32", "5"), "Edm.Int32 5");
  EXPECT_EQ(ReadTyped("Edm.Int64", R"("9223372036854775807")"), "Edm.Int64 9223372036854775807");
  EXPECT_EQ(ReadTyped("Edm.Int64", R"("-9223372036854775808")"), "Edm.Int64 -9223372036854775808");
  EXPECT_EQ(ReadTyped("Edm.Int64", "5"), "Edm.Int64 5");
  EXPECT_EQ(ReadTyped("Edm.Double", "5"), "Edm.Double 5.0");
  EXPECT_EQ(ReadTyped("Edm.Double", "5.5"), "Edm.Double 5.5");
  EXPECT_EQ(ReadTyped("Edm.Double", R"("1.5e+24")"), "Edm.Double 1.5e+24");
  EXPECT_EQ(ReadTyped("Edm.Double", R"("NaN")"), "Edm.Double NaN");
  EXPECT_EQ(ReadTyped("Edm.Double", R"("Infinity")"), "Edm.Double Infinity");
  EXPECT_EQ(ReadTyped("Edm.Double", R"("-Infinity")"), "Edm.Double -Infinity");
  EXPECT_EQ(ReadTyped("Edm.Boolean", "true"), "Edm.Boolean 1");
  EXPECT_EQ(ReadTyped("Edm.Boolean", R"("false")"), "Edm.Boolean 0");
  EXPECT_EQ(ReadTyped("Edm.Boolean", R"("TRUE")"), "Edm.Boolean 1");
  EXPECT_EQ(ReadTyped("Edm.Boolean", R"("False")"), "Edm.Boolean 0");
  EXPECT_EQ(ReadTyped("Edm.DateTime", R"("2012-11-10T03:04:05.2Z")"),
            "Edm.DateTime 2012-11-10T03:04:05.2000000Z");
  EXPECT_EQ(ReadTyped("Edm.DateTime", R"("1601-01-01T00:00:00Z")"),
            "Edm.DateTime 1601-01-01T00:00:00.0000000Z");
  EXPECT_EQ(ReadTyped("Edm.Guid", R"("C9DA6455-213D-42C9-9A79-3E9149A57833")"),
            "Edm.Guid c9da6455-213d-42c9-9a79-3e9149a57833");
  EXPECT_EQ(ReadTyped("Edm.Binary", R"("AAEC/w==")"), "Edm.Binary 000102FF");
  EXPECT_EQ(ReadTyped("Edm.Binary", R"("")"), "Edm.Binary ");
  for (const char* type : {"Edm.Int32", "Edm.Int64", "Edm.Double", "Edm.Boolean", "Edm.DateTime",
                           "Edm.Guid", "Edm.Binary", "Edm.String", "Edm.Unheard"}) {
    EXPECT_EQ(ReadTyped(type, "null"), "null") << type;
  }
}

TEST(EntityPageTest, MalformedValuesAreFlaggedAndKeepTheirText) {
  EXPECT_EQ(ReadTyped("Edm.Int32", R"("five")"), "malformed Edm.Int32 five");
  EXPECT_EQ(ReadTyped("Edm.Int32", "2147483648"), "malformed Edm.Int32 2147483648");
  EXPECT_EQ(ReadTyped("Edm.Int32", "5.0"), "malformed Edm.Int32 5.0");
  EXPECT_EQ(ReadTyped("Edm.Int32", "true"), "malformed Edm.Int32 true");
  EXPECT_EQ(ReadTyped("Edm.Int64", R"("9223372036854775808")"),
            "malformed Edm.Int64 9223372036854775808");
  EXPECT_EQ(ReadTyped("Edm.Int64", R"("")"), "malformed Edm.Int64 ");
  EXPECT_EQ(ReadTyped("Edm.Double", R"("1,5")"), "malformed Edm.Double 1,5");
  EXPECT_EQ(ReadTyped("Edm.Double", "false"), "malformed Edm.Double false");
  EXPECT_EQ(ReadTyped("Edm.Boolean", "1"), "malformed Edm.Boolean 1");
  EXPECT_EQ(ReadTyped("Edm.Boolean", R"("yes")"), "malformed Edm.Boolean yes");
  EXPECT_EQ(ReadTyped("Edm.Boolean", R"("TRUE ")"), "malformed Edm.Boolean TRUE ");
  EXPECT_EQ(ReadTyped("Edm.DateTime", R"("yesterday")"), "malformed Edm.DateTime yesterday");
  EXPECT_EQ(ReadTyped("Edm.DateTime", R"("2012-13-10T00:00:00Z")"),
            "malformed Edm.DateTime 2012-13-10T00:00:00Z");
  EXPECT_EQ(ReadTyped("Edm.DateTime", "20121110"), "malformed Edm.DateTime 20121110");
  EXPECT_EQ(ReadTyped("Edm.Guid", R"("not-a-guid")"), "malformed Edm.Guid not-a-guid");
  EXPECT_EQ(ReadTyped("Edm.Binary", R"("AAE")"), "malformed Edm.Binary AAE");
  EXPECT_EQ(ReadTyped("Edm.String", "5"), "malformed Edm.String 5");
  // An unknown type: nothing is known of the value.
  EXPECT_EQ(ReadTyped("Edm.Unheard", R"("x")"), "malformed null x");
  EXPECT_EQ(ReadTyped("Edm.Unheard", "5"), "malformed null 5");
  EXPECT_EQ(ReadTyped("edm.int64", R"("5")"), "malformed null 5");
}

TEST(EntityPageTest, AMalformedTimestampIsFlagged) {
  EntityPage page({{}, false});
  ASSERT_TRUE(page.ReadQuery(R"({"value":[{"Timestamp":"soon"},{"Timestamp":5}]})").ok());
  EXPECT_EQ(Show(page.At(0, EntityPage::kTimestamp)), "malformed Edm.DateTime soon");
  EXPECT_EQ(Show(page.At(1, EntityPage::kTimestamp)), "malformed Edm.DateTime 5");
}

TEST(EntityPageTest, BuiltInCells) {
  EntityPage page({{"A"}, false});
  ASSERT_TRUE(page.ReadQuery(R"({"odata.metadata":"x","value":[{
      "odata.etag":"W/\"datetime'2026-11-02T10%3A00%3A00.5Z'\"","PartitionKey":"p","RowKey":"",
      "Timestamp":"2026-11-02T10:00:00.5Z","A":1}]})")
                  .ok());
  EXPECT_EQ(Show(page.At(0, EntityPage::kPartitionKey)), "Edm.String p");
  EXPECT_EQ(Show(page.At(0, EntityPage::kRowKey)), "Edm.String ");
  EXPECT_EQ(Show(page.At(0, EntityPage::kTimestamp)), "Edm.DateTime 2026-11-02T10:00:00.5000000Z");
  EXPECT_EQ(Show(page.At(0, EntityPage::kEtag)),
            "Edm.String W/\"datetime'2026-11-02T10%3A00%3A00.5Z'\"");
  EXPECT_EQ(Show(page.At(0, EntityPage::kEntity)), "null") << "not asked for";
  EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int32 1");
}

// Members that exist only in full metadata are not properties, on a page and in a point read.
TEST(EntityPageTest, FullMetadata) {
  const std::string entity =
      R"j("odata.type":"shop.jars","odata.id":"https://shop.example/jars(PartitionKey='p',)j"
      R"j(RowKey='r')","odata.etag":"W/\"e\"","odata.editLink":"jars(PartitionKey='p',)j"
      R"j(RowKey='r')","PartitionKey":"p","RowKey":"r","Timestamp@odata.type":"Edm.DateTime",)j"
      R"j("Timestamp":"2031-05-06T07:08:09.12345Z","A@odata.type":"Edm.Int64","A":"5"})j";
  EntityPage page({{"A"}, true});
  for (const bool query : {true, false}) {
    ASSERT_TRUE((query ? page.ReadQuery(R"({"odata.metadata":"m#jars","value":[{)" + entity + "]}")
                       : page.ReadEntity(R"({"odata.metadata":"m#jars/@Element",)" + entity))
                    .ok());
    ASSERT_EQ(page.size(), 1U);
    EXPECT_EQ(Show(page.At(0, EntityPage::kPartitionKey)), "Edm.String p");
    EXPECT_EQ(Show(page.At(0, EntityPage::kTimestamp)),
              "Edm.DateTime 2031-05-06T07:08:09.1234500Z");
    EXPECT_EQ(Show(page.At(0, EntityPage::kEtag)), "Edm.String W/\"e\"");
    EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int64 5");
    EXPECT_EQ(page.At(0, EntityPage::kEntity).view(), R"({"A@odata.type":"Edm.Int64","A":"5"})");
  }
}

TEST(EntityPageTest, EscapesInValues) {
  EXPECT_EQ(ReadA(R"("A":"\u554a \u00f4 \ud83d\ude00 \uFFFF")"),
            "Edm.String \xE5\x95\x8A \xC3\xB4 \xF0\x9F\x98\x80 \xEF\xBF\xBF");
  EXPECT_EQ(ReadA(R"("A":"\b\f\n\r\t\"\\\/")"), "Edm.String \b\f\n\r\t\"\\/");
  EXPECT_EQ(ReadA(R"("A":"a\u0000b")"), std::string("Edm.String a\0b", 14));
  EXPECT_EQ(ReadA("\"A\":\"\xF0\x9F\x98\x80\""), "Edm.String \xF0\x9F\x98\x80") << "raw UTF-8";
}

TEST(EntityPageTest, EscapesInNames) {
  const std::string name = "\xE5\x95\x8A\xF0\xA1\xAF\xBF\xC3\xB4";  // U+554A U+21BFF U+F4
  EntityPage page({{name}, true});
  ASSERT_TRUE(page.ReadQuery(R"({"value":[
      {"\u554a\ud846\udfff\u00f4@odata.type":"Edm.Int64","\u554a\ud846\udfff\u00f4":"5"},
      {"\u554A\uD846\uDFFF\u00F4":"upper"},{")" +
                             name + R"(":true}]})")
                  .ok());
  ASSERT_EQ(page.size(), 3U);
  EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int64 5");
  EXPECT_EQ(Show(page.At(1, kFirst)), "Edm.String upper");
  EXPECT_EQ(Show(page.At(2, kFirst)), "Edm.Boolean 1");
  EXPECT_EQ(page.At(0, EntityPage::kEntity).view(),
            "{\"" + name + "@odata.type\":\"Edm.Int64\",\"" + name + "\":\"5\"}");
}

TEST(EntityPageTest, MembersInAnotherOrderInEachEntity) {
  EntityPage page({{"A", "B", "C"}, false});
  ASSERT_TRUE(page.ReadQuery(R"({"value":[
      {"PartitionKey":"p1","RowKey":"r1","A":1,"B":2.5,"C@odata.type":"Edm.Int64","C":"3"},
      {"C":"c","RowKey":"r2","PartitionKey":"p2","A":true},
      {"B":"b","C":"4","A":"2","C@odata.type":"Edm.Int64","A@odata.type":"Edm.Int64"},
      {},
      {"PartitionKey":"p5","RowKey":"r5","A":1,"B":2.5,"C@odata.type":"Edm.Int64","C":"3"}]})")
                  .ok());
  ASSERT_EQ(page.size(), 5U);
  const char* const expected[5][5] = {
      {"Edm.String p1", "Edm.String r1", "Edm.Int32 1", "Edm.Double 2.5", "Edm.Int64 3"},
      {"Edm.String p2", "Edm.String r2", "Edm.Boolean 1", "null", "Edm.String c"},
      {"null", "null", "Edm.Int64 2", "Edm.String b", "Edm.Int64 4"},
      {"null", "null", "null", "null", "null"},
      {"Edm.String p5", "Edm.String r5", "Edm.Int32 1", "Edm.Double 2.5", "Edm.Int64 3"},
  };
  for (size_t row = 0; row < 5; ++row) {
    EXPECT_EQ(Show(page.At(row, EntityPage::kPartitionKey)), expected[row][0]) << row;
    EXPECT_EQ(Show(page.At(row, EntityPage::kRowKey)), expected[row][1]) << row;
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(Show(page.At(row, kFirst + i)), expected[row][2 + i]) << row << " " << i;
    }
  }
}

TEST(EntityPageTest, NamesThatBeginAlikeOrLookLikeAnnotations) {
  EntityPage page({{"A", "AB", "odata", "A@odata"}, true});
  ASSERT_TRUE(page.ReadQuery(R"({"value":[{"AB":1,"A":2,"odata":3,"@odata.type":4},
                                          {"A":5,"AB":6,"odata.other":7}]})")
                  .ok());
  EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int32 2");
  EXPECT_EQ(Show(page.At(0, kFirst + 1)), "Edm.Int32 1");
  EXPECT_EQ(Show(page.At(0, kFirst + 2)), "Edm.Int32 3");
  EXPECT_EQ(Show(page.At(1, kFirst)), "Edm.Int32 5");
  EXPECT_EQ(Show(page.At(1, kFirst + 1)), "Edm.Int32 6");
  EXPECT_EQ(page.At(1, EntityPage::kEntity).view(), R"({"A":5,"AB":6})");
}

// The name at each place is compared with that of the last entity.
TEST(EntityPageTest, ANameThatBeginsAsTheOneBeforeIsAnother) {
  const std::vector<std::string> names = {"A", "A\"",         "A\"B",        "AB",
                                          "",  "NameOfSeven", "NameOfSevens"};
  const std::vector<std::string> raw = {"A", R"(A\")",      R"(A\"B)",     "AB",
                                        "",  "NameOfSeven", "NameOfSevens"};
  for (size_t before = 0; before < names.size(); ++before) {
    for (size_t i = 0; i < names.size(); ++i) {
      EntityPage page({names, false});
      ASSERT_TRUE(
          page.ReadQuery("{\"value\":[{\"" + raw[before] + "\":1},{\"" + raw[i] + "\":2}]}").ok());
      EXPECT_EQ(Show(page.At(0, kFirst + before)), "Edm.Int32 1") << raw[before] << " " << raw[i];
      EXPECT_EQ(Show(page.At(1, kFirst + i)), "Edm.Int32 2") << raw[before] << " " << raw[i];
      EXPECT_EQ(page.At(1, kFirst + before).type == EdmType::kNull, i != before);
    }
  }
}

TEST(EntityPageTest, ManyDynamicProperties) {
  constexpr size_t kProperties = 240;
  std::vector<std::string> names;
  for (size_t i = 0; i < kProperties; ++i) names.push_back("Property" + std::to_string(i));
  std::string body = "{\"value\":[";
  for (size_t row = 0; row < 20; ++row) {
    body += row == 0 ? "{\"RowKey\":\"0\"" : ",{\"RowKey\":\"" + std::to_string(row) + "\"";
    for (size_t i = 0; i < kProperties; ++i) {
      if ((i + row) % 7 == 0) continue;  // each entity lacks different properties
      const std::string& name = names[(i * 11 + row) % kProperties];
      body += ",\"" + name + "\":" + std::to_string(row * 1000 + (i * 11 + row) % kProperties);
    }
    body += "}";
  }
  EntityPage page({names, true});
  ASSERT_TRUE(page.ReadQuery(body + "]}").ok());
  ASSERT_EQ(page.size(), 20U);
  for (size_t row = 0; row < 20; ++row) {
    size_t present = 0;
    for (size_t i = 0; i < kProperties; ++i) {
      const Cell& cell = page.At(row, kFirst + i);
      if (cell.type == EdmType::kNull) continue;
      EXPECT_EQ(Show(cell), "Edm.Int32 " + std::to_string(row * 1000 + i));
      ++present;
    }
    size_t expected = 0;
    for (size_t i = 0; i < kProperties; ++i) expected += (i + row) % 7 != 0 ? 1 : 0;
    EXPECT_EQ(present, expected);
  }
}

}  // namespace
}  // namespace aztables
