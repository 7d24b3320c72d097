// Checks `_entity`: the page reader's output, ReadEntityText's input and errors, and that no type
// loses anything in a round trip with the JSON writer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "odata/entity_page.h"
#include "odata/json_writer.h"
#include "odata/response_body.h"
#include "unit/odata/show_cell.h"

namespace aztables {
namespace {

using testing_support::Show;

std::string PageText(const std::string& members) {
  EntityPage page({{}, true});
  const Status status = page.ReadQuery("{\"value\":[{" + members + "}]}");
  if (!status.ok()) return std::string(status.message());
  return std::string(page.At(0, EntityPage::kEntity).view());
}

TEST(EntityTextTest, IsTheServicesOwnFormWithoutKeysAndMetadata) {
  EXPECT_EQ(PageText(R"("odata.type":"a.T","odata.id":"x","odata.etag":"e","odata.editLink":"l",
      "PartitionKey":"p","RowKey":"r","Timestamp@odata.type":"Edm.DateTime",
      "Timestamp":"2026-11-02T10:00:00Z","B":1,"A@odata.type":"Edm.Int64","A":"5","C":4.50,
      "D":1.5E+24,"E":true,"F":null,"G":"q\"\n","H@odata.type":"Edm.DateTime",
      "H":"2026-11-02T10:00:00.5Z")"),
            R"({"A@odata.type":"Edm.Int64","A":"5","B":1,"C":4.50,"D":1.5E+24,"E":true,)"
            R"("G":"q\"\n","H@odata.type":"Edm.DateTime","H":"2026-11-02T10:00:00.5Z"})");
  EXPECT_EQ(PageText(R"("PartitionKey":"p","RowKey":"r")"), "{}");
  EXPECT_EQ(PageText(""), "{}");
}

// Each text of a page has its own order, whatever the order of the entity before it.
TEST(EntityTextTest, IsInTheOrderOfTheNames) {
  constexpr std::string_view kBody = R"({"value":[
      {"odata.etag":"e","PartitionKey":"p","c":1,"RowKey":"r","B":2,"A@odata.type":"Edm.Guid","A":"x"},
      {"A":1,"B":2,"c":3},{"c":1,"B":2,"A":3},{"c":1,"B":2,"A":3},{"c":1,"B":null,"A":3},{"c":1,"A":3},
      {"B":1},{},{"\ue000":1,"\ud83d\ude00":2,"\udc00":3,"\u00e9":4,"AB":5,"A":6,"_":7,"A_":8}]})";
  const std::string code_units =
      "{\"A\":6,\"AB\":5,\"A_\":8,\"_\":7,\"\u00e9\":4,"
      "\"\U0001F600\":2,\"\\udc00\":3,\"\uE000\":1}";
  const std::vector<std::string> by_name{R"({"A@odata.type":"Edm.Guid","A":"x","B":2,"c":1})",
                                         R"({"A":1,"B":2,"c":3})",
                                         R"({"A":3,"B":2,"c":1})",
                                         R"({"A":3,"B":2,"c":1})",
                                         R"({"A":3,"c":1})",
                                         R"({"A":3,"c":1})",
                                         R"({"B":1})",
                                         "{}",
                                         code_units};
  EntityPage page({{}, true});
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(page.ReadQuery(std::string(kBody)).ok());
    ASSERT_EQ(page.size(), by_name.size());
    for (size_t row = 0; row < page.size(); ++row) {
      EXPECT_EQ(page.At(row, EntityPage::kEntity).view(), by_name[row]);
    }
  }
  EntityPage received({{}, true, true});
  ASSERT_TRUE(received.ReadQuery(std::string(kBody)).ok());
  EXPECT_EQ(received.At(0, EntityPage::kEntity).view(),
            R"({"c":1,"B":2,"A@odata.type":"Edm.Guid","A":"x"})");
  EXPECT_EQ(received.At(2, EntityPage::kEntity).view(), R"({"c":1,"B":2,"A":3})");
}

TEST(EntityTextTest, KeepsWhatItDoesNotUnderstand) {
  EXPECT_EQ(PageText(R"("A":"5","A@odata.type":"Edm.Int64")"),
            R"({"A@odata.type":"Edm.Int64","A":"5"})")
      << "the annotation moves in front";
  EXPECT_EQ(PageText(R"("A@odata.type":"Edm.Int32","A":"five")"),
            R"({"A@odata.type":"Edm.Int32","A":"five"})");
  EXPECT_EQ(PageText(R"("A@odata.type":"Edm.Unheard","A":"x")"),
            R"({"A@odata.type":"Edm.Unheard","A":"x"})");
  EXPECT_EQ(PageText(R"("A@odata.type":"Edm.Double","A":"NaN","B":-0.0)"),
            R"({"A@odata.type":"Edm.Double","A":"NaN","B":-0.0})");
}

