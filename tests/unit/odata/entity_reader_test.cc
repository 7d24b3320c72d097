// Checks EntityReader: one property of every type, errors and ignored parts, texts that Set keeps
// byte for byte, and reuse of a reader.
#include "odata/entity_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "base/encoding.h"
#include "odata/json_writer.h"
#include "unit/odata/show_cell.h"

namespace aztables {
namespace {

using testing_support::Show;

std::string Get(std::string_view text, std::string_view name) {
  EntityReader reader;
  const auto value = reader.Get(text, name);
  return value.ok() ? Show(*value) : "error: " + std::string(value.status().message());
}

std::string TypeOf(std::string_view text, std::string_view name) {
  EntityReader reader;
  const auto type = reader.TypeOf(text, name);
  return std::string(type.ok() ? EdmName(*type) : type.status().message());
}

std::string Set(std::string_view text, const Property& property) {
  EntityReader reader;
  const auto result = reader.Set(text, property);
  return result.ok() ? *result : "error: " + std::string(result.status().message());
}

constexpr std::string_view kEntity =
    R"({"S":"text","I":-5,"L@odata.type":"Edm.Int64","L":"9007199254740993","D":4.50,)"
    R"("N@odata.type":"Edm.Double","N":"NaN","B":true,"T@odata.type":"Edm.DateTime",)"
    R"("T":"2026-11-02T10:00:00.5Z","G@odata.type":"Edm.Guid",)"
    R"("G":"C9DA6455-213D-42C9-9A79-3E9149A57833","X@odata.type":"Edm.Binary","X":"AAEC",)"
    R"("Late":"7","Late@odata.type":"Edm.Int64","Null":null,"odata.etag":"e","":"unnamed"})";

// JavaScript writes 2^60 as 1152921504606847000, its shortest digits followed by zeros.
TEST(EntityReaderTest, IntegersBeyondInt32AreDoublesIfNoDigitIsLost) {
  EXPECT_EQ(Get(R"({"A":2147483648})", "A"), "Edm.Double 2147483648.0");
  EXPECT_EQ(Get(R"({"A":-5000000000})", "A"), "Edm.Double -5e+09");
  for (const char* whole :
       {"2147483648", "-2147483649", "5000000000", "1795169730123", "9007199254740992",
        "9007199254740994", "1152921504606847000", "1152921504606846976", "100000000000000000000",
        "-100000000000000000000", "123456789012345680000", "9223372036854775808",
        "18446744073709551616", "-18446744073709551616"}) {
    EXPECT_EQ(TypeOf(std::string(R"({"A":)") + whole + "}", "A"), "Edm.Double") << whole;
  }
  for (const char* lost : {"9007199254740993", "-9007199254740993", "109000002162400001",
                           "9223372036854775807", "100000000000000000001"}) {
    EXPECT_NE(Get(std::string(R"({"A":)") + lost + "}", "A").find("not exact as Double"),
              std::string::npos)
        << lost;
  }
}

TEST(EntityReaderTest, LoneSurrogates) {
  constexpr std::string_view kText = R"({"S":"a\ud83d","T":"\udc00\ud800b","N":1})";
  EXPECT_EQ(Get(kText, "S"), "Edm.String a\xED\xA0\xBD");
  EXPECT_EQ(TypeOf(kText, "T"), "Edm.String");
  EXPECT_EQ(Set(kText, {"N", Value::Int32(2)}), R"({"S":"a\ud83d","T":"\udc00\ud800b","N":2})");
  EXPECT_EQ(Set("{}", {"S", Value::String("\xED\xA0\xBDz")}), R"({"S":"\ud83dz"})");
  EntityReader reader;
  const auto all = reader.All(kText);
  ASSERT_TRUE(all.ok()) << all.status().message();
  std::string written;
  AppendPropertiesJson(written, *all);
  EXPECT_EQ(written, kText);
  EXPECT_EQ(Get(R"({"S":"\ud83d\x"})", "S").substr(0, 6), "error:");
}

// Any text survives a round trip: escapes are written for all characters that need them.
TEST(EntityReaderTest, StringsOfLoneSurrogatesComeBack) {
  constexpr char32_t kLetters[] = {'a', '"', '\\', '\n', 0xD7FF, 0xD83D, 0xDBFF, 0xE000, 0x1F600};
  std::mt19937 random(20261122);
  EntityReader reader;
  for (int i = 0; i < 5'000; ++i) {
    std::string text;
    for (auto left = random() % 40; left > 0; --left) AppendUtf8(text, kLetters[random() % 9]);
    for (const bool ascii : {false, true}) {
      std::string json = "{\"S\":";
      ascii ? AppendAsciiJsonString(json, text) : AppendJsonString(json, text);
      json += '}';
      ASSERT_TRUE(IsValidUtf8(json));
      const auto value = reader.Get(json, "S");
      ASSERT_TRUE(value.ok()) << json;
      ASSERT_EQ(value->text, text) << json;
    }
  }
}

TEST(EntityReaderTest, GetAndTypeOfEveryType) {
  constexpr struct {
    const char* name;
    const char* type;
    const char* shown;
  } kCases[] = {
      {"S", "Edm.String", "Edm.String text"},
      {"I", "Edm.Int32", "Edm.Int32 -5"},
      {"L", "Edm.Int64", "Edm.Int64 9007199254740993"},
      {"D", "Edm.Double", "Edm.Double 4.5"},
      {"N", "Edm.Double", "Edm.Double NaN"},
      {"B", "Edm.Boolean", "Edm.Boolean 1"},
      {"T", "Edm.DateTime", "Edm.DateTime 2026-11-02T10:00:00.5000000Z"},
      {"G", "Edm.Guid", "Edm.Guid c9da6455-213d-42c9-9a79-3e9149a57833"},
      {"X", "Edm.Binary", "Edm.Binary 000102"},
      {"Late", "Edm.Int64", "Edm.Int64 7"},
      {"Null", "null", "null"},
      {"Absent", "null", "null"},
      {"s", "null", "null"},
      {"La", "null", "null"},
      {"L@odata.type", "null", "null"},
      {"odata.etag", "null", "null"},
      {"S\":\"text\",\"I", "null", "null"},
      {"\\", "null", "null"},
      {"", "Edm.String", "Edm.String unnamed"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Get(kEntity, c.name), c.shown) << c.name;
    EXPECT_EQ(TypeOf(kEntity, c.name), c.type) << c.name;
  }
}

TEST(EntityReaderTest, EscapedNamesAndNamesThatNeedEscapes) {
  EXPECT_EQ(Get(R"({"\u0041\u0042@odata.type":"Edm.Int64","AB":"5"})", "AB"), "Edm.Int64 5");
  EXPECT_EQ(Get(R"({"\u554a":5})", "\xE5\x95\x8A"), "Edm.Int32 5");
  EXPECT_EQ(Get(R"({"a\"b":5,"a\\":6})", "a\"b"), "Edm.Int32 5");
  EXPECT_EQ(Get(R"({"a\"b":5,"a\\":6})", "a\\"), "Edm.Int32 6");
  EXPECT_EQ(Get(R"({"A":1,"B":2})", "A\":1,\"B"), "null");
  EXPECT_EQ(Get("{\"A\":1}", std::string_view("A\0", 2)), "null");
  EXPECT_EQ(Get("{\"A\":1}", std::string(100'000, 'A')), "null");
}

TEST(EntityReaderTest, Refusals) {
  constexpr std::pair<const char*, const char*> kBad[] = {
      {"", "not JSON"},
      {" ", "not JSON"},
      {"5", "not an object"},
      {"[]", "not an object"},
      {"null", "not an object"},
      {"{", ""},
      {"{\"A\"", ""},
      {"{\"A\":1", ""},
      {"{\"A\":1,}", "not JSON"},
      {"{\"A\":1}{}", "follows"},
      {"{\"A\":1} x", ""},
      {"{A:1}", "not JSON"},
      {"{\"A\":x}", ""},
      {"{\"A\":\"\xFF\"}", "not JSON"},
      {"{\"A\":\"\\q\"}", "of A "},
      {"{\"A\":{}}", "of A "},
      {"{\"A\":1,\"B\":[1]}", "of B "},
      {"{\"A\":1,\"A\":2}", "A occurs twice"},
      {"{\"A\":1,\"\\u0041\":2}", "A occurs twice"},
      {"{\"A\":9007199254740993}", "property A is outside Int32 and not exact as Double"},
      {"{\"A@odata.type\":\"Edm.Int64\",\"A\":\"x\"}", "property A: 'x' is not a valid Edm.Int64"},
      {"{\"A@odata.type\":\"Edm.Decimal\",\"A\":\"5\"}", "property A has the unknown type"},
      {"{\"A\":\"5\",\"A@odata.type\":null}", "property A has the unknown type"},
  };
  for (const auto& [text, words] : kBad) {
    EntityReader reader;
    const auto value = reader.Get(text, "A");
    ASSERT_FALSE(value.ok()) << text;
    EXPECT_EQ(value.status().code(), Code::kMismatch) << text;
    EXPECT_NE(value.status().message().find(words), std::string::npos)
        << text << ": " << value.status().message();
    EXPECT_FALSE(reader.All(text).ok()) << text;
  }
}

TEST(EntityReaderTest, FindsEachMemberAmongMany) {
  for (const size_t count : {1U, 2U, 15U, 16U, 17U, 18U, 300U}) {
    std::string text = "{";
    for (size_t i = 0; i < count; ++i) text += "\"M" + std::to_string(i) + "\":\"5\",";
    for (const size_t place : {size_t{0}, count / 2, count - 1}) {
      const std::string name = "M" + std::to_string(place);
      const std::string begun = std::string(text).append("\"").append(name);
      EntityReader reader;
      const auto twice = reader.All(begun + "\":1}");
      ASSERT_FALSE(twice.ok()) << name << " of " << count;
      EXPECT_NE(twice.status().message().find(name + " occurs twice"), std::string::npos);
      const auto typed = reader.All(begun + "@odata.type\":\"Edm.Int64\"}");
      ASSERT_TRUE(typed.ok()) << name << " of " << count;
      ASSERT_EQ(typed->size(), count);
      EXPECT_EQ(Show((*typed)[place].value), "Edm.Int64 5");
    }
  }
}

TEST(EntityReaderTest, LooksAtNoOtherProperty) {
  EXPECT_EQ(Get(R"({"A":1,"B@odata.type":"Edm.Guid","B":"x","C":3000000000})", "A"), "Edm.Int32 1");
  EXPECT_EQ(TypeOf(R"({"A@odata.type":"Edm.Guid","A":"x"})", "A"), "Edm.Guid");
  EXPECT_EQ(Get(R"({"A@odata.type":"Edm.DateTime","A":"0001-01-01T00:00:00Z"})", "A"),
            "Edm.DateTime 0001-01-01T00:00:00.0000000Z")
      << "Cosmos DB stores such, though INSERT does not take them";
  EXPECT_EQ(Get(R"({"PartitionKey":"p","A":1})", "PartitionKey"), "Edm.String p");
}

TEST(EntityReaderTest, NamesOfWhatIsStored) {
  EntityReader reader;
  const auto names = reader.Names(
      R"({"odata.etag":"x","A":1,"B@odata.type":"Edm.Int64","B":"no number","C":null,"\u00e9":[1]})");
  ASSERT_TRUE(names.ok());
  EXPECT_EQ(*names, (std::vector<std::string>{"A", "B", "\xC3\xA9"}));
  EXPECT_TRUE(reader.Names("{}")->empty());
  EXPECT_FALSE(reader.Names("{\"A\":1").ok());
  EXPECT_FALSE(reader.Names("[]").ok());
}

TEST(EntityReaderTest, OneReaderServesManyTexts) {
  EntityReader reader;
  const std::string large = "{\"A\":\"" + std::string(9 << 20, 'x') + "\"}";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(reader.Get("{\"A\":1}", "A")->integer, 1);
    EXPECT_FALSE(reader.Get("{\"A\":", "A").ok());
    EXPECT_EQ(reader.Get(large, "A")->text.size(), 9U << 20);
    EXPECT_EQ(reader.All(kEntity)->size(), 12U);
    EXPECT_FALSE(reader.All("{\"A\":1,\"B\":tru}").ok());
    EXPECT_EQ(*reader.Set("{\"A\":1}", {"A", Value()}), "{}");
  }
}

TEST(EntityReaderTest, CutAtEveryByteIsRefused) {
  EntityReader reader;
  for (size_t size = 0; size < kEntity.size(); ++size) {
    EXPECT_FALSE(reader.Get(kEntity.substr(0, size), "S").ok()) << size;
    EXPECT_FALSE(reader.Set(kEntity.substr(0, size), {"S", Value()}).ok()) << size;
  }
}

TEST(EntitySetTest, Table) {
  const Property five{"A", Value::Int64(5)};
  constexpr std::string_view kFive = R"("A@odata.type":"Edm.Int64","A":"5")";
  const auto with_five = [&](const char* before, const char* after) {
    return std::string(before) + std::string(kFive) + after;
  };
  // A new one precedes the first one with a greater name, in the order of UTF-16 code units.
  EXPECT_EQ(Set("{}", five), with_five("{", "}"));
  EXPECT_EQ(Set(" { } ", five), with_five("{", "}"));
  EXPECT_EQ(Set(R"({"B":1.50})", five), with_five("{", R"(,"B":1.50})"));
  EXPECT_EQ(Set(R"({"0":1,"B":2,"C":3})", five), with_five(R"({"0":1,)", R"(,"B":2,"C":3})"));
  EXPECT_EQ(Set(R"({"0":1, "a@odata.type":"Edm.Int64","a":"3"})", five),
            with_five(R"({"0":1,)", R"(,"a@odata.type":"Edm.Int64","a":"3"})"));
  EXPECT_EQ(Set(R"({"0":1,"9":2})", five), with_five(R"({"0":1,"9":2,)", "}"));
  EXPECT_EQ(Set("{\"\uE000\":1}", {"\U0001F600", Value::Int32(2)}),
            "{\"\U0001F600\":2,\"\uE000\":1}");
  // A replaced property stays in its place, regardless of its annotation's position.
  EXPECT_EQ(Set(R"({"A":1,"B":2})", five), with_five("{", R"(,"B":2})"));
  EXPECT_EQ(Set(R"({"B":2,"A":null,"C":3})", five), with_five(R"({"B":2,)", R"(,"C":3})"));
  EXPECT_EQ(Set(R"({"A@odata.type":"Edm.Guid","B":2,"A":"x"})", five),
            with_five(R"({"B":2,)", "}"));
  EXPECT_EQ(Set(R"({"B":2,"A":"x","A@odata.type":"Edm.Nothing"})", five),
            with_five(R"({"B":2,)", "}"));
  EXPECT_EQ(Set(R"({"\u0041":1})", five), with_five("{", "}"));
  // An annotation without a value is removed.
  EXPECT_EQ(Set(R"({"A@odata.type":"Edm.Guid","B":2})", five), with_five("{", R"(,"B":2})"));
  // Removed.
  EXPECT_EQ(Set(R"({"A":1})", {"A", Value()}), "{}");
  EXPECT_EQ(Set(R"({"A@odata.type":"Edm.Int64","A":"1","B":2})", {"A", Value()}), R"({"B":2})");
  EXPECT_EQ(Set(R"({"B":2,"A":1})", {"A", Value()}), R"({"B":2})");
  EXPECT_EQ(Set(R"({"B":2})", {"A", Value()}), R"({"B":2})");
  // All others stay unchanged.
  EXPECT_EQ(Set("{\"B\" : 1.50e+0 , \"\\u0043\":\"\\u00e9\\/\",\n\"A\":1,\"D\":null}", five),
            with_five("{\"B\" : 1.50e+0,\"\\u0043\":\"\\u00e9\\/\",", ",\"D\":null}"));
  EXPECT_EQ(
      Set(R"({"odata.etag":"W/\"x\"","B@odata.type":"Edm.Guid","B":"no guid"})", five),
      with_five(R"({"odata.etag":"W/\"x\"",)", R"(,"B@odata.type":"Edm.Guid","B":"no guid"})"));
}

TEST(EntitySetTest, Refusals) {
  for (const char* text : {"", "[]", "{\"B\":tru}", "{\"B\":01}", "{\"B\":[]}", "{\"B\":1}x",
                           "{\"A\":1,\"A\":2}", "{\"B\":\"\\u12\"}", "{\"B\":1 \"C\":2}"}) {
    EntityReader reader;
    const auto result = reader.Set(text, {"A", Value::Int32(1)});
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.status().code(), Code::kMismatch) << text;
  }
  std::string full = "{\"odata.etag\":\"e\"";
  for (int i = 0; i < 252; ++i) full += ",\"P" + std::to_string(i) + "\":" + std::to_string(i);
  full += "}";
  EntityReader reader;
  EXPECT_EQ(reader.Set(full, {"A", Value::Int32(1)}).status().code(), Code::kTooBig);
  EXPECT_TRUE(reader.Set(full, {"P7", Value::Int32(1)}).ok());
  EXPECT_TRUE(reader.Set(full, {"P7", Value()}).ok());
  EXPECT_TRUE(reader.Set(full, {"A", Value()}).ok());
}

