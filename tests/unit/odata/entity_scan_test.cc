// Checks what a scan shows of entities: keys, properties with their types and values, what is no
// property, what counts as of any type; and which bodies it refuses.
#include "odata/entity_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

// "p/r A:Edm.Int32=5 ..." of every entity.
std::vector<std::string> Shown(const std::string& entities) {
  EntityScan scan;
  std::vector<std::string> shown;
  const auto count = scan.ReadQuery(
      "{\"odata.metadata\":{\"x\":[1]},\"value\":[" + entities + "],\"more\":null}",
      [&](const ScannedEntity& entity) {
        std::string text = std::string(entity.partition_key) + "/" + std::string(entity.row_key);
        for (const ScannedProperty& property : entity.properties) {
          const Value& value = property.value;
          text += " " + std::string(property.name) + ":" + std::string(EdmName(value.type)) + "=" +
                  (value.text.empty() ? std::to_string(value.integer) : value.text);
        }
        shown.push_back(std::move(text));
      });
  EXPECT_TRUE(count.ok()) << count.status().message();
  if (count.ok()) {
    EXPECT_EQ(*count, shown.size());
  }
  return shown;
}

std::string Entity(const std::string& members) {
  return R"({"odata.etag":"e","PartitionKey":"p","RowKey":"r",)" + members + "}";
}

using Lines = std::vector<std::string>;

TEST(EntityScanTest, TypesAndValues) {
  EXPECT_EQ(Shown(Entity(R"("A":"x","B":5,"C":true)")),
            Lines{"p/r A:Edm.String=x B:Edm.Int32=5 C:Edm.Boolean=1"});
  EXPECT_EQ(Shown(Entity(R"("L@odata.type":"Edm.Int64","L":"7")")), Lines{"p/r L:Edm.Int64=7"});
  EXPECT_EQ(Shown(Entity(R"("B@odata.type":"Edm.Binary","B":"QUI=")")),
            Lines{"p/r B:Edm.Binary=AB"});
  EXPECT_EQ(Shown(Entity(R"("D@odata.type":"Edm.DateTime","D":"2024-05-01T00:00:00Z")")),
            Lines{"p/r D:Edm.DateTime=2024-05-01T00:00:00.0000000Z"});
  EXPECT_EQ(Shown(Entity(R"("N":99999999999)")), Lines{"p/r N:Edm.Double=0"});
  EXPECT_EQ(Shown(Entity(R"("\u0041":"\u00e9\n")")), Lines{"p/r A:Edm.String=\xC3\xA9\n"});
}

TEST(EntityScanTest, AnAnnotationMayStandAnywhere) {
  EXPECT_EQ(Shown(Entity(R"("L":"7","L@odata.type":"Edm.Int64")")), Lines{"p/r L:Edm.Int64=7"});
  EXPECT_EQ(Shown(Entity(R"("L@odata.type":"Edm.Int64","A":1,"M@odata.type":"Edm.Int64","M":"8",)"
                         R"("L":"7")")),
            Lines{"p/r A:Edm.Int32=1 M:Edm.Int64=8 L:Edm.Int64=7"});
  EXPECT_EQ(Shown(Entity(R"("X@odata.type":"Edm.Int64")")), Lines{"p/r"}) << "of nothing";
}

TEST(EntityScanTest, WhatIsNoProperty) {
  EXPECT_EQ(
      Shown(Entity(R"("Timestamp@odata.type":"Edm.DateTime","Timestamp":"2024-01-01T00:00Z",)"
                   R"("odata.id":"i","Gone":null,"Gone2@odata.type":"Edm.Guid","Gone2":null)")),
      Lines{"p/r"});
}

TEST(EntityScanTest, WhatCountsAsAnyType) {
  EXPECT_EQ(Shown(Entity(R"("I@odata.type":"Edm.Int32","I":"many")")), Lines{"p/r I:null=many"});
  EXPECT_EQ(Shown(Entity(R"("G@odata.type":"Edm.Guid","G":"no guid")")),
            Lines{"p/r G:null=no guid"});
  EXPECT_EQ(Shown(Entity(R"("S@odata.type":"Edm.Single","S":1.5)")), Lines{"p/r S:null=1.5"});
  EXPECT_EQ(Shown(Entity(R"("S@odata.type":"Edm.String","S":5)")), Lines{"p/r S:null=5"});
}

TEST(EntityScanTest, ManyEntitiesWithKeysAnywhere) {
  EXPECT_EQ(Shown(R"({"A":1,"RowKey":"1","PartitionKey":""},{"PartitionKey":"q","RowKey":""})"),
            (Lines{"/1 A:Edm.Int32=1", "q/"}));
  EXPECT_EQ(Shown(""), Lines{});
}

TEST(EntityScanTest, Refused) {
  for (const char* body :
       {"", "x", "[]", "{}", R"({"value":5})", R"({"value":[5]})", R"({"value":[{}]})",
        R"({"value":[{"PartitionKey":"p"}]})", R"({"value":[{"PartitionKey":"p","RowKey":null}]})",
        R"({"value":[{"PartitionKey":1,"RowKey":"r"}]})",
        R"({"value":[{"PartitionKey":"p","RowKey":"r","A":{}}]})",
        R"({"value":[{"PartitionKey":"p","RowKey":"r","A@odata.type":5}]})",
        R"({"value":[{"PartitionKey":"p","RowKey":"r")", R"({"value":[]} x)"}) {
    EntityScan scan;
    const auto count = scan.ReadQuery(body, [](const ScannedEntity&) {});
    EXPECT_FALSE(count.ok()) << body;
  }
}

TEST(EntityScanTest, OneScanReadsManyBodies) {
  EntityScan scan;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(scan.ReadQuery("{", [](const ScannedEntity&) {}).ok());
    const auto count = scan.ReadQuery(R"({"value":[{"PartitionKey":"p","RowKey":"r"}]})",
                                      [](const ScannedEntity&) {});
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(*count, 1U);
  }
}

}  // namespace
}  // namespace aztables
