// The shapes of responses to writes and point reads of entities.
#include "judge/shapes.h"

namespace aztables::judge {
namespace {

class EntityShapesTest : public ShapesTest {
 protected:
  EntityShapesTest() { scene_.CreateTable("Goods"); }

  // The properties after the keys, with or without annotations.
  static std::string Properties(bool annotated) {
    const auto note = [annotated](const std::string& name, const std::string& type) {
      return annotated ? "\"" + name + "@odata.type\":\"Edm." + type + "\"," : std::string();
    };
    return R"("Timestamp":"<timestamp>","Zeta":"a\u00e4\"\\/\n",)" + note("Long", "Int64") +
           R"("Long":"9007199254740993","Int":-5,"Real":2.0,"Small":1E-07,"Yes":true,)" +
           note("When", "DateTime") + R"("When":"2026-11-02T10:00:00.25Z",)" + note("Id", "Guid") +
           R"("Id":"0d391d16-97f1-4b9a-be68-4cc871f90001",)" + note("Raw", "Binary") +
           R"("Raw":"AQID",)" + note("Not", "Double") + R"("Not":"NaN"})";
  }
  static std::string Shown(const std::string& members, bool annotated) {
    return "{" + members + R"("PartitionKey":"p","RowKey":"it's",)" + Properties(annotated);
  }
};

constexpr const char* kEntity =
    R"({"RowKey":"it's","PartitionKey":"p","Zeta":"a)"
    "\xC3\xA4"
    R"(\"\\/\n","Long@odata.type":"Edm.Int64","Long":"9007199254740993","Int":-5,"Real":2.0,)"
    R"("Small":1e-7,"Yes":true,"None":null,"When":"2026-11-02T10:00:00.2500000Z",)"
    R"("When@odata.type":"Edm.DateTime","Id":"0D391D16-97F1-4B9A-BE68-4CC871F90001",)"
    R"("Id@odata.type":"Edm.Guid","Raw":"AQID","Raw@odata.type":"Edm.Binary",)"
    R"("Not":"NaN","Not@odata.type":"Edm.Double"})";
constexpr const char* kPath = "/Goods(PartitionKey='p',RowKey='it''s')";

TEST_F(EntityShapesTest, EchoOfAnInsertAtAllLevels) {
  const std::string base = kBase;
  const std::string context = R"("odata.metadata":")" + base + R"(/$metadata#Goods/@Element",)";
  const struct {
    const char* level;
    std::string body;
  } kLevels[] = {
      {"nometadata", Shown("", false)},
      {"minimalmetadata", Shown(context + R"("odata.etag":"<etag>",)", true)},
      {"fullmetadata",
       Shown(context + R"("odata.type":"shop.Goods","odata.id":")" + base + kPath +
                 R"(","odata.etag":"<etag>","odata.editLink":")" + (kPath + 1) + R"(",)",
             true)},
  };
  for (const auto& [level, shown] : kLevels) {
    std::string body = shown;
    if (std::string(level) == "fullmetadata") {
      body.insert(body.find("\"Timestamp\""), R"("Timestamp@odata.type":"Edm.DateTime",)");
    }
    const Question insert = With(Of("POST", "/Goods", kEntity), "Accept",
                                 "application/json;odata=" + std::string(level));
    Check(insert, And(And(Json(201, body, level), "ETag", "<etag>"), "Location", base + kPath));
    Check(Get(kPath, level), And(Json(200, body, level), "ETag", "<etag>"));
    Check(With(Of("DELETE", kPath), "If-Match", "*"), Plain(204));
  }
}