std::string Rename(std::string_view text, std::string_view name, std::string_view new_name) {
  EntityReader reader;
  const auto result = reader.Rename(text, name, new_name);
  return result.ok() ? *result : "error: " + std::string(result.status().message());
}

TEST(EntityRenameTest, KeepsTheValueAsWritten) {
  EXPECT_EQ(Rename(R"({"A":1.50e+0})", "A", "B"), R"({"B":1.50e+0})");
  EXPECT_EQ(Rename(R"({"A":"\ud83d\u00e9\/"})", "A", "B"), R"({"B":"\ud83d\u00e9\/"})");
  EXPECT_EQ(Rename(R"({"\u0041@odata.type":"Edm.\u0044ouble","\u0041":"NaN"})", "A", "B"),
            R"({"B@odata.type":"Edm.\u0044ouble","B":"NaN"})");
  EXPECT_EQ(Rename(R"({"A":"7","C":[],"A@odata.type":"Edm.Int64"})", "A", "B").substr(0, 6),
            "error:");
  EXPECT_EQ(Rename(R"({"A":"7","C":1,"A@odata.type":"Edm.Int64"})", "A", "B"),
            R"({"B@odata.type":"Edm.Int64","B":"7","C":1})");
  EXPECT_EQ(Rename(R"({"A@odata.type":"Edm.Guid","A":"not one","B":true})", "A", "C"),
            R"({"B":true,"C@odata.type":"Edm.Guid","C":"not one"})");
}

