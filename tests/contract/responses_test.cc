// Checks the form of responses to reads: headers, metadata levels, order of members, $select, and
// values of each type.
#include <string>

#include "raw_test_base.h"

namespace aztables {
namespace {

using ResponsesTest = RawTest;

constexpr const char* kEveryType =
    R"("S":"x","I":5,"B":true,"D@odata.type":"Edm.Double","D":5,)"
    R"("L@odata.type":"Edm.Int64","L":"9007199254740993",)"
    R"("T@odata.type":"Edm.DateTime","T":"2026-11-02T10:00:00.1230000Z",)"
    R"("G@odata.type":"Edm.Guid","G":"c9da6455-213d-42c9-9a79-3e9149a57833",)"
    R"("Y@odata.type":"Edm.Binary","Y":"AAEC")";

TEST_F(ResponsesTest, HeadersOfAQuery) {
  const ParsedResponse response = List("");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers.Get("Content-Type"),
            Differs(Difference::kContentType)
                ? "application/json;odata=minimalmetadata"
                : "application/json;odata=minimalmetadata;streaming=true;charset=utf-8");
  EXPECT_EQ(response.headers.Get("x-ms-version") == "2019-02-02",
            !Differs(Difference::kVersionNotEchoed));
  EXPECT_FALSE(response.headers.Get("x-ms-request-id").empty());
  const bool lacks = Differs(Difference::kCacheHeaders);
  EXPECT_EQ(response.headers.Get("Cache-Control"), lacks ? "" : "no-cache");
  EXPECT_EQ(response.headers.Get("X-Content-Type-Options"), lacks ? "" : "nosniff");
  EXPECT_EQ(response.etag(), "");
  EXPECT_EQ(response.At("/value"), "[]");
}

TEST_F(ResponsesTest, MinimalMetadata) {
  Insert("r", kEveryType);
  const ParsedResponse response = Get("r");
  EXPECT_EQ(JsonNames(response.body),
            Differs(Difference::kTimestampIsLast)
                ? "odata.metadata odata.etag PartitionKey RowKey S I B D L@odata.type L "
                  "T@odata.type T G@odata.type G Y@odata.type Y Timestamp"
                : "odata.metadata odata.etag PartitionKey RowKey Timestamp S I B D L@odata.type L "
                  "T@odata.type T G@odata.type G Y@odata.type Y");
  EXPECT_EQ(response.At("/odata.metadata"), "\"" + wire_->settings().endpoint.Origin() +
                                                wire_->settings().endpoint.path + "/$metadata#" +
                                                table_ + "/@Element\"");
  EXPECT_EQ(response.At("/S"), "\"x\"");
  EXPECT_EQ(response.At("/I"), "5");
  EXPECT_EQ(response.At("/B"), "true");
  EXPECT_EQ(response.At("/D"), "5.0");
  EXPECT_EQ(response.At("/L@odata.type"), "\"Edm.Int64\"");
  EXPECT_EQ(response.At("/L"), "\"9007199254740993\"");
  EXPECT_EQ(response.At("/T"), Differs(Difference::kTrailingZeros)
                                   ? "\"2026-11-02T10:00:00.1230000Z\""
                                   : "\"2026-11-02T10:00:00.123Z\"");
  EXPECT_EQ(response.At("/G"), "\"c9da6455-213d-42c9-9a79-3e9149a57833\"");
  EXPECT_EQ(response.At("/Y"), "\"AAEC\"");
}

TEST_F(ResponsesTest, MetadataOfAQuery) {
  Insert("r", R"("A":1)");
  const ParsedResponse response = List("");
  EXPECT_EQ(response.At("/odata.metadata"),
            "\"" + wire_->settings().endpoint.Origin() + wire_->settings().endpoint.path +
                "/$metadata#" +
                (Differs(Difference::kMetadataOfAQuery) ? "Tables/@Element" : table_) + "\"");
  EXPECT_EQ(response.At("/value/0/odata.metadata"), kAbsent);
  EXPECT_EQ(response.At("/value/0/odata.etag"), Get("r").At("/odata.etag"));
}

TEST_F(ResponsesTest, NoMetadata) {
  Insert("r", kEveryType);
  const Ask ask{.path = Address("p", "r"),
                .headers = {{"Accept", "application/json;odata=nometadata"}}};
  const ParsedResponse response = Send(ask);
  EXPECT_EQ(JsonNames(response.body), Differs(Difference::kTimestampIsLast)
                                          ? "PartitionKey RowKey S I B D L T G Y Timestamp"
                                          : "PartitionKey RowKey Timestamp S I B D L T G Y");
  EXPECT_EQ(response.At("/L"), "\"9007199254740993\"");
  EXPECT_FALSE(response.etag().empty());
  EXPECT_EQ(
      JsonNames(Send({.path = table_, .headers = {{"Accept", "application/json;odata=nometadata"}}})
                    .body),
      "value");
}

TEST_F(ResponsesTest, FullMetadata) {
  Insert("r", R"("A":1,"L@odata.type":"Edm.Int64","L":"5")");
  const Ask ask{.path = Address("p", "r"),
                .headers = {{"Accept", "application/json;odata=fullmetadata"}}};
  const ParsedResponse response = Send(ask);
  const std::string base =
      wire_->settings().endpoint.Origin() + wire_->settings().endpoint.path + "/";
  EXPECT_EQ(
      JsonNames(response.body),
      Differs(Difference::kTimestampIsLast)
          ? "odata.metadata odata.type odata.id odata.etag odata.editLink PartitionKey RowKey "
            "A L@odata.type L Timestamp@odata.type Timestamp"
          : "odata.metadata odata.type odata.id odata.etag odata.editLink PartitionKey RowKey "
            "Timestamp@odata.type Timestamp A L@odata.type L");
  EXPECT_EQ(response.At("/odata.id"), "\"" + base + Address("p", "r") + "\"");
  EXPECT_EQ(response.At("/odata.editLink"), "\"" + Address("p", "r") + "\"");
  EXPECT_TRUE(response.At("/odata.type").ends_with("." + table_ + "\""));
}

TEST_F(ResponsesTest, FormatGoesBeforeAccept) {
  Insert("r", R"("A":1)");
  const ParsedResponse response =
      Send({.path = Address("p", "r"),
            .query = "$format=application/json;odata=nometadata",
            .headers = {{"Accept", "application/json;odata=fullmetadata"}}});
  EXPECT_EQ(response.At("/odata.etag"), kAbsent);
}

TEST_F(ResponsesTest, Select) {
  Insert("r", R"("A":1,"B":2,"L@odata.type":"Edm.Int64","L":"5")");
  EXPECT_EQ(JsonNames(Get("r", "$select=A,B").body), "odata.metadata odata.etag A B");
  EXPECT_EQ(JsonNames(Get("r", "$select=RowKey,L").body),
            "odata.metadata odata.etag RowKey L@odata.type L");
  EXPECT_EQ(JsonNames(List("$select=A").At("/value/0")), "odata.etag A");
  EXPECT_EQ(List("$select=").At("/value/0/A"), "1");
  EXPECT_EQ(Get("r", "$select=").At("/B"), "2");
  const std::string blank(Differs(Difference::kBlankSelect) ? kAbsent : "1");
  EXPECT_EQ(List("$select=%20").At("/value/0/A"), blank);
  EXPECT_EQ(Get("r", "$select=%20").At("/A"), blank);
  EXPECT_EQ(List("$select=*").At("/value/0/A"), Differs(Difference::kSelectStar) ? kAbsent : "1");
}

TEST_F(ResponsesTest, SelectedButAbsent) {
  Insert("r", R"("A":1)");
  const std::string null(Differs(Difference::kSelectedButAbsent) ? kAbsent : "null");
  EXPECT_EQ(Get("r", "$select=A,B").At("/B"), null);
  EXPECT_EQ(Get("r", "$select=a").At("/a"), null) << "names have a case";
  EXPECT_EQ(List("$select=Never").At("/value/0/Never"), null);
  EXPECT_EQ(List("$select=PartitionKey").At("/value/0/RowKey"), kAbsent) << "not selected";
}

TEST_F(ResponsesTest, Doubles) {
  const auto read = [this](const std::string& row, const std::string& text) {
    Insert(row, R"("D@odata.type":"Edm.Double","D":)" + text);
    return Get(row).At("/D");
  };
  EXPECT_EQ(read("1", "1.5"), "1.5");
  EXPECT_EQ(read("2", "3"), "3.0");
  EXPECT_EQ(read("3", "\"NaN\""), "\"NaN\"");
  EXPECT_EQ(Get("3").At("/D@odata.type"), "\"Edm.Double\"");
  EXPECT_EQ(read("4", "\"-Infinity\""), "\"-Infinity\"");
  EXPECT_EQ(read("5", "\"123.45\""), "123.45") << "as a string";
  EXPECT_EQ(read("6", "1.5e+24"), Differs(Difference::kExponent) ? "1.5e+24" : "1.5E+24");
  Insert("7", R"("D":1.5)");
  EXPECT_EQ(Get("7").At("/D"), "1.5");
  Insert("8", R"("D":4.0)");
  EXPECT_EQ(Get("8").At("/D"), Differs(Difference::kWholeDoubleWithoutType) ? "4" : "4.0");
}

TEST_F(ResponsesTest, TextIsWrittenInAscii) {
  Insert("r", R"("A":"é 😀 / < \" \\ \n")");
  EXPECT_EQ(Get("r").At("/A"), Differs(Difference::kTextNotEscaped)
                                   ? R"("é 😀 / < \" \\ \n")"
                                   : R"("\u00e9 \ud83d\ude00 / < \" \\ \n")");
}

}  // namespace
}  // namespace aztables
