// Checks which bodies of writes, keys and table names the service accepts.
#include "service/handlers/entity_input.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/limits.h"
#include "service/store/record.h"
#include "unit/service/code_of.h"

namespace aztables {
namespace {

std::string CodeOfBody(const std::string& body) {
  EntityReader reader;
  return CodeOf(ReadEntityInput(body, reader).status());
}

std::string Text(size_t size) { return std::string(size, 'x'); }

TEST(EntityInputTest, KeysAndProperties) {
  EntityReader reader;
  const auto input = ReadEntityInput(
      R"({"odata.etag":"x","B":1,"RowKey":"r","RowKey@odata.type":"Edm.String","Timestamp":"any",)"
      R"("PartitionKey":"","A":"t","N":null,"L":"5","L@odata.type":"Edm.Int64",)"
      R"("D":5,"D@odata.type":"Edm.Double","Z":-0.0})",
      reader);
  ASSERT_TRUE(input.ok()) << input.status().message();
  EXPECT_EQ(input->partition_key, "");
  EXPECT_EQ(input->row_key, "r");
  std::string record;
  AppendRecord(record, "B", Value::Int32(1));
  AppendRecord(record, "A", Value::String("t"));
  AppendRecord(record, "L", Value::Int64(5));
  AppendRecord(record, "D", Value::Double(5));
  AppendRecord(record, "Z", Value::Double(0));  // its bits differ from those of negative zero
  EXPECT_EQ(input->record, record);
}

TEST(EntityInputTest, KeysMayBeAbsent) {
  EntityReader reader;
  for (const char* body : {"{}", R"({"PartitionKey":null,"RowKey":null})", R"({"A":1})"}) {
    const auto input = ReadEntityInput(body, reader);
    ASSERT_TRUE(input.ok()) << body;
    EXPECT_FALSE(input->partition_key);
    EXPECT_FALSE(input->row_key);
  }
}

TEST(EntityInputTest, Refusals) {
  const struct {
    std::string body;
    const char* code;
  } kCases[] = {
      {"", "InvalidInput"},
      {"[]", "InvalidInput"},
      {"{", "InvalidInput"},
      {R"({"A":1}x)", "InvalidInput"},
      {R"({"A":[1]})", "InvalidInput"},
      {R"({"A":{"B":1}})", "InvalidInput"},
      {R"({"A":"x","A@odata.type":"Edm.Int64"})", "InvalidInput"},
      {R"({"A":"x","A@odata.type":"Edm.Nothing"})", "InvalidInput"},
      {R"({"PartitionKey":5})", "InvalidInput"},
      {R"({"RowKey":true})", "InvalidInput"},
      {"{\"A\":\"\xFF\"}", "InvalidInput"},
      {R"({"RowKey":"a/b"})", "OutOfRangeInput"},
      {R"({"RowKey":"a\\b"})", "OutOfRangeInput"},
      {R"({"PartitionKey":"a#"})", "OutOfRangeInput"},
      {R"({"PartitionKey":"?"})", "OutOfRangeInput"},
      {R"({"PartitionKey":"\u0001"})", "OutOfRangeInput"},
      {R"({"PartitionKey":"\u0085"})", "OutOfRangeInput"},
      {R"({"PartitionKey":")" + Text(1024) + R"("})", "OK"},
      {R"({"PartitionKey":")" + Text(1025) + R"("})", "KeyValueTooLarge"},
      {R"({")" + Text(255) + R"(":1})", "OK"},
      {R"({")" + Text(256) + R"(":1})", "PropertyNameTooLong"},
      {R"({"a-b":1})", "PropertyNameInvalid"},
      {R"({"1a":1})", "PropertyNameInvalid"},
      {R"({"":1})", "PropertyNameInvalid"},
      {R"({"_":1,"\u00e4":2})", "OK"},
      {R"({"A":")" + Text(32'768) + R"("})", "OK"},
      {R"({"A":")" + Text(32'769) + R"("})", "PropertyValueTooLarge"},
      {R"({"A":"1600-12-31T23:59:59Z","A@odata.type":"Edm.DateTime"})", "OutOfRangeInput"},
      {R"({"A":"1601-01-01T00:00:00Z","A@odata.type":"Edm.DateTime"})", "OK"},
  };
  for (const auto& [body, code] : kCases) EXPECT_EQ(CodeOfBody(body), code) << body.substr(0, 60);
}

TEST(EntityInputTest, RefusalsSpeakOfTheBody) {
  EntityReader reader;
  EXPECT_EQ(ReadEntityInput(R"({"A":1,"A":2})", reader).status().message(),
            "An error occurred while processing this request. The body is not a JSON object of "
            "properties: property A occurs twice");
}

TEST(EntityInputTest, BinaryValues) {
  // Four characters of base64 are three bytes.
  const auto body = [](size_t quads) {
    std::string text;
    for (size_t i = 0; i < quads; ++i) text += "AAAA";
    return R"({"A":")" + text + R"(AA==","A@odata.type":"Edm.Binary"})";
  };
  EXPECT_EQ(CodeOfBody(body(21'845)), "OK");  // 65536 bytes
  EXPECT_EQ(CodeOfBody(body(21'846)), "PropertyValueTooLarge");
}

TEST(EntityInputTest, NamesOfTables) {
  const struct {
    std::string name;
    const char* code;
  } kNames[] = {
      {"abc", "OK"},
      {"A1b2C3", "OK"},
      {Text(63), "OK"},
      {Text(64), "OutOfRangeInput"},
      {"ab", "OutOfRangeInput"},
      {"", "OutOfRangeInput"},
      {"1ab", "InvalidResourceName"},
      {"a_b", "InvalidResourceName"},
      {"a-b", "InvalidResourceName"},
      {"a b", "InvalidResourceName"},
      {"$abc", "InvalidResourceName"},
      {"\xC3\xA4"
       "bc",
       "InvalidResourceName"},
      {"TABLES", "InvalidResourceName"},
      {"tables1", "OK"},
  };
  for (const auto& [name, code] : kNames) EXPECT_EQ(CodeOf(CheckNewTableName(name)), code) << name;
}

TEST(EntityInputTest, WholeEntities) {
  const std::string value(32'768, 'x');
  std::vector<PropertyView> views(252);
  for (PropertyView& view : views) view.type = EdmType::kInt32;
  EXPECT_EQ(CodeOf(CheckWhole("p", "r", views)), "OK");
  views.emplace_back();
  EXPECT_EQ(CodeOf(CheckWhole("p", "r", views)), "TooManyProperties");
  views.assign(15, PropertyView());
  for (PropertyView& view : views) {
    view.type = EdmType::kString;
    view.bytes = value;
  }
  EXPECT_EQ(CodeOf(CheckWhole("p", "r", views)), "OK");
  views.push_back(views.back());
  EXPECT_EQ(CodeOf(CheckWhole("p", "r", views)), "EntityTooLarge");
  // The last byte within the limit.
  views.back().bytes = {};
  const size_t rest = kMaxEntitySize - EntitySize("p", "r", views);
  views.back().bytes = std::string_view(value).substr(0, rest / 2);
  EXPECT_EQ(CodeOf(CheckWhole("p", "r", views)), "OK");
  views.back().bytes = std::string_view(value).substr(0, rest / 2 + 1);
  EXPECT_EQ(CodeOf(CheckWhole("p", "r", views)), "EntityTooLarge");
}

}  // namespace
}  // namespace aztables