// "name: value; ..." of the properties, or the error.
std::string ReadText(std::string_view text) {
  const auto properties = ReadEntityText(text);
  if (!properties.ok()) return "error: " + std::string(properties.status().message());
  std::string shown;
  for (const Property& property : *properties) {
    shown += (shown.empty() ? "" : "; ") + property.name + ": " + Show(property.value);
  }
  return shown;
}

TEST(ReadEntityTextTest, EveryType) {
  EXPECT_EQ(ReadText("{}"), "");
  EXPECT_EQ(ReadText(" {\"A\" : 1 } \n"), "A: Edm.Int32 1");
  EXPECT_EQ(ReadText("\xEF\xBB\xBF{\"A\":1}"), "A: Edm.Int32 1");
  EXPECT_EQ(ReadText(R"({"A":"s","B":true,"C":-5,"D":5.0,"E":1e3})"),
            "A: Edm.String s; B: Edm.Boolean 1; C: Edm.Int32 -5; D: Edm.Double 5.0; "
            "E: Edm.Double 1000.0");
  EXPECT_EQ(ReadText(R"({"A@odata.type":"Edm.Int64","A":"9007199254740993","B":"5",
                         "B@odata.type":"Edm.Int64","C@odata.type":"Edm.Int64","C":7})"),
            "A: Edm.Int64 9007199254740993; B: Edm.Int64 5; C: Edm.Int64 7");
  EXPECT_EQ(ReadText(R"({"A@odata.type":"Edm.Double","A":"-Infinity","B@odata.type":"Edm.Double",
                         "B":5,"C@odata.type":"Edm.Double","C":"NaN"})"),
            "A: Edm.Double -Infinity; B: Edm.Double 5.0; C: Edm.Double NaN");
  EXPECT_EQ(ReadText(R"({"A@odata.type":"Edm.DateTime","A":"2026-11-02T12:00+02:00"})"),
            "A: Edm.DateTime 2026-11-02T10:00:00.0000000Z");
  EXPECT_EQ(ReadText(R"({"A@odata.type":"Edm.Guid","A":"C9DA6455-213D-42C9-9A79-3E9149A57833"})"),
            "A: Edm.Guid c9da6455-213d-42c9-9a79-3e9149a57833");
  EXPECT_EQ(ReadText(R"({"A@odata.type":"Edm.Binary","A":"AAEC"})"), "A: Edm.Binary 000102");
  EXPECT_EQ(ReadText(R"({"A@odata.type":"Edm.Int32","A":5,"B@odata.type":"Edm.String","B":"x",
                         "C@odata.type":"Edm.Boolean","C":false})"),
            "A: Edm.Int32 5; B: Edm.String x; C: Edm.Boolean 0");
}

TEST(ReadEntityTextTest, SkipsMetadataAndKeepsNullAsNotStored) {
  EXPECT_EQ(ReadText(R"({"odata.etag":"e","odata.type":"x","A":null,"B@odata.type":"Edm.Int64",
                         "B":null,"C@odata.type":"Edm.Int64"})"),
            "A: null; B: null");
}

TEST(ReadEntityTextTest, EscapedNames) {
  EXPECT_EQ(ReadText(R"({"\u554a@odata.type":"Edm.Int64","\u554a":"5"})"),
            "\xE5\x95\x8A: Edm.Int64 5");
}

