// The shapes of responses to queries: levels of metadata and $select.
#include "judge/shapes.h"

namespace aztables::judge {
namespace {

class QueryShapesTest : public ShapesTest {
 protected:
  QueryShapesTest() { scene_.CreateTable("Goods"); }

  void InsertRow() {
    scene_.Insert("Goods",
                  R"({"PartitionKey":"p","RowKey":"1","N":"1","N@odata.type":"Edm.Int64"})");
  }
  static std::string Context(const std::string& select = "") {
    return R"({"odata.metadata":")" + std::string(kBase) + "/$metadata#Goods" + select + R"(",)";
  }
};

TEST_F(QueryShapesTest, LevelsOfMetadata) {
  Check(Get("/Goods", "nometadata"), Json(200, R"({"value":[]})", "nometadata"));
  Check(Get("/Goods()"), Json(200, Context() + R"("value":[]})"));
  InsertRow();
  const std::string row = R"("PartitionKey":"p","RowKey":"1",)";
  Check(
      Get("/Goods", "nometadata"),
      Json(200, R"({"value":[{)" + row + R"("Timestamp":"<timestamp>","N":"1"}]})", "nometadata"));
  const std::string annotated =
      R"("Timestamp":"<timestamp>","N@odata.type":"Edm.Int64","N":"1"}]})";
  Check(Get("/Goods"),
        Json(200, Context() + R"("value":[{"odata.etag":"<etag>",)" + row + annotated));
  const std::string link = "Goods(PartitionKey='p',RowKey='1')";
  Check(With(Get("/Goods?$format=application/json;odata=fullmetadata"), "Accept",
             "application/json;odata=nometadata"),
        Json(200,
             Context() + R"("value":[{"odata.type":"shop.Goods","odata.id":")" + kBase + "/" +
                 link + R"(","odata.etag":"<etag>","odata.editLink":")" + link + R"(",)" + row +
                 R"("Timestamp@odata.type":"Edm.DateTime",)" + annotated,
             "fullmetadata"));
}

TEST_F(QueryShapesTest, Select) {
  InsertRow();
  Check(Get("/Goods?$select=N,Absent"),
        Json(200, Context("&$select=N,Absent") +
                      R"("value":[{"odata.etag":"<etag>","N@odata.type":"Edm.Int64","N":"1",)"
                      R"("Absent":null}]})"));
  Check(
      Get("/Goods?$select=RowKey"),
      Json(200, Context("&$select=RowKey") + R"("value":[{"odata.etag":"<etag>","RowKey":"1"}]})"));
  for (const char* empty : {"", "%20"}) {
    Check(Get("/Goods?$select=" + std::string(empty)),
          Json(200, Context("&$select=") +
                        R"("value":[{"odata.etag":"<etag>","PartitionKey":"p","RowKey":"1",)"
                        R"("Timestamp":"<timestamp>","N@odata.type":"Edm.Int64","N":"1"}]})"));
  }
  Check(Get("/Goods(PartitionKey='p',RowKey='1')?$select=Absent"),
        And(Json(200, R"({"odata.metadata":")" + std::string(kBase) +
                          R"(/$metadata#Goods/@Element&$select=Absent","odata.etag":"<etag>",)"
                          R"("Absent":null})"),
            "ETag", "<etag>"));
}

}  // namespace
}  // namespace aztables::judge