TEST(EntityRenameTest, PutsThePropertyInItsPlace) {
  constexpr std::string_view kText =
      R"({"odata.etag":"e","B":1,"D":2,"F@odata.type":"Edm.Int64","F":"3"})";
  EXPECT_EQ(Rename(kText, "D", "A"),
            R"({"odata.etag":"e","A":2,"B":1,"F@odata.type":"Edm.Int64","F":"3"})");
  EXPECT_EQ(Rename(kText, "D", "C"),
            R"({"odata.etag":"e","B":1,"C":2,"F@odata.type":"Edm.Int64","F":"3"})");
  EXPECT_EQ(Rename(kText, "D", "E"),
            R"({"odata.etag":"e","B":1,"E":2,"F@odata.type":"Edm.Int64","F":"3"})");
  EXPECT_EQ(Rename(kText, "D", "G"),
            R"({"odata.etag":"e","B":1,"F@odata.type":"Edm.Int64","F":"3","G":2})");
  EXPECT_EQ(Rename(kText, "F", "A"),
            R"({"odata.etag":"e","A@odata.type":"Edm.Int64","A":"3","B":1,"D":2})");
  EXPECT_EQ(Rename(R"({"Z":1,"A":2})", "Z", "B"), R"({"A":2,"B":1})");
  EXPECT_EQ(Rename(R"({"Z":1,"A":2})", "A", "B"), R"({"B":2,"Z":1})");
}