TEST_F(EntityShapesTest, WithoutContent) {
  const std::string url = std::string(kBase) + kPath;
  const Question insert = With(Of("POST", "/Goods()", kEntity), "Prefer", "return-no-content");
  Check(insert,
        And(And(And(And(Plain(204), "ETag", "<etag>"), "Location", url), "DataServiceId", url),
            "Preference-Applied", "return-no-content"));
  const Response changed = And(Plain(204), "ETag", "<etag>");
  for (const char* method : {"PUT", "MERGE", "PATCH"}) {
    Check(Of(method, kPath, R"({"A":1})"), changed);
    Check(With(Of(method, kPath, R"({"A":1})"), "If-Match", "*"), changed);
    Check(With(Of("POST", kPath, R"({"A":1})"), "X-HTTP-Method", method), changed);
    const std::string etag(scene_.Ask(Get(kPath)).headers.Get("ETag"));
    Check(With(Of(method, kPath, R"({"A":1})"), "If-Match", etag), changed);
  }
  Check(With(Of("DELETE", kPath), "If-Match", "*"), Plain(204));
}

TEST_F(EntityShapesTest, Refused) {
  scene_.Insert("Goods", R"({"PartitionKey":"p","RowKey":"r"})");
  const std::string path = "/Goods(PartitionKey='p',RowKey='r')";
  Check(Get("/Goods(PartitionKey='p',RowKey='x')"),
        Error(404, "ResourceNotFound", "The specified resource does not exist."));
  Check(
      Get("/Other(PartitionKey='p',RowKey='x')"),
      Without(Error(404, "TableNotFound", "The table specified does not exist."), "Cache-Control"));
  Check(With(Of("PUT", path, "{}"), "If-Match", "W/\"datetime'2026-01-01T00%3A00%3A00Z'\""),
        Error(412, "UpdateConditionNotSatisfied",
              "The update condition specified in the request was not satisfied."));
  Check(Of("DELETE", path),
        Error(400, "MissingRequiredHeader", "A required HTTP header was not specified."));
  Check(Of("POST", "/Goods", R"({"PartitionKey":"p","RowKey":"r"})"),
        Error(409, "EntityAlreadyExists", "The specified entity already exists."));
}

TEST_F(EntityShapesTest, InputsRefused) {
  const auto insert = [](const std::string& properties) {
    return Of("POST", "/Goods", R"({"PartitionKey":"p","RowKey":"r",)" + properties + "}");
  };
  std::string many;
  for (int i = 0; i < 253; ++i) many += (i ? ",\"p" : "\"p") + std::to_string(i) + "\":1";
  const std::string half(32 * 1024, 'x');
  std::string large;
  for (int i = 0; i < 17; ++i) {
    large += (i ? ",\"p" : "\"p") + std::to_string(i) + "\":\"" + half + "\"";
  }
  Check(Of("POST", "/Goods", R"({"RowKey":"r"})"),
        Error(400, "PropertiesNeedValue",
              "The values are not specified for all properties in the entity."));
  Check(insert(many),
        Error(400, "TooManyProperties",
              "The entity contains more properties than allowed. Each entity can include up to 252 "
              "properties to store data. Each entity also has 3 system properties."));
  Check(insert("\"" + std::string(256, 'n') + "\":1"),
        Error(400, "PropertyNameTooLong",
              "The property name exceeds the maximum allowed length (255)."));
  Check(insert("\"a\":\"" + half + "x\""),
        Error(400, "PropertyValueTooLarge",
              "The property value exceeds the maximum allowed size (64KB). If the property value "
              "is a string, it is UTF-16 encoded and the maximum number of characters should be "
              "32K or less."));
  Check(insert(large),
        Error(400, "EntityTooLarge", "The entity is larger than the maximum allowed size (1MB)."));
  Check(insert("\"a b\":1"), Error(400, "PropertyNameInvalid", "The property name is invalid."));
  Check(Of("POST", "/Goods", R"({"PartitionKey":"a/b","RowKey":"r"})"),
        Error(400, "OutOfRangeInput", "One of the request inputs is out of range."));
  Check(
      Of("POST", "/Goods", R"({"PartitionKey":")" + std::string(1025, 'k') + R"(","RowKey":"r"})"),
      Error(400, "KeyValueTooLarge",
            "The value specified for the key property exceeds the maximum allowed size."));
}

}  // namespace
}  // namespace aztables::judge
