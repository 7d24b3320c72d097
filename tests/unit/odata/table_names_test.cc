// Checks the reader of Query Tables responses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "odata/response_body.h"

namespace aztables {
namespace {

using Names = std::vector<std::string>;

TEST(TableNamesTest, Lists) {
  EXPECT_EQ(*ReadTableNames(R"({"value":[]})"), Names());
  EXPECT_EQ(*ReadTableNames(R"({"value":[{"TableName":"orders"}]})"), Names({"orders"}));
  EXPECT_EQ(*ReadTableNames(R"({"odata.metadata":"m#Tables","value":[{"TableName":"b"},
                                {"TableName":"a"},{"TableName":"\u554a"}]})"),
            Names({"b", "a", "\xE5\x95\x8A"}))
      << "in the order in which they came";
  EXPECT_EQ(*ReadTableNames(R"({"value":[{"TableName":"a"}],"odata.metadata":"m"})"), Names({"a"}))
      << "the metadata last";
  EXPECT_EQ(*ReadTableNames("\xEF\xBB\xBF{\"value\":[{\"TableName\":\"a\"}]}\r\n"), Names({"a"}));
}

TEST(TableNamesTest, FullMetadataIsSteppedOver) {
  EXPECT_EQ(*ReadTableNames(R"({"odata.metadata":"m","value":[{"odata.type":"acct.Tables",
      "odata.id":"i","odata.editLink":"l","nested":{"TableName":"no","x":[1,{"y":null}]},
      "TableName":"yes"}]})"),
            Names({"yes"}));
}

TEST(TableNamesTest, Refusals) {
  for (const char* body : {"",
                           "null",
                           "[]",
                           "{}",
                           "{\"values\":[]}",
                           "{\"value\":null}",
                           "{\"value\":{}}",
                           "{\"value\":[1]}",
                           "{\"value\":[\"a\"]}",
                           "{\"value\":[{}]}",
                           "{\"value\":[{\"TableName\":5}]}",
                           "{\"value\":[{\"TableName\":null}]}",
                           "{\"value\":[{\"TableName\":\"\"}]}",
                           "{\"value\":[{\"Name\":\"a\"}]}",
                           "{\"value\":[{\"TableName\":\"a\"}]} x",
                           "{\"value\":[{\"TableName\":\"a\"}]}{}",
                           "{\"value\":[{\"TableName\":\"a\",\"b\":tru}]}",
                           "{\"value\":[{\"TableName\":\"\xFF\"}]}",
                           "{\"a\":[01],\"value\":[]}",
                           "<html></html>"}) {
    const auto names = ReadTableNames(body);
    ASSERT_FALSE(names.ok()) << body;
    EXPECT_NE(names.status().message().find("not the JSON"), std::string_view::npos);
  }
}

TEST(TableNamesTest, DeepNestingIsRefused) {
  const std::string nested = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_FALSE(ReadTableNames("{\"a\":" + nested + ",\"value\":[]}").ok());
  EXPECT_FALSE(ReadTableNames("{\"value\":[{\"a\":" + nested + ",\"TableName\":\"b\"}]}").ok());
  EXPECT_FALSE(ReadErrorBody("{\"a\":" + nested + ",\"odata.error\":{}}").recognized);
  EXPECT_FALSE(ReadEntityText("{\"a\":" + nested + "}").ok());
}

TEST(TableNamesTest, CutAtEveryByteIsRefused) {
  const std::string body =
      R"({"odata.metadata":"m#Tables","value":[{"TableName":"one"},{"TableName":"two"}]})";
  ASSERT_TRUE(ReadTableNames(body).ok());
  for (size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(ReadTableNames(body.substr(0, size)).ok()) << body.substr(0, size);
  }
}

}  // namespace
}  // namespace aztables