TEST(EntityRenameTest, MissingTakenAndInvalid) {
  // A missing or null property changes nothing, not even blanks. Metadata is no property.
  for (const char* text : {"{}", " { \"B\" : 1 } ", "{\"A\":null,\"B\":1}",
                           "{\"A@odata.type\":\"Edm.Guid\"}", "{\"a\":1,\"AA\":2}"}) {
    EXPECT_EQ(Rename(text, "A", "B"), text);
  }
  EXPECT_EQ(Rename(R"({"odata.etag":"e"})", "odata.etag", "B"), R"({"odata.etag":"e"})");
  EXPECT_EQ(Rename(R"({"A@odata.type":"Edm.Int64","A":"1"})", "A@odata.type", "B"),
            R"({"A@odata.type":"Edm.Int64","A":"1"})");
  // A null property or a lone annotation of the new name is not stored.
  EXPECT_EQ(Rename(R"({"A":1,"B":null})", "A", "B"), R"({"B":1})");
  EXPECT_EQ(Rename(R"({"B@odata.type":"Edm.Guid","A":1})", "A", "B"), R"({"B":1})");
  const std::string taken = "error: property A cannot become B, which the entity has already";
  EXPECT_EQ(Rename(R"({"A":1,"B":2})", "A", "B"), taken);
  EXPECT_EQ(Rename(R"({"B":2,"A":1})", "A", "B"), taken);
  EXPECT_EQ(Rename(R"({"A":1})", "A", "A"),
            "error: property A cannot become A, which the entity has already");
  for (const char* text :
       {"", "[]", "{\"C\":tru}", "{\"A\":[]}", "{\"A\":1}x", "{\"A\":1,\"A\":2}", "{\"A\":1"}) {
    EXPECT_EQ(Rename(text, "A", "B").substr(0, 6), "error:") << text;
  }
}

