// The shapes of responses to queries: levels of metadata, $select, pages and their tokens, filters.
#include "judge/shapes.h"
#include "service/handlers/continuation.h"

namespace aztables::judge {
namespace {

class QueryShapesTest : public ShapesTest {
 protected:
  QueryShapesTest() { scene_.CreateTable("Goods"); }

  void InsertRows(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      scene_.Insert("Goods", R"({"PartitionKey":")" + key.substr(0, 1) + R"(","RowKey":")" +
                                 key.substr(1) + R"(","N":"1","N@odata.type":"Edm.Int64"})");
    }
  }
  static std::string Context(const std::string& select = "") {
    return R"({"odata.metadata":")" + std::string(kBase) + "/$metadata#Goods" + select + R"(",)";
  }
  // What a page of keys alone shows.
  static Response Page(const std::vector<std::string>& keys, const std::string& next = "") {
    std::string body = R"({"value":[)";
    for (const std::string& key : keys) {
      if (body.back() != '[') body += ',';
      body +=
          R"({"PartitionKey":")" + key.substr(0, 1) + R"(","RowKey":")" + key.substr(1) + R"("})";
    }
    Response page = Json(200, body + "]}", "nometadata");
    if (next.empty()) return page;
    return And(And(page, "x-ms-continuation-NextPartitionKey", EncodeToken(next.substr(0, 1))),
               "x-ms-continuation-NextRowKey", EncodeToken(next.substr(1)));
  }
  static Question Keys(const std::string& options) {
    return Get("/Goods()?$select=PartitionKey,RowKey" + options, "nometadata");
  }
  static std::string TokenOf(const Response& page) {
    return "&NextPartitionKey=" +
           std::string(page.headers.Get("x-ms-continuation-NextPartitionKey")) +
           "&NextRowKey=" + std::string(page.headers.Get("x-ms-continuation-NextRowKey"));
  }
};

TEST_F(QueryShapesTest, LevelsOfMetadata) {
  Check(Get("/Goods", "nometadata"), Json(200, R"({"value":[]})", "nometadata"));
  Check(Get("/Goods()"), Json(200, Context() + R"("value":[]})"));
  InsertRows({"p1"});
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
  InsertRows({"p1"});
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

TEST_F(QueryShapesTest, PagesAndTheirTokens) {
  InsertRows({"b2", "a1", "a", "c1", "b1"});
  const Response first = Check(Keys("&$top=2"), Page({"a", "a1"}, "b1"));
  const Response second = Check(Keys("&$top=2" + TokenOf(first)), Page({"b1", "b2"}, "c1"));
  Check(Keys("&$top=2" + TokenOf(second)), Page({"c1"}));
  // $top is not kept; without NextRowKey the partition's first row is meant.
  Check(Keys(TokenOf(first)), Page({"b1", "b2", "c1"}));
  Check(Keys("&NextPartitionKey=1!4!Yg--"), Page({"b1", "b2", "c1"}));
  Check(Keys("&$top=3"), Page({"a", "a1", "b1"}, "b2"));
  Check(Keys("&$top=5"), Page({"a", "a1", "b1", "b2", "c1"}));
  Check(Keys("&$top=0"), Page({}));
  Check(Keys("&$top=0" + TokenOf(first)), Page({}));
  for (const char* bad : {"&$top=-1", "&$top=1001", "&$top=x", "&NextRowKey=1!4!Yg--",
                          "&NextPartitionKey=b", "&NextPartitionKey=1!3!Yg--"}) {
    EXPECT_EQ(scene_.Ask(Keys(bad)).status, 400) << bad;
  }
}

TEST_F(QueryShapesTest, GoesOnWhereWhatTheTokenNamesIsGone) {
  InsertRows({"a1", "a2", "a3", "a4"});
  const Response first = Check(Keys("&$top=1"), Page({"a1"}, "a2"));
  for (const char* row : {"1", "2", "3"}) {
    scene_.Prepare(With(Of("DELETE", "/Goods(PartitionKey='a',RowKey='" + std::string(row) + "')"),
                        "If-Match", "*"),
                   204);
  }
  Check(Keys("&$top=1" + TokenOf(first)), Page({"a4"}));
  InsertRows({"a25"});
  Check(Keys("&$top=1" + TokenOf(first)), Page({"a25"}, "a4"));
}

TEST_F(QueryShapesTest, Filters) {
  InsertRows({"a1", "a2", "b1", "b2"});
  const struct {
    const char* filter;
    std::vector<std::string> keys;
  } kFilters[] = {
      {"PartitionKey+eq+'a'", {"a1", "a2"}},
      {"PartitionKey%20eq%20%27a%27%20and%20RowKey%20gt%20%271%27", {"a2"}},
      {"PartitionKey eq 'a' or PartitionKey eq 'b' and RowKey eq '2'", {"a1", "a2", "b2"}},
      {"(PartitionKey eq 'a' or PartitionKey eq 'b') and RowKey eq '2'", {"a2", "b2"}},
      {"PartitionKey eq 'a' and PartitionKey eq 'b'", {}},
      {"not (RowKey eq '1')", {"a2", "b2"}},
      {"N eq 1L and RowKey ne '1'", {"a2", "b2"}},
      {"Absent eq 1", {}},
      {"'b' le PartitionKey", {"b1", "b2"}},
      {"", {"a1", "a2", "b1", "b2"}},
  };
  for (const auto& [filter, keys] : kFilters) {
    Check(Keys("&$filter=" + std::string(filter)), Page(keys));
  }
  Check(Get("/Goods?$filter=bad%20bad%20bad"),
        Without(Error(400, "InvalidInput", "Syntax error at position 7 in 'bad bad bad'."),
                "Cache-Control"));
}

}  // namespace
}  // namespace aztables::judge
