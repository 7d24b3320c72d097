// Checks the readers on responses of every shape that the live service sends, with invented names
// and values: what the replay of recorded traffic checks too, but wherever the tests run.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"
#include "http/message.h"
#include "odata/entity_page.h"
#include "odata/response_body.h"
#include "unit/odata/show_cell.h"

namespace aztables {
namespace {

using testing_support::Show;

constexpr const char* kEtag = "W/\"datetime'2031-05-06T07%3A08%3A09.12345Z'\"";

// The cells of `properties` in the first row, one a line; the built-in ones first.
std::string ReadCells(const std::string& body, bool query, std::vector<std::string> properties) {
  const size_t count = properties.size();
  EntityPage page({std::move(properties), false});
  const Status status = query ? page.ReadQuery(body) : page.ReadEntity(body);
  if (!status.ok()) return std::string(status.message());
  std::string text;
  for (size_t i = 0; i < EntityPage::kFirstProperty + count; ++i) {
    if (i != EntityPage::kEntity) text += Show(page.At(0, i)) + "\n";
  }
  return text;
}

const std::string kKeys =
    "Edm.String shelf\nEdm.String jar-7\nEdm.DateTime 2031-05-06T07:08:09.1234500Z\nEdm.String " +
    std::string(kEtag) + "\n";

TEST(ShapesTest, PageWithMinimalMetadata) {
  const std::string body =
      R"({"odata.metadata":"https://pantry.example/$metadata#jars","value":[{"odata.etag":)"
      R"("W/\"datetime'2031-05-06T07%3A08%3A09.12345Z'\"","PartitionKey":"shelf",)"
      R"("RowKey":"jar-7","Timestamp":"2031-05-06T07:08:09.12345Z","Beans@odata.type":"Edm.Int64",)"
      R"("Beans":"81985529216","Label":"kidney","Open":true,"Full":false,"Weight":2.0,)"
      R"("Sealed@odata.type":"Edm.DateTime","Sealed":"2030-12-01T00:00:00Z",)"
      R"("Seed@odata.type":"Edm.Binary","Seed":"3q2+7w==","Shelf":12,)"
      R"("Id@odata.type":"Edm.Guid","Id":"0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"}]})";
  EXPECT_EQ(
      ReadCells(body, true,
                {"Beans", "Label", "Open", "Full", "Weight", "Sealed", "Seed", "Shelf", "Id"}),
      kKeys +
          "Edm.Int64 81985529216\nEdm.String kidney\nEdm.Boolean 1\nEdm.Boolean 0\n"
          "Edm.Double 2.0\nEdm.DateTime 2030-12-01T00:00:00.0000000Z\n"
          "Edm.Binary DEADBEEF\nEdm.Int32 12\n"
          "Edm.Guid 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0\n");
}

TEST(ShapesTest, PageAndEntityWithFullMetadata) {
  const std::string entity =
      R"j("odata.type":"pantry.jars","odata.id":"https://pantry.example/jars(PartitionKey='shelf',)j"
      R"j(RowKey='jar-7')","odata.etag":"W/\"datetime'2031-05-06T07%3A08%3A09.12345Z'\"",)j"
      R"j("odata.editLink":"jars(PartitionKey='shelf',RowKey='jar-7')","PartitionKey":"shelf",)j"
      R"j("RowKey":"jar-7","Timestamp@odata.type":"Edm.DateTime",)j"
      R"j("Timestamp":"2031-05-06T07:08:09.12345Z","Beans@odata.type":"Edm.Int64","Beans":"5"})j";
  const std::string cells = kKeys + "Edm.Int64 5\n";
  EXPECT_EQ(ReadCells(R"({"odata.metadata":"m#jars","value":[{)" + entity + "]}", true, {"Beans"}),
            cells);
  EXPECT_EQ(ReadCells(R"({"odata.metadata":"m#jars/@Element",)" + entity, false, {"Beans"}), cells);
}

TEST(ShapesTest, WithoutMetadataNothingIsTyped) {
  EXPECT_EQ(ReadCells(R"({"value":[{"PartitionKey":"shelf","RowKey":"jar-7",)"
                      R"("Timestamp":"2031-05-06T07:08:09.12345Z","Beans":"5","Weight":2.0}]})",
                      true, {"Beans", "Weight"}),
            "Edm.String shelf\nEdm.String jar-7\nEdm.DateTime 2031-05-06T07:08:09.1234500Z\nnull\n"
            "Edm.String 5\nEdm.Double 2.0\n");
}

TEST(ShapesTest, SelectedButAbsent) {
  EXPECT_EQ(ReadCells(R"({"odata.metadata":"m#jars/@Element&$select=Beans,Gone",)"
                      R"("odata.etag":"W/\"e\"","Beans@odata.type":"Edm.Int64","Beans":"5",)"
                      R"("Gone":null})",
                      false, {"Beans", "Gone"}),
            "null\nnull\nnull\nEdm.String W/\"e\"\nEdm.Int64 5\nnull\n");
}

TEST(ShapesTest, SurrogatesAndNonAsciiNames) {
  EXPECT_EQ(ReadCells(R"({"value":[{"RowKey":"\u00fc","\u8336@odata.type":"Edm.Int64",)"
                      R"("\u8336":"3","Leaf":"\ud83c\udf43 \u8336 'a' <b> & / \\ \" \n"}]})",
                      true, {"\xE8\x8C\xB6", "Leaf"}),
            "null\nEdm.String \xC3\xBC\nnull\nnull\nEdm.Int64 3\n"
            "Edm.String \xF0\x9F\x8D\x83 \xE8\x8C\xB6 'a' <b> & / \\ \" \n\n");
}