TEST(StoredPropertyTest, IsTheServicesOwnForm) {
  const auto text = [](const Value& value) {
    std::string out;
    AppendStoredProperty(out, "", "A", value);
    return out;
  };
  EXPECT_EQ(text(Value()), "");
  EXPECT_EQ(text(Value::String("q\"\n\x01")), R"("A":"q\"\n\u0001")");
  EXPECT_EQ(text(Value::Int32(-1)), R"("A":-1)");
  EXPECT_EQ(text(Value::Int64(1)), R"("A@odata.type":"Edm.Int64","A":"1")");
  EXPECT_EQ(text(Value::Boolean(true)), R"("A":true)");
  EXPECT_EQ(text(Value::Double(4)), R"("A":4.0)");
  EXPECT_EQ(text(Value::Double(-0.0)), R"("A":-0.0)");
  EXPECT_EQ(text(Value::Double(1e300)), R"("A":1e+300)");
  EXPECT_EQ(text(Value::Double(NAN)), R"("A@odata.type":"Edm.Double","A":"NaN")");
  EXPECT_EQ(text(Value::Double(INFINITY)), R"("A@odata.type":"Edm.Double","A":"Infinity")");
  EXPECT_EQ(text(Value::Double(-INFINITY)), R"("A@odata.type":"Edm.Double","A":"-Infinity")");
  const auto date = [&](const char* fraction) {
    return text(Value::DateTime("2026-11-20T10:00:00." + std::string(fraction) + "Z")).substr(35);
  };
  EXPECT_EQ(text(Value::DateTime("2026-11-20T10:00:00.0000000Z")),
            R"("A@odata.type":"Edm.DateTime","A":"2026-11-20T10:00:00Z")");
  EXPECT_EQ(date("5000000"), "2026-11-20T10:00:00.5Z\"");
  EXPECT_EQ(date("0000001"), "2026-11-20T10:00:00.0000001Z\"");
  EXPECT_EQ(date("0100000"), "2026-11-20T10:00:00.01Z\"");
}

