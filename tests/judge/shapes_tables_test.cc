// The shapes of responses about tables, their policies and the properties of the service.
#include "judge/shapes.h"
#include "service/xml/xml_documents.h"

namespace aztables::judge {
namespace {

using TableShapesTest = ShapesTest;

const std::string kMark = "\xEF\xBB\xBF";
const std::string kXml = kMark + "<?xml version=\"1.0\" encoding=\"utf-8\"?>";

TEST_F(TableShapesTest, Create) {
  const std::string url = std::string(kBase) + "/Tables('Goods')";
  const Question create = Of("POST", "/Tables", R"({"TableName":"Goods"})");
  Check(create, And(Json(201, R"({"odata.metadata":")" + std::string(kBase) +
                                  R"(/$metadata#Tables/@Element","TableName":"Goods"})"),
                    "Location", url));
  const Response exists = Error(409, "TableAlreadyExists", "The table specified already exists.");
  Check(create, exists);
  Check(With(create, "Prefer", "return-no-content"),
        And(exists, "Preference-Applied", "return-no-content"));
  Check(Of("POST", "/Tables", R"({"TableName":"GOODS"})"), exists);
  scene_.DeleteTable("goods");
  Check(With(create, "Prefer", "return-no-content"),
        And(And(And(Plain(204), "Location", url), "DataServiceId", url), "Preference-Applied",
            "return-no-content"));
  scene_.DeleteTable("Goods");
  Check(
      With(With(create, "Prefer", "return-content"), "Accept", "application/json;odata=nometadata"),
      And(And(Json(201, R"({"TableName":"Goods"})", "nometadata"), "Location", url),
          "Preference-Applied", "return-content"));
}

TEST_F(TableShapesTest, CreateRefused) {
  const Response bad =
      Error(400, "InvalidResourceName", "The specifed resource name contains invalid characters.");
  const Response length =
      Error(400, "OutOfRangeInput",
            "The specified resource name length is not within the permissible limits.");
  for (const char* name : {"a_table", "1table", "a-b", "tab le", "tables", "Tables", "\\u00e4bc"}) {
    Check(Of("POST", "/Tables", R"({"TableName":")" + std::string(name) + R"("})"), bad);
  }
  for (const std::string& name : {std::string("ab"), std::string(64, 'a')}) {
    Check(Of("POST", "/Tables", R"({"TableName":")" + name + R"("})"), length);
  }
  scene_.CreateTable(std::string(63, 'a'));
  scene_.CreateTable("abc");
}

TEST_F(TableShapesTest, GetAndDelete) {
  scene_.CreateTable("Goods");
  const std::string base = kBase;
  Check(Get("/Tables('goods')", "minimalmetadata"),
        Json(200, R"({"odata.metadata":")" + base +
                      R"(/$metadata#Tables/@Element","TableName":"Goods"})"));
  Check(Get("/Tables('Goods')", "nometadata"), Json(200, R"({"TableName":"Goods"})", "nometadata"));
  Check(Get("/Tables(%27Goods%27)", "fullmetadata"),
        Json(200,
             R"({"odata.metadata":")" + base +
                 R"(/$metadata#Tables/@Element","odata.type":"shop.Tables","odata.id":")" + base +
                 R"x(/Tables('Goods')","odata.editLink":"Tables('Goods')","TableName":"Goods"})x",
             "fullmetadata"));
  Check(Of("DELETE", "/Tables('Goods')"), Plain(204));
  Check(Get("/Tables('Goods')"),
        Error(404, "ResourceNotFound", "The specified resource does not exist."));
}

TEST_F(TableShapesTest, ListInPages) {
  for (const char* name : {"Cups", "bowls", "Plates", "aprons"}) scene_.CreateTable(name);
  const Response first = Check(
      Get("/Tables?$top=2", "nometadata"),
      And(Json(200, R"({"value":[{"TableName":"aprons"},{"TableName":"bowls"}]})", "nometadata"),
          "x-ms-continuation-NextTableName", "<token of cups>"));
  const std::string token(first.headers.Get("x-ms-continuation-NextTableName"));
  const Response last =
      Json(200, R"({"value":[{"TableName":"Cups"},{"TableName":"Plates"}]})", "nometadata");
  Check(Get("/Tables()?$top=2&NextTableName=" + token, "nometadata"), last);
  // The table in the token may no longer exist.
  scene_.DeleteTable("cups");
  Check(Get("/Tables?NextTableName=" + token, "nometadata"),
        Json(200, R"({"value":[{"TableName":"Plates"}]})", "nometadata"));
  Check(Get("/Tables?$filter=TableName%20eq%20'aprons'"),
        Json(200, R"({"odata.metadata":")" + std::string(kBase) +
                      R"(/$metadata#Tables","value":[{"TableName":"aprons"}]})"));
  Check(Get("/Tables?$filter=TableName%20eq%20'x'", "nometadata"),
        Json(200, R"({"value":[]})", "nometadata"));
  Check(Get("/Tables?NextTableName=x"),
        Error(400, "InvalidInput", "One of the request inputs is not valid."));
}

// unit/service tests the documents, and contract tests their effects.
TEST_F(TableShapesTest, ResponsesInXml) {
  scene_.CreateTable("Goods");
  Check(Of("PUT", "/Goods?comp=acl"), Xml(204, ""));
  Check(Get("/Goods?comp=acl"), Xml(200, kXml + "<SignedIdentifiers />"));
  const Response invalid =
      XmlError(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
  Check(Of("PUT", "/Goods?comp=acl", "<SignedIdentifiers>"), invalid);
  Check(Of("PUT", "/Other?comp=acl"),
        XmlError(404, "TableNotFound", "The table specified does not exist."));
  const std::string url = "/?restype=service&comp=properties";
  Check(Of("PUT", url, "<StorageServiceProperties />"), Xml(202, ""));
  Check(Get(url), Xml(200, DefaultServiceProperties()));
  Check(Of("PUT", url, "<StorageServiceProperties><Nothing /></StorageServiceProperties>"),
        invalid);
  Question stats = Get("/?restype=service&comp=stats");
  stats.secondary = true;
  Check(stats, Xml(200, ServiceStats(kNowMs)));
}

}  // namespace
}  // namespace aztables::judge
