// Checks the limits of writes: each one exactly and exceeded by one. The message names entity,
// property and limit.
#include "model/limits.h"

#include <gtest/gtest.h>

#include <string>

#include "base/encoding.h"
#include "base/secret.h"
#include "model/key.h"

namespace aztables {
namespace {

Entity WithProperty(std::string name, Value value) {
  Entity entity{"p", "r", {}};
  entity.properties.push_back({std::move(name), std::move(value)});
  return entity;
}

Entity WithKeys(std::string partition_key, std::string row_key) {
  return {std::move(partition_key), std::move(row_key), {}};
}

void ExpectRefused(const Entity& entity, Code code, std::initializer_list<const char*> words) {
  const Status status = CheckEntity(entity);
  EXPECT_EQ(status.code(), code) << status.message();
  for (const char* word : words) {
    EXPECT_NE(status.message().find(word), std::string_view::npos)
        << word << ": " << status.message();
  }
}

TEST(LimitsTest, PlainEntities) {
  EXPECT_TRUE(CheckEntity(WithKeys("", "")).ok()) << "empty keys are legal";
  EXPECT_TRUE(CheckEntity(WithKeys("p q'%+\xC3\xA9\xF0\x9F\x98\x80", "r")).ok());
  EXPECT_TRUE(CheckEntity(WithProperty("A", Value::Int64(5))).ok());
}

TEST(LimitsTest, IllegalCharactersInKeys) {
  const std::pair<const char*, const char*> kCases[] = {
      {"/", "U+002F"},    {"\\", "U+005C"},       {"#", "U+0023"},
      {"?", "U+003F"},    {"\t", "U+0009"},       {"\x1F", "U+001F"},
      {"\x7F", "U+007F"}, {"\xC2\x80", "U+0080"}, {"\xC2\x9F", "U+009F"},
  };
  for (const auto& [bad, name] : kCases) {
    const std::string key = std::string("a") + bad + "b";
    ExpectRefused(WithKeys(key, "r"), Code::kMismatch, {"PartitionKey", name});
    ExpectRefused(WithKeys("p", key), Code::kMismatch, {"RowKey", name});
  }
  ExpectRefused(WithKeys(std::string("a\0b", 3), "r"), Code::kMismatch, {"U+0000"});
  ExpectRefused(WithKeys("a\xC3", "r"), Code::kMismatch, {"PartitionKey", "UTF-8"});
  ExpectRefused(WithKeys("p", "\xED\xA0\x80"), Code::kMismatch, {"RowKey", "UTF-8"});
}

TEST(LimitsTest, KeyLengthIsCountedInUtf16) {
  EXPECT_TRUE(CheckEntity(WithKeys(std::string(kMaxKeyLength, 'k'), "r")).ok());
  ExpectRefused(WithKeys(std::string(kMaxKeyLength + 1, 'k'), "r"), Code::kTooBig,
                {"PartitionKey", "1025", "1024"});
  ExpectRefused(WithKeys("p", std::string(kMaxKeyLength + 1, 'k')), Code::kTooBig, {"RowKey"});
  std::string wide;
  for (size_t i = 0; i < kMaxKeyLength / 2; ++i) wide += "\xF0\x9F\x98\x80";
  EXPECT_TRUE(CheckEntity(WithKeys(wide, wide)).ok());
  ExpectRefused(WithKeys(wide + "a", ""), Code::kTooBig, {"1025"});
  std::string three;
  for (size_t i = 0; i < kMaxKeyLength; ++i) three += "\xE2\x82\xAC";
  EXPECT_TRUE(CheckEntity(WithKeys(three, "")).ok()) << "bytes do not count";
}

TEST(LimitsTest, PropertyNames) {
  for (const char* good : {"A", "_", "a1", "_1", "Name_2", "\xC3\xA9", "\xE5\x95\x8A\xE9\xBD\x84",
                           "PARTITIONKEY", "odata"}) {
    EXPECT_TRUE(IsPropertyName(good)) << good;
    EXPECT_TRUE(CheckEntity(WithProperty(good, Value::Int32(1))).ok()) << good;
  }
  for (const char* bad : {"", "1a", "a b", "a-b", "a.b", "a@b", "a:b", "a'b", "a\"b", "a$", "a\t",
                          "odata.etag", "A@odata.type", "a\xC3", "\xED\xA0\x80"}) {
    EXPECT_FALSE(IsPropertyName(bad)) << bad;
    ExpectRefused(WithProperty(bad, Value::Int32(1)), Code::kMismatch, {"property", "RowKey='r'"});
  }
  EXPECT_FALSE(IsPropertyName(std::string_view("a\0", 2)));
}

TEST(LimitsTest, APropertyNameThatMayBeASecretIsNotShown) {
  EXPECT_EQ(ShowProperty("Name_2"), "Name_2");
  EXPECT_EQ(ShowProperty("it's"), "'it''s'");
  EXPECT_EQ(ShowProperty(""), "''");
  EXPECT_EQ(ShowProperty("AccountName=a;AccountKey=sentinel"), "(a text that is not shown)");
  EXPECT_LT(ShowProperty(std::string(kMaxPropertyNameLength + 1, 'n')).size(), 100U);
  for (const char* name : {"AccountName=a;AccountKey=sentinel", "sv=1&sig=sentinel"}) {
    const Status status = CheckEntity(WithProperty(name, Value::Int32(1)));
    EXPECT_EQ(status.message().find("sentinel"), std::string_view::npos) << status.message();
  }
}

TEST(LimitsTest, PropertyNameLengthIsCountedInUtf16) {
  std::string wide;
  for (size_t i = 0; i < kMaxPropertyNameLength; ++i) wide += "\xE5\x95\x8A";
  for (const std::string& name : {std::string(kMaxPropertyNameLength, 'n'), wide}) {
    EXPECT_TRUE(CheckEntity(WithProperty(name, Value::Int32(1))).ok());
    ExpectRefused(WithProperty(name + "n", Value::Int32(1)), Code::kTooBig, {"255", "p", "r"});
  }
}

TEST(LimitsTest, StringLengthIsCountedInUtf16) {
  const std::string most(kMaxStringLength, 's');
  EXPECT_TRUE(CheckEntity(WithProperty("S", Value::String(most))).ok());
  ExpectRefused(WithProperty("S", Value::String(most + "s")), Code::kTooBig,
                {"property S", "32769", "32768"});
  std::string wide;
  for (size_t i = 0; i < kMaxStringLength / 2; ++i) wide += "\xF0\x9F\x98\x80";
  EXPECT_TRUE(CheckEntity(WithProperty("S", Value::String(wide))).ok());
  ExpectRefused(WithProperty("S", Value::String(wide + "s")), Code::kTooBig, {"32769"});
  EXPECT_TRUE(CheckEntity(WithProperty("S", Value::String("a\xED\xA0\x80"))).ok());
  ExpectRefused(WithProperty("S", Value::String("a\xFF")), Code::kMismatch,
                {"property S", "UTF-8"});
}

TEST(LimitsTest, BinarySizeIsCountedInBytes) {
  const std::string most(kMaxBinarySize, '\0');
  EXPECT_TRUE(CheckEntity(WithProperty("B", Value::Binary(most))).ok());
  ExpectRefused(WithProperty("B", Value::Binary(most + "x")), Code::kTooBig,
                {"property B", "65537", "65536"});
  EXPECT_TRUE(CheckEntity(WithProperty("B", Value::Binary("\xFF\xFE"))).ok());
}

TEST(LimitsTest, NumberOfProperties) {
  Entity entity = WithKeys("p", "r");
  for (size_t i = 0; i < kMaxProperties; ++i) {
    entity.properties.push_back({"P" + std::to_string(i), Value::Boolean(true)});
  }
  EXPECT_TRUE(CheckEntity(entity).ok());
  entity.properties.push_back({"Absent", Value()});
  EXPECT_TRUE(CheckEntity(entity).ok()) << "what is not stored does not count";
  entity.properties.push_back({"OneMore", Value::Boolean(true)});
  ExpectRefused(entity, Code::kTooBig, {"253", "252", "PartitionKey='p'", "RowKey='r'"});
}

TEST(LimitsTest, SizeOfAllValues) {
  // Sixteen Binary values of 64 KiB less 4 bytes, since each counts 4 more: exactly 1 MiB.
  Entity entity = WithKeys("p", "r");
  for (int i = 0; i < 16; ++i) {
    entity.properties.push_back(
        {"B" + std::to_string(i), Value::Binary(std::string(kMaxBinarySize - 4, 'b'))});
  }
  EXPECT_TRUE(CheckEntity(entity).ok());
  entity.properties.push_back({"X", Value::Boolean(false)});
  ExpectRefused(entity, Code::kTooBig, {"1048577", "1 MiB", "RowKey='r'"});
}

TEST(LimitsTest, EveryTypeHasItsSize) {
  // Fifteen Strings of 65,536 bytes each leave 65,536 bytes of 1 MiB.
  Entity full = WithKeys("p", "r");
  for (int i = 0; i < 15; ++i) {
    full.properties.push_back(
        {"S" + std::to_string(i), Value::String(std::string(kMaxStringLength - 2, 's'))});
  }
  const std::pair<Value, size_t> kSizes[] = {
      {Value::String("ab"), 8},
      {Value::String("\xF0\x9F\x98\x80"), 8},
      {Value::Binary("abc"), 7},
      {Value::Int32(1), 4},
      {Value::Int64(1), 8},
      {Value::Double(1), 8},
      {Value::Boolean(true), 1},
      {Value::DateTime("2026-11-02T10:00:00.0000000Z"), 8},
      {Value::Guid("c9da6455-213d-42c9-9a79-3e9149a57833"), 16},
      {Value(), 0},
  };
  for (const auto& [value, size] : kSizes) {
    Entity entity = full;
    entity.properties.push_back({"V", value});
    entity.properties.push_back({"F", Value::Binary(std::string(65536 - 4 - size, 'f'))});
    EXPECT_TRUE(CheckEntity(entity).ok()) << EdmName(value.type);
    entity.properties.back().value.text += 'f';
    ExpectRefused(entity, Code::kTooBig, {"1048577"});
  }
}

TEST(LimitsTest, TableNames) {
  std::string longest;
  for (int i = 0; i < 255; ++i) longest += "\xC3\xA9";
  for (const std::string& good : {std::string("abc"), std::string("A1b2"), std::string("a-b_c"),
                                  std::string("a"), std::string("\xE5\x95\x8A"), longest}) {
    EXPECT_TRUE(CheckTableName(good).ok()) << good;
  }
  for (const std::string& bad :
       {std::string(""), longest + "x", std::string("ab'c"), std::string("ab/c"),
        std::string("ab\\c"), std::string("ab#c"), std::string("ab?c"), std::string("ab\nc"),
        std::string("ab\xC2\x80"), std::string("a\0bc", 4), std::string("ab\xC3")}) {
    const Status status = CheckTableName(bad);
    EXPECT_FALSE(status.ok()) << bad;
    EXPECT_NE(status.message().find("is not a valid table name: 3 to 63 letters and digits"),
              std::string_view::npos);
    EXPECT_TRUE(IsValidUtf8(status.message()));
  }
}

TEST(LimitsTest, TableNamesOfStorage) {
  for (const std::string& good :
       {std::string("abc"), std::string("A1b2"), std::string(63, 'x'), std::string("table")}) {
    EXPECT_TRUE(CheckStorageTableName(good).ok()) << good;
  }
  for (const char* bad : {"ab", "a-b", "my_orders", "1ab", "a.b"}) {
    EXPECT_NE(CheckStorageTableName(bad).message().find(
                  " is not a valid table name: 3 to 63 letters and digits, the first a letter"),
              std::string_view::npos)
        << bad;
  }
  EXPECT_EQ(CheckStorageTableName("ab").message(),
            "ab is not a valid table name: 3 to 63 letters and digits, the first a letter");
  EXPECT_FALSE(CheckStorageTableName(std::string(64, 'x')).ok());
  EXPECT_FALSE(CheckStorageTableName("").ok());
  EXPECT_FALSE(CheckStorageTableName("Gr\xC3\xB6\xC3\x9F"
                                     "e")
                   .ok());
  EXPECT_EQ(CheckStorageTableName("TABLES").message(),
            "TABLES is not a valid table name: the service keeps it for itself");
  EXPECT_EQ(CheckStorageTableName("$MetricsHourPrimaryTransactionsTable").message(),
            "$MetricsHourPrimaryTransactionsTable belongs to the service, and can only be read");
  EXPECT_TRUE(IsMetricsTable("$MetricsHourPrimaryTransactionsTable"));
  EXPECT_FALSE(IsMetricsTable("Metrics"));
}

TEST(MessageTest, AWordIsShownIfItCannotBeAKey) {
  const std::string longest = "table:Good_-.9" + std::string(50, 'x');
  ASSERT_EQ(longest.size(), 64u);
  EXPECT_TRUE(IsPlainWord(longest));
  EXPECT_EQ(ShowWord(longest), "'" + longest + "'");
  for (const std::string& shown :
       {std::string(), std::string("has blank"), std::string("\xC3\xBC")}) {
    EXPECT_FALSE(IsPlainWord(shown));
    EXPECT_EQ(ShowWord(shown), "'" + shown + "'");
  }
  for (const std::string& hidden :
       {longest + "x", std::string("a=b"), std::string("a;b"), std::string("a&b"),
        std::string("http://host"), std::string("a'b"), std::string("x\x80"),
        std::string("sig%3Dx/"), std::string(41, '/'), std::string(86, 'k') + "=="}) {
    EXPECT_FALSE(IsPlainWord(hidden));
    EXPECT_EQ(ShowWord(hidden), "(a text that is not shown)") << hidden;
  }
  EXPECT_FALSE(IsPlainWord(""));
}

TEST(MessageTest, AnArgumentThatMayBeSecretIsNotShown) {
  EXPECT_EQ(QuoteArgument("a'b=c"), "'a''b=c'");
  EXPECT_EQ(QuoteArgument("AccountKey=sentinel"), "(a text that is not shown)");
  EXPECT_EQ(QuoteForMessage("AccountKey=x"), "'AccountKey=x'");
  for (const char* name :
       {"sig%3Dsentinel/", "sentinel/=", "AccountKey=sentinel", "sv=1&sentinel="}) {
    EXPECT_EQ(CheckTableName(name).message().find("sentinel"), std::string_view::npos) << name;
  }
  EXPECT_EQ(CheckTableName(std::string(63, 'x') + "/").message().find("xx"),
            std::string_view::npos);
}

TEST(MessageTest, QuotesAreDoubledAndControlsHidden) {
  EXPECT_EQ(QuoteForMessage("plain"), "'plain'");
  EXPECT_EQ(QuoteForMessage(""), "''");
  EXPECT_EQ(QuoteForMessage("O'Brien"), "'O''Brien'");
  EXPECT_EQ(QuoteForMessage("a\nb\x1B[0m\x7F\xC2\x9B"),
            "'a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD[0m\xEF\xBF\xBD\xEF\xBF\xBD'");
  EXPECT_EQ(QuoteForMessage("a\xFF"), "'a\xEF\xBF\xBD'");
  EXPECT_TRUE(IsValidUtf8(QuoteForMessage("\xE2\x82 \xED\xA0\x80")));
  EXPECT_EQ(DescribeEntity("p'", "r"), "PartitionKey='p''', RowKey='r'");
}

TEST(MessageTest, LongTextsAreShortenedBetweenCharacters) {
  EXPECT_EQ(QuoteForMessage(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(QuoteForMessage(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
  std::string wide = "x";
  for (int i = 0; i < 100; ++i) wide += "\xE2\x82\xAC";
  const std::string shown = QuoteForMessage(wide);
  EXPECT_TRUE(IsValidUtf8(shown));
  EXPECT_TRUE(shown.ends_with("\xE2\x82\xAC...'"));
  EXPECT_LE(shown.size(), 90U);
}

TEST(CheckUserPropertyTest, Table) {
  EXPECT_TRUE(CheckUserProperty({"A", Value::Int32(1)}).ok());
  EXPECT_TRUE(CheckUserProperty({"_x9", Value()}).ok());
  EXPECT_TRUE(CheckUserProperty({"\xC3\xA9", Value()}).ok());
  EXPECT_TRUE(CheckUserProperty({"partitionkey", Value()}).ok()) << "names have a case";
  EXPECT_TRUE(CheckUserProperty({std::string(255, 'a'), Value()}).ok());
  EXPECT_TRUE(CheckUserProperty({"A", Value::String(std::string(32768, 'x'))}).ok());
  EXPECT_TRUE(CheckUserProperty({"A", Value::Binary(std::string(65536, 'x'))}).ok());
  const std::pair<Property, Code> kBad[] = {
      {{"PartitionKey", Value()}, Code::kMismatch},
      {{"RowKey", Value()}, Code::kMismatch},
      {{"Timestamp", Value()}, Code::kMismatch},
      {{"", Value()}, Code::kMismatch},
      {{"9a", Value()}, Code::kMismatch},
      {{"a b", Value()}, Code::kMismatch},
      {{"odata.etag", Value()}, Code::kMismatch},
      {{"A@odata.type", Value()}, Code::kMismatch},
      {{"\xFF", Value()}, Code::kMismatch},
      {{std::string(256, 'a'), Value()}, Code::kTooBig},
      {{"A", Value::String("\xFF")}, Code::kMismatch},
      {{"A", Value::String(std::string(32769, 'x'))}, Code::kTooBig},
      {{"A", Value::Binary(std::string(65537, 'x'))}, Code::kTooBig},
  };
  for (const auto& [property, code] : kBad) {
    EXPECT_EQ(CheckUserProperty(property).code(), code) << property.name;
  }
}

}  // namespace
}  // namespace aztables