// Sets every property in an empty text, one after another. All reads the same properties, in the
// order of their names.
TEST(EntitySetTest, RandomPropertiesReadBack) {
  std::mt19937_64 random(11);
  EntityReader reader;
  for (int i = 0; i < 500; ++i) {
    std::string text = "{}";
    std::vector<Property> wanted;
    for (int n = 0; n < 12; ++n) {
      const std::string name = "P" + std::to_string(random() % 8);
      const auto bits = static_cast<int64_t>(random());
      Property property{name, Value()};
      if (bits % 5 == 0) property.value = Value::Int64(bits);
      if (bits % 5 == 1) property.value = Value::String("x\"" + std::to_string(bits));
      if (bits % 5 == 2) property.value = Value::Double(static_cast<double>(bits));
      if (bits % 5 == 3) property.value = Value::Binary(std::to_string(bits));
      const auto place = std::find_if(wanted.begin(), wanted.end(),
                                      [&](const Property& p) { return p.name == name; });
      if (property.value.type == EdmType::kNull) {
        if (place != wanted.end()) wanted.erase(place);
      } else if (place != wanted.end()) {
        *place = property;
      } else {
        const auto next = std::find_if(wanted.begin(), wanted.end(),
                                       [&](const Property& p) { return p.name > name; });
        wanted.insert(next, property);
      }
      text = *reader.Set(text, property);
      ASSERT_EQ(*reader.Get(text, name), property.value) << text;
    }
    ASSERT_EQ(*reader.All(text), wanted) << text;
  }
}

}  // namespace
}  // namespace aztables