TEST(ReadEntityTextTest, Refusals) {
  const std::pair<const char*, const char*> kBad[] = {
      {"", "not JSON"},
      {"null", "not an object"},
      {"[]", "not an object"},
      {"5", "not an object"},
      {"\"x\"", "not an object"},
      {"{\"A\":1", ""},
      {"{\"A\":1}}", "follows"},
      {"{\"A\":1} x", ""},
      {"{\"A\":1}{\"B\":2}", "follows"},
      {"{\"A\":tru}", ""},
      {"{\"A\":01}", ""},
      {"{A:1}", ""},
      {"{\"A\":\"\xFF\"}", ""},
      {"{\"A\":{}}", "of A "},
      {"{\"A\":[1]}", "of A "},
      {"{\"A\":1,\"A\":2}", "property A"},
      {"{\"A\":1,\"\\u0041\":2}", "property A"},
      {"{\"PartitionKey\":\"p\"}", "PartitionKey"},
      {"{\"RowKey\":\"r\"}", "RowKey"},
      {"{\"Timestamp\":\"2026-11-02\"}", "Timestamp"},
      {"{\"A\":9007199254740993}", "\"A@odata.type\":\"Edm.Int64\""},
      {"{\"A\":-9007199254740993}", "property A is outside Int32 and not exact as Double"},
      {"{\"A@odata.type\":\"Edm.Int32\",\"A\":2147483648}", "property A"},
      {"{\"A@odata.type\":\"Edm.Int64\",\"A\":\"9223372036854775808\"}", "property A"},
      {"{\"A@odata.type\":\"Edm.Int64\",\"A\":5.0}", "property A"},
      {"{\"A@odata.type\":\"Edm.Double\",\"A\":true}", "property A"},
      {"{\"A@odata.type\":\"Edm.Boolean\",\"A\":1}", "property A"},
      {"{\"A@odata.type\":\"Edm.DateTime\",\"A\":\"soon\"}", "'soon' is not a valid Edm.DateTime"},
      {"{\"A@odata.type\":\"Edm.DateTime\",\"A\":\"1600-12-31T23:59:59.9999999Z\"}", "1601"},
      {"{\"A@odata.type\":\"Edm.Guid\",\"A\":\"x\"}", "property A"},
      {"{\"A@odata.type\":\"Edm.Binary\",\"A\":\"x\"}", "property A"},
      {"{\"A@odata.type\":\"Edm.String\",\"A\":5}", "property A"},
      {"{\"A@odata.type\":\"Edm.Decimal\",\"A\":\"5\"}", "'Edm.Decimal'"},
      {"{\"A@odata.type\":5,\"A\":\"5\"}", "property A"},
      {"{\"A@odata.type\":null,\"A\":\"5\"}", "property A"},
  };
  for (const auto& [text, words] : kBad) {
    const auto properties = ReadEntityText(text);
    ASSERT_FALSE(properties.ok()) << text;
    EXPECT_EQ(properties.status().code(), Code::kMismatch) << text;
    const std::string message(properties.status().message());
    EXPECT_NE(message.find("_entity"), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << text << ": " << message;
  }
}

TEST(ReadEntityTextTest, CutAtEveryByteIsRefused) {
  const std::string text =
      R"({"A@odata.type":"Edm.Int64","A":"5","B":1.5,"C":"\u00f4\"","D":null,"E":true})";
  ASSERT_TRUE(ReadEntityText(text).ok());
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(ReadEntityText(text.substr(0, size)).ok()) << text.substr(0, size);
  }
}

Value RandomValue(std::mt19937_64& random) {
  std::string bytes;
  for (size_t n = random() % 30; n > 0; --n) bytes += static_cast<char>(random());
  const auto bits = static_cast<int64_t>(random());
  double real = 0;
  std::memcpy(&real, &bits, sizeof real);
  if (std::isnan(real)) real = INFINITY;
  std::string text;
  for (const char c : bytes) AppendUtf8(text, static_cast<char32_t>(static_cast<unsigned char>(c)));
  switch (random() % 8) {
    case 0:
      return Value::String(text);
    case 1:
      return Value::Int32(static_cast<int32_t>(bits));
    case 2:
      return Value::Int64(bits);
    case 3:
      return Value::Double(random() % 2 == 0 ? real : static_cast<double>(bits % 1000));
    case 4:
      return Value::Boolean(bits % 2 == 0);
    case 5:
      return Value::DateTime("2026-11-02T10:00:00.000000" + std::to_string(random() % 10) + "Z");
    case 6:
      return Value::Guid("c9da6455-213d-42c9-9a79-3e9149a5783" + std::to_string(random() % 10));
    default:
      return Value::Binary(bytes);
  }
}

// A written value that a service returns, `_entity` shows and ReadEntityText reads is unchanged.
TEST(EntityTextTest, RoundTripOfEveryType) {
  std::mt19937_64 random(9);
  EntityPage page({{}, true});
  for (int i = 0; i < 3000; ++i) {
    std::vector<Property> expected;
    for (size_t n = random() % 12; n > 0; --n) {
      expected.push_back({"P" + std::to_string(n), RandomValue(random)});
    }
    std::string json;
    AppendPropertiesJson(json, expected);
    ASSERT_TRUE(page.ReadEntity(json).ok()) << json;
    const std::string text(page.At(0, EntityPage::kEntity).view());
    const auto properties = ReadEntityText(text);
    ASSERT_TRUE(properties.ok()) << text << properties.status().message();
    std::sort(expected.begin(), expected.end(),
              [](const Property& a, const Property& b) { return a.name < b.name; });
    ASSERT_EQ(*properties, expected) << text;
  }
}

}  // namespace
}  // namespace aztables
