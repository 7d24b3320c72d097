// Checks bodies that no service sends (cut, with garbage at the end, invalid UTF-8, other shapes):
// each is an error without rows.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/encoding.h"
#include "odata/entity_page.h"
#include "support/rounds.h"
#include "unit/odata/show_cell.h"

namespace aztables {
namespace {

using testing_support::kFirst;
using testing_support::Show;

// All kinds of values, escapes, nested metadata; any prefix is a realistic cut.
const char* const kSample =
    R"({"odata.metadata":"https://acct/$metadata#T","value":[{"odata.etag":"W/\"e\"",)"
    R"("PartitionKey":"p","RowKey":"r\u00f4\ud83d\ude00","Timestamp":"2026-11-02T10:00:00Z",)"
    R"("I@odata.type":"Edm.Int64","I":"5","D":1.5E+3,"B":true,"N":null,"X":-7},)"
    R"({"PartitionKey":"p2","RowKey":"r2","F":false,"D":2.0}]})";

void ExpectRefused(EntityPage& page, const std::string& body) {
  for (const bool query : {true, false}) {
    const Status status = query ? page.ReadQuery(body) : page.ReadEntity(body);
    EXPECT_FALSE(status.ok()) << (query ? "query " : "entity ") << body;
    EXPECT_EQ(page.size(), 0U) << body;
    EXPECT_NE(status.message().find("not the JSON that a table service sends"),
              std::string_view::npos)
        << status.message();
  }
}

void ExpectQueryRefused(const std::string& body) {
  EntityPage page({{"I"}, true});
  EXPECT_FALSE(page.ReadQuery(body).ok()) << body;
  EXPECT_EQ(page.size(), 0U) << body;
}

TEST(EntityPageShapeTest, TheSampleItselfIsFine) {
  EntityPage page({{"I", "D", "B", "N", "X", "F"}, true});
  ASSERT_TRUE(page.ReadQuery(kSample).ok());
  ASSERT_EQ(page.size(), 2U);
  EXPECT_EQ(Show(page.At(0, EntityPage::kRowKey)), "Edm.String r\xC3\xB4\xF0\x9F\x98\x80");
  EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int64 5");
  EXPECT_EQ(Show(page.At(0, kFirst + 1)), "Edm.Double 1500.0");
  EXPECT_EQ(Show(page.At(1, kFirst + 5)), "Edm.Boolean 0");
}

TEST(EntityPageShapeTest, CutAtEveryByteIsAnErrorWithoutRows) {
  const std::string sample = kSample;
  EntityPage page({{"I", "D", "B", "N", "X", "F"}, true});
  for (size_t size = 0; size < sample.size(); ++size) {
    ASSERT_FALSE(page.ReadQuery(sample.substr(0, size)).ok()) << sample.substr(0, size);
    ASSERT_EQ(page.size(), 0U);
  }
  const size_t begin = sample.find("{\"odata.etag");
  const std::string entity = sample.substr(begin, sample.find("},{", begin) + 1 - begin);
  ASSERT_TRUE(page.ReadEntity(entity).ok()) << entity;
  for (size_t size = 0; size < entity.size(); ++size) {
    ASSERT_FALSE(page.ReadEntity(entity.substr(0, size)).ok()) << entity.substr(0, size);
    ASSERT_EQ(page.size(), 0U);
  }
}

TEST(EntityPageShapeTest, ACutInTheMiddleThatEndsInABraceIsAnError) {
  ExpectQueryRefused(R"({"value":[{"I":1})");
  ExpectQueryRefused(R"({"value":[{"I":1},{"I":2})");
  ExpectQueryRefused(R"({"value":[{"I":1}})");
  ExpectQueryRefused(R"({"value":[{"I":1]})");
  ExpectQueryRefused(R"({"odata.metadata":{"value":[{"I":1}]})");
}

TEST(EntityPageShapeTest, RandomBytesInPlaceOfOthersNeverCrash) {
  std::mt19937 random(7);
  EntityPage page({{"I", "D"}, true});
  const std::string sample = kSample;
  int refused = 0;
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    std::string body = sample;
    for (size_t n = 1 + random() % 3; n > 0; --n) {
      body[random() % body.size()] =
          i % 2 == 0 ? static_cast<char>(random()) : R"({}[]",:\0e-tn)"[random() % 13];
    }
    if (!page.ReadQuery(body).ok()) {
      ++refused;
      ASSERT_EQ(page.size(), 0U);
      continue;
    }
    for (size_t row = 0; row < page.size(); ++row) {
      for (size_t column = 0; column < kFirst + 2; ++column) Show(page.At(row, column));
    }
  }
  EXPECT_GT(refused, support::Rounds(5'000));
  EXPECT_LT(refused, support::Rounds(20'000));
}

TEST(EntityPageShapeTest, SomethingBehindTheDocument) {
  EntityPage page({{"I"}, false});
  for (const char* rest :
       {"x", "{", "}", "]", ",", "0", "null", "{\"value\":[]}", "\xEF\xBB\xBF"}) {
    ExpectRefused(page, R"({"value":[{"I":1}]})" + std::string(rest));
    EXPECT_FALSE(page.ReadEntity(R"({"I":1})" + std::string(rest)).ok()) << rest;
    EXPECT_EQ(page.size(), 0U);
  }
  for (const char* blanks : {"\r\n", " ", "\n\n\t "}) {
    EXPECT_TRUE(page.ReadQuery(R"({"value":[{"I":1}]})" + std::string(blanks)).ok());
    EXPECT_EQ(page.size(), 1U);
  }
}

TEST(EntityPageShapeTest, WhatIsNoJsonOfThisShape) {
  EntityPage page({{"I"}, false});
  for (const char* body : {"",
                           " ",
                           "null",
                           "5",
                           "\"value\"",
                           "[]",
                           "[{\"I\":1}]",
                           "<html><body>Hi</body></html>",
                           "<?xml version=\"1.0\"?><error/>",
                           "HTTP/1.1 200 OK",
                           "{\"value\":[{\"I\":1}]",
                           "{\"value\":[{\"I\":tru}]}",
                           "{\"value\":[{\"I\":01}]}",
                           "{\"value\":[{\"I\":nul}]}",
                           "{\"value\":[{\"I\":1.}]}",
                           "{\"value\":[{\"I\":+1}]}",
                           "{\"value\":[{\"I\":'x'}]}",
                           "{'value':[]}",
                           "{\"value\":[{\"I\":NaN}]}",
                           "{\"value\":[{\"I\":\"\\x\"}]}",
                           "{\"value\":[{\"I\":\"\\u12\"}]}",
                           "{\"value\":[{\"I\":\"a\nb\"}]}",
                           "{\"value\":[{I:1}]}",
                           "{\"value\":[{\"I\" 1}]}",
                           "{\"value\":[{\"I\":1 \"J\":2}]}",
                           "{\"value\":[{\"I\":}]}"}) {
    ExpectRefused(page, body);
  }
}

TEST(EntityPageShapeTest, Numbers) {
  EntityPage page({{"I"}, false});
  for (const char* good : {"0", "-0", "10", "0.5", "-0.0", "1e5", "1E+5", "-1.5e-7", "100"}) {
    EXPECT_TRUE(page.ReadEntity("{\"I\":" + std::string(good) + "}").ok()) << good;
    EXPECT_TRUE(page.ReadEntity("{\"I\": " + std::string(good) + " \n}").ok()) << good;
  }
  for (const char* bad : {"-", "-01", "00", "1e", "1e+", ".5", "1.e5", "0x1", "--1", "1-", "True",
                          "nulll", "falsee", "1 2", "-a", "1e5.5", "1_000"}) {
    EXPECT_FALSE(page.ReadEntity("{\"I\":" + std::string(bad) + "}").ok()) << bad;
  }
}

TEST(EntityPageShapeTest, APropertyThatNoColumnNeedsIsAScalar) {
  EntityPage page({{"I"}, false});
  EXPECT_TRUE(page.ReadEntity(R"({"Other":"\q","I":1})").ok()) << "it is not decoded";
  for (const char* other : {"{}", "[]", "[1]", "x", "+1", "'a'"}) {
    EXPECT_FALSE(page.ReadEntity("{\"Other\":" + std::string(other) + ",\"I\":1}").ok()) << other;
  }
  EXPECT_FALSE(page.ReadEntity(R"({"Other":1,"I":1,"Other":1})").ok()) << "twice";
  EXPECT_NE(page.ReadQuery(R"({"value":[{"PartitionKey":"p","RowKey":"1","A":1},)"
                           R"({"A":1,"PartitionKey":"p","A":2,"RowKey":"r\u00e9"}]})")
                .message()
                .find("the entity PartitionKey='p', RowKey='r\xC3\xA9' has the member 'A' twice"),
            std::string_view::npos);
  EXPECT_FALSE(page.ReadEntity(R"({"Other":1,"I":1,"Oth\u0065r":1})").ok()) << "twice";
}

TEST(EntityPageShapeTest, WhatIsJsonOfAnotherShape) {
  for (const char* body :
       {"{}", "{\"values\":[]}", "{\"value\":null}", "{\"value\":{}}", "{\"value\":5}",
        "{\"value\":\"x\"}", "{\"value\":[1]}", "{\"value\":[[]]}", "{\"value\":[null]}",
        "{\"value\":[\"x\"]}", "{\"value\":[{\"I\":{}}]}", "{\"value\":[{\"I\":{\"J\":1}}]}",
        "{\"value\":[{\"I\":[]}]}", "{\"value\":[{\"I\":[1]}]}",
        "{\"value\":[{\"I@odata.type\":5,\"I\":1}]}", "{\"odata.error\":{\"code\":\"X\"}}"}) {
    ExpectQueryRefused(body);
  }
  EntityPage page({{"I"}, false});
  EXPECT_FALSE(page.ReadEntity(R"({"odata.error":{"code":"ResourceNotFound"}})").ok());
  EXPECT_FALSE(page.ReadEntity(R"({"value":[{"I":1}]})").ok()) << "a page is no entity";
  EXPECT_EQ(page.size(), 0U);
}

TEST(EntityPageShapeTest, AnErrorInTheLastRowLeavesNoneOfTheOthers) {
  std::string body = R"({"value":[)";
  for (int i = 0; i < 500; ++i) body += R"({"RowKey":"r","I":1},)";
  ExpectQueryRefused(body + R"({"I":{}}]})");
  ExpectQueryRefused(body + R"({"I":"\ud83x"}]})");
  ExpectQueryRefused(body + R"({"I":"\ud83d\q"}]})");
  ExpectQueryRefused(body + R"({"I":"\ud83d\ud83"}]})");
}

// Values, keys and names with a lone surrogate: the code units stay, and _entity contains their
// escapes.
TEST(EntityPageShapeTest, LoneSurrogates) {
  const std::pair<const char*, const char*> kTexts[] = {
      {R"(\ud83d)", "\xED\xA0\xBD"},
      {R"(\ude00)", "\xED\xB8\x80"},
      {R"(\ude00\ud83d)", "\xED\xB8\x80\xED\xA0\xBD"},
      {R"(\ud83d\u0041)",
       "\xED\xA0\xBD"
       "A"},
      {R"(\uD83Dx)", "\xED\xA0\xBDx"},
      {R"(\ud83d\ud83d\ude00)", "\xED\xA0\xBD\xF0\x9F\x98\x80"},
      {R"(\ud83d\n\"\\\/\t\u00e9)", "\xED\xA0\xBD\n\"\\/\t\xC3\xA9"},
  };
  for (const auto& [raw, text] : kTexts) {
    const std::string quoted = "\"" + std::string(raw) + "\"";
    EntityPage page({{text, "S"}, true});
    const Status status =
        page.ReadQuery("{\"value\":[{\"PartitionKey\":" + quoted + ",\"RowKey\":" + quoted +
                       ",\"S\":" + quoted + ",\"Z\":\"z\"," + quoted + ":1}]}");
    ASSERT_TRUE(status.ok()) << raw << status.message();
    EXPECT_EQ(page.At(0, EntityPage::kPartitionKey).view(), text) << raw;
    EXPECT_EQ(page.At(0, EntityPage::kRowKey).view(), text) << raw;
    EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int32 1") << raw;
    EXPECT_EQ(page.At(0, kFirst + 1).view(), text) << raw;
    const std::string entity(page.At(0, EntityPage::kEntity).view());
    EXPECT_TRUE(IsValidUtf8(entity)) << raw;
    EXPECT_NE(entity.find("\\ud"), std::string::npos) << entity;
    EntityPage again({{"S"}, false});
    ASSERT_TRUE(again.ReadEntity(entity).ok()) << entity;
    EXPECT_EQ(again.At(0, kFirst).view(), text) << "it comes back: " << entity;
  }
}

TEST(EntityPageShapeTest, NamesWithBadEscapesStayValidText) {
  for (const char* raw : {R"(\u12)", R"(\uzzzz)", R"(\q)"}) {
    EntityPage page({{raw}, true});
    ASSERT_TRUE(page.ReadQuery("{\"value\":[{\"" + std::string(raw) + "\":1}]}").ok()) << raw;
    EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.Int32 1") << raw;
    EXPECT_TRUE(IsValidUtf8(page.At(0, EntityPage::kEntity).view())) << raw;
  }
}

TEST(EntityPageShapeTest, InvalidUtf8) {
  EntityPage page({{"I"}, false});
  for (const char* bytes : {"\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    ExpectRefused(page, R"({"value":[{"I":")" + std::string(bytes) + R"("}]})");
    ExpectRefused(page, R"({"value":[{")" + std::string(bytes) + R"(":1}]})");
  }
}

TEST(EntityPageShapeTest, EmptyListAndMetadataAnywhere) {
  EntityPage page({{"I"}, false});
  ASSERT_TRUE(page.ReadQuery(R"({"odata.metadata":"x","value":[]})").ok());
  EXPECT_EQ(page.size(), 0U);
  ASSERT_TRUE(page.ReadQuery(R"({"value":[{"I":1}],"odata.metadata":"x"})").ok());
  EXPECT_EQ(page.size(), 1U);
  ASSERT_TRUE(page.ReadQuery(R"({"a":{"value":[5],"b":[[{}]]},"value":[{"I":1}],"c":null})").ok());
  EXPECT_EQ(page.size(), 1U) << "unknown members are walked over";
  ExpectQueryRefused(R"({"a":{"b":[tru]},"value":[{"I":1}]})");
}

// Nesting so deep that a recursive reader would exhaust the stack.
TEST(EntityPageShapeTest, DeepNestingIsRefused) {
  EntityPage page({{"I"}, true});
  for (const size_t depth : {size_t{10}, size_t{1'000'000}}) {
    std::string objects;
    for (size_t i = 0; i < depth; ++i) objects += "{\"a\":";
    objects += "1" + std::string(depth, '}');
    const std::string arrays = std::string(depth, '[') + std::string(depth, ']');
    for (const std::string& nested : {objects, arrays}) {
      const std::string body = "{\"a\":" + nested + ",\"value\":[{\"I\":1}]}";
      ASSERT_EQ(page.ReadQuery(body).ok(), depth == 10) << depth;
      EXPECT_EQ(page.size(), depth == 10 ? 1U : 0U);
      EXPECT_FALSE(page.ReadQuery("{\"value\":[{\"I\":" + nested + "}]}").ok());
      EXPECT_FALSE(page.ReadEntity("{\"I\":" + nested + "}").ok());
    }
  }
}

TEST(EntityPageShapeTest, ByteOrderMark) {
  EntityPage page({{"I"}, false});
  ASSERT_TRUE(page.ReadQuery("\xEF\xBB\xBF{\"value\":[{\"I\":1}]}").ok());
  EXPECT_EQ(page.size(), 1U);
  ASSERT_TRUE(page.ReadEntity("\xEF\xBB\xBF{\"I\":1}").ok());
  ExpectRefused(page, "\xEF\xBB\xBF");
  ExpectRefused(page, "\xEF\xBB\xBF\xEF\xBB\xBF{\"value\":[]}");
}

}  // namespace
}  // namespace aztables