TEST(ShapesTest, Doubles) {
  EXPECT_EQ(ReadCells(R"({"A@odata.type":"Edm.Double","A":"Infinity",)"
                      R"("B@odata.type":"Edm.Double","B":"-Infinity",)"
                      R"("C@odata.type":"Edm.Double","C":"NaN","D":6.02214076E+23,)"
                      R"("E":1.5E-09,"F":-7.0})",
                      false, {"A", "B", "C", "D", "E", "F"}),
            "null\nnull\nnull\nnull\nEdm.Double Infinity\nEdm.Double -Infinity\nEdm.Double NaN\n"
            "Edm.Double 6.02214076e+23\nEdm.Double 1.5e-09\nEdm.Double -7.0\n");
}

TEST(ShapesTest, PageOfAnotherServiceThatSortsDifferently) {
  // Cosmos DB: the metadata last, keys anywhere, Timestamp at the end, seven digits.
  EXPECT_EQ(ReadCells(R"({"value":[{"odata.etag":)"
                      R"("W/\"datetime'2031-05-06T07%3A08%3A09.12345Z'\"","Beans":5,)"
                      R"("RowKey":"jar-7","PartitionKey":"shelf",)"
                      R"("Timestamp":"2031-05-06T07:08:09.1234500Z"}],"odata.metadata":"m#jars"})",
                      true, {"Beans"}),
            kKeys + "Edm.Int32 5\n");
}

std::string ErrorJson(const std::string& code, const std::string& message) {
  return R"({"odata.error":{"code":")" + code + R"(","message":{"lang":"en-US","value":")" +
         message + R"(\nRequestId:0a0b0c0d-0000-0000-0000-000000000001\n)" +
         R"(Time:2031-05-06T07:08:09.1230000Z"}}})";
}

TEST(ShapesTest, ErrorsInJsonAndXml) {
  const std::string xml =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error "
      "xmlns:m=\"http://pantry.example/metadata\">"
      "<m:code>NoEntry</m:code><m:message xml:lang=\"en-US\">The door is locked.\nRequestId:1\n"
      "Time:2031-05-06T07:08:09.1234567Z</m:message></m:error>";
  for (const std::string& body :
       {ErrorJson("NoEntry", "The door is locked."), xml, "\xEF\xBB\xBF" + xml}) {
    const ErrorBody error = ReadErrorBody(body);
    EXPECT_TRUE(error.recognized);
    EXPECT_EQ(error.code, "NoEntry");
    EXPECT_EQ(error.message, "The door is locked.");
    EXPECT_EQ(error.operation_index, -1);
  }
  Headers headers;
  headers.Add("X-MS-Error-Code", "NoEntry");
  EXPECT_EQ(headers.Get("x-ms-error-code"), ReadErrorBody(xml).code)
      << "and the header says it too";
}

TEST(ShapesTest, XmlThatIsNoError) {
  EXPECT_FALSE(ReadErrorBody("\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"utf-8\"?>"
                             "<SignedIdentifiers />")
                   .recognized);
}

TEST(ShapesTest, ListOfTables) {
  for (const char* body :
       {R"({"value":[{"TableName":"jars"},{"TableName":"lids"}]})",
        R"({"odata.metadata":"m#Tables","value":[{"TableName":"jars"},{"TableName":"lids"}]})",
        R"({"value":[{"TableName":"jars"},{"TableName":"lids"}],"odata.metadata":"m#Tables"})"}) {
    EXPECT_EQ(*ReadTableNames(body), (std::vector<std::string>{"jars", "lids"}));
  }
}

TEST(ShapesTest, ContinuationTokensAreOpaque) {
  // Of storage, of Cosmos DB, of the emulator.
  for (const char* token :
       {"1!8!amFyLTc-", R"({"token":"+a/b==#RT:1","range":{"min":"","max":"FF"}})", "amFyLTc="}) {
    Headers headers;
    headers.Add("x-ms-continuation-nextpartitionkey", token);
    EXPECT_EQ(headers.Get("x-ms-continuation-NextPartitionKey"), token);
    EXPECT_EQ(headers.Find("x-ms-continuation-NextRowKey"), nullptr) << "it may be missing";
    EXPECT_EQ(PercentDecode(PercentEncode(token)), token) << "sent back as it came";
  }
}

}  // namespace
}  // namespace aztables
