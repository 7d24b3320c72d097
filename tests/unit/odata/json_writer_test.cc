// Checks the JSON of entities: strings with their escapes, annotations, and every type.
#include "odata/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace aztables {
namespace {

std::string AsciiString(std::string_view text) {
  std::string out;
  AppendAsciiJsonString(out, text);
  return out;
}

std::string JsonString(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

std::string PropertyText(const Value& value, std::string_view name = "A") {
  std::string out;
  AppendJsonProperty(out, "", name, value);
  return out;
}

// The text between `before` plain bytes and `after` others.
std::string Amid(size_t before, std::string_view text, size_t after) {
  std::string all(before, 'x');
  all += text;
  all.append(after, '~');
  return all;
}

// Texts are searched 16 and 64 bytes at a time.
TEST(JsonStringTest, FindsEscapesAtEveryPlace) {
  for (int c = 0; c < 0x80; ++c) {
    const std::string one(1, static_cast<char>(c));
    const std::string alone = JsonString(one);
    const std::string inside = alone.substr(1, alone.size() - 2);
    for (size_t before = 0; before < 82; ++before) {
      for (const size_t after : {0U, 1U, 15U, 16U, 65U}) {
        const std::string text = Amid(before, one, after);
        const std::string escaped = '"' + Amid(before, inside, after) + '"';
        EXPECT_EQ(JsonString(text), escaped) << c;
        EXPECT_EQ(AsciiString(text), escaped) << c;
        const std::string wide = Amid(before, "\xC3\xA9", after);
        EXPECT_EQ(AsciiString(wide), '"' + Amid(before, "\\u00e9", after) + '"');
        EXPECT_EQ(JsonString(wide), '"' + wide + '"');
      }
    }
  }
}

TEST(JsonStringTest, AsciiAlone) {
  EXPECT_EQ(AsciiString("\xC3\xA9\x7F\xEF\xBF\xBD\xF0\x9F\x98\x80/"),
            "\"\\u00e9\x7F\\ufffd\\ud83d\\ude00/\"");
}

TEST(JsonStringTest, Escapes) {
  EXPECT_EQ(JsonString(""), R"("")");
  EXPECT_EQ(JsonString("plain"), R"("plain")");
  EXPECT_EQ(JsonString("\"\\"), R"("\"\\")");
  EXPECT_EQ(JsonString("\n\r\t"), R"("\n\r\t")");
  EXPECT_EQ(JsonString("a/b<c>&'d"), R"("a/b<c>&'d")");
  EXPECT_EQ(JsonString("\"a\nb\"c"), R"("\"a\nb\"c")");
  EXPECT_EQ(JsonString("\xC3\xA9\xF0\x9F\x98\x80\x7F"), "\"\xC3\xA9\xF0\x9F\x98\x80\x7F\"");
  EXPECT_EQ(JsonString(std::string_view("a\0b", 3)), R"("a\u0000b")");
}

TEST(JsonStringTest, NoControlCharacterStaysRaw) {
  for (unsigned c = 0; c < 0x20; ++c) {
    const std::string json = JsonString(std::string("x") + static_cast<char>(c) + "y");
    char expected[16];
    std::snprintf(expected, sizeof expected, "\"x\\u%04xy\"", c);
    if (c == '\n' || c == '\r' || c == '\t') {
      EXPECT_EQ(json.size(), 6U);
    } else {
      EXPECT_EQ(json, expected);
    }
    EXPECT_EQ(json.find(static_cast<char>(c)), std::string::npos);
  }
}

TEST(JsonStringTest, Appends) {
  std::string out = "[";
  AppendJsonString(out, "a");
  AppendJsonString(out, "b");
  EXPECT_EQ(out, R"(["a""b")");
}

TEST(JsonPropertyTest, EveryType) {
  EXPECT_EQ(PropertyText(Value::String("s\"")), R"("A":"s\"")");
  EXPECT_EQ(PropertyText(Value::Int32(-5)), R"("A":-5)");
  EXPECT_EQ(PropertyText(Value::Int64(5)), R"("A@odata.type":"Edm.Int64","A":"5")");
  EXPECT_EQ(PropertyText(Value::Int64(std::numeric_limits<int64_t>::min())),
            R"("A@odata.type":"Edm.Int64","A":"-9223372036854775808")");
  EXPECT_EQ(PropertyText(Value::Boolean(true)), R"("A":true)");
  EXPECT_EQ(PropertyText(Value::Boolean(false)), R"("A":false)");
  EXPECT_EQ(PropertyText(Value::Double(5)), R"("A@odata.type":"Edm.Double","A":5.0)");
  EXPECT_EQ(PropertyText(Value::Double(1e300)), R"("A@odata.type":"Edm.Double","A":1e+300)");
  EXPECT_EQ(PropertyText(Value::Double(std::numeric_limits<double>::quiet_NaN())),
            R"("A@odata.type":"Edm.Double","A":"NaN")");
  EXPECT_EQ(PropertyText(Value::Double(std::numeric_limits<double>::infinity())),
            R"("A@odata.type":"Edm.Double","A":"Infinity")");
  EXPECT_EQ(PropertyText(Value::Double(-std::numeric_limits<double>::infinity())),
            R"("A@odata.type":"Edm.Double","A":"-Infinity")");
  EXPECT_EQ(PropertyText(Value::DateTime("2026-11-02T10:00:00.0000000Z")),
            R"("A@odata.type":"Edm.DateTime","A":"2026-11-02T10:00:00.0000000Z")");
  EXPECT_EQ(PropertyText(Value::Guid("c9da6455-213d-42c9-9a79-3e9149a57833")),
            R"("A@odata.type":"Edm.Guid","A":"c9da6455-213d-42c9-9a79-3e9149a57833")");
  EXPECT_EQ(PropertyText(Value::Binary(std::string_view("\x00\x01\x02", 3))),
            R"("A@odata.type":"Edm.Binary","A":"AAEC")");
  EXPECT_EQ(PropertyText(Value::Binary("")), R"("A@odata.type":"Edm.Binary","A":"")");
}

TEST(JsonPropertyTest, NamesAreEscapedAndNullIsNothing) {
  EXPECT_EQ(PropertyText(Value::Int64(5), "\xC3\xA9"),
            "\"\xC3\xA9@odata.type\":\"Edm.Int64\",\"\xC3\xA9\":\"5\"");
  EXPECT_EQ(PropertyText(Value::Int32(5), "a\"b"), R"("a\"b":5)");
  std::string out = "{";
  AppendJsonProperty(out, ",", "A", Value());
  EXPECT_EQ(out, "{") << "no separator either";
  AppendJsonProperty(out, ",", "A", Value::Int32(1));
  EXPECT_EQ(out, R"({,"A":1)");
}

TEST(JsonPropertiesTest, AnObjectOnOneLine) {
  std::string out = "x";
  AppendPropertiesJson(out, {{"N", Value()}, {"B", Value::Int32(1)}, {"A", Value::Int64(2)}});
  EXPECT_EQ(out, R"(x{"B":1,"A@odata.type":"Edm.Int64","A":"2"})");
  out.clear();
  AppendPropertiesJson(out, {});
  EXPECT_EQ(out, "{}");
  out.clear();
  AppendPropertiesJson(out, {{"N", Value()}, {"S", Value::String("r\n")}});
  EXPECT_EQ(out, R"({"S":"r\n"})");
}

TEST(JsonEntityTest, KeysBeforeProperties) {
  std::string out = "x";
  AppendEntityJson(out, "p\"", "", R"({"B":1})");
  EXPECT_EQ(out, R"(x{"PartitionKey":"p\"","RowKey":"","B":1})");
  out.clear();
  AppendEntityJson(out, "p", "r\n", "{}");
  EXPECT_EQ(out, R"({"PartitionKey":"p","RowKey":"r\n"})");
}

}  // namespace
}  // namespace aztables
