// Checks limits of length, size, number and type: the largest accepted value and the error for the
// next one.
#include <string>

#include "raw_test_base.h"
#include "support/texts.h"

namespace aztables {
namespace {

using support::Repeat;

class LimitsTest : public RawTest {
 protected:
  std::string InsertProperties(const std::string& properties) const {
    return Insert(RandomGuid(), properties).outcome();
  }
  // An insert of a V with this value and type.
  std::string InsertValue(const std::string& type, const std::string& value) const {
    return InsertProperties(R"("V@odata.type":"Edm.)" + type + R"(","V":)" + value);
  }
  std::string InsertKeys(const std::string& partition_key, const std::string& row_key) const {
    return Insert(row_key, "", partition_key).outcome();
  }
};

TEST_F(LimitsTest, Text) {
  // Escaped, since Azurite corrupts characters that cross packets.
  for (const char* letter : {"x", "\\u540d"}) {
    EXPECT_EQ(InsertProperties(R"("V":")" + Repeat(letter, 32'768) + "\""), "201");
    EXPECT_EQ(InsertProperties(R"("V":")" + Repeat(letter, 32'769) + "\""),
              "400 PropertyValueTooLarge");
  }
  const std::string beyond = Repeat("\\ud83d\\ude00", 16'384);  // two code units each
  EXPECT_EQ(InsertProperties(R"("V":")" + beyond + "\""), "201");
  EXPECT_EQ(InsertProperties(R"("V":"x)" + beyond + "\""), "400 PropertyValueTooLarge");
}

TEST_F(LimitsTest, Binary) {
  EXPECT_EQ(InsertValue("Binary", "\"" + Base64Encode(std::string(65'536, 'x')) + "\""), "201");
  EXPECT_EQ(InsertValue("Binary", "\"" + Base64Encode(std::string(65'537, 'x')) + "\""),
            "400 PropertyValueTooLarge");
}

TEST_F(LimitsTest, NumberOfProperties) {
  std::string properties = R"("P0":0)";
  for (int i = 1; i < 252; ++i) properties += ",\"P" + std::to_string(i) + "\":0";
  EXPECT_EQ(InsertProperties(properties), "201");
  EXPECT_EQ(InsertProperties(properties + R"(,"N":null)"), "201") << "null is none";
  const bool lenient = Differs(Difference::kPropertiesNotChecked);
  EXPECT_EQ(InsertProperties(properties + R"(,"X":0)"), lenient ? "201" : "400 TooManyProperties");
  Change("PUT", "r", "{" + properties + "}");
  EXPECT_EQ(Change("MERGE", "r", R"({"P0":1})").outcome(), "204");
  EXPECT_EQ(Change("MERGE", "r", R"({"X":1})").outcome(),
            lenient ? "204" : "400 TooManyProperties");
}

TEST_F(LimitsTest, NamesOfProperties) {
  EXPECT_EQ(InsertProperties("\"" + std::string(255, 'a') + "\":1"), "201");
  EXPECT_EQ(InsertProperties("\"_a1\":1"), "201");
  const bool lenient = Differs(Difference::kPropertiesNotChecked);
  EXPECT_EQ(InsertProperties("\"" + std::string(256, 'a') + "\":1"),
            lenient ? "201" : "400 PropertyNameTooLong");
  for (const char* name : {"a-b", "a b", "1a"}) {
    EXPECT_EQ(InsertProperties("\"" + std::string(name) + "\":1"),
              lenient ? "201" : "400 PropertyNameInvalid")
        << name;
  }
}

TEST_F(LimitsTest, SizeOfAnEntity) {
  const auto of_binaries = [](int count) {
    std::string properties;
    for (int i = 0; i < count; ++i) {
      const std::string name = "P" + std::to_string(i);
      if (i > 0) properties += ',';
      properties.append("\"").append(name).append(R"(@odata.type":"Edm.Binary",")");
      properties.append(name).append("\":\"");
      properties.append(Base64Encode(std::string(65'536, 'x'))).append("\"");
    }
    return properties;
  };
  EXPECT_EQ(InsertProperties(of_binaries(15)), "201");
  EXPECT_EQ(InsertProperties(of_binaries(17)),
            Differs(Difference::kSizeOfAnEntity) ? "201" : "400 EntityTooLarge");
  std::string four_mebibytes = R"("P0":0)";
  for (int i = 1; i < 150; ++i) {
    four_mebibytes += ",\"P" + std::to_string(i) + "\":\"" + std::string(30'000, 'x') + "\"";
  }
  EXPECT_EQ(InsertProperties(four_mebibytes), "413 RequestBodyTooLarge");
}

TEST_F(LimitsTest, LengthOfKeys) {
  const bool shorter = Differs(Difference::kLengthOfKeys);
  const std::string refused = shorter ? "400 InvalidInput" : "400 KeyValueTooLarge";
  for (const char* letter : {"k", "\\u540d"}) {
    const std::string longest = Repeat(letter, shorter ? 512 : 1024);
    EXPECT_EQ(InsertKeys(longest, longest), "201");
    EXPECT_EQ(InsertKeys("p", longest + "k"), refused);
    EXPECT_EQ(InsertKeys(longest + "k", "r"), refused);
  }
}

TEST_F(LimitsTest, CharactersOfKeys) {
  const std::string code = Differs(Difference::kCodeOfKeys) ? "InvalidInput" : "OutOfRangeInput";
  for (const char* text :
       {"/", "\\\\", "#", "?", "\\t", "\\u0000", "\\u001f", "\\u007f", "\\u009f"}) {
    EXPECT_EQ(InsertKeys("p", std::string("a") + text), "400 " + code) << text;
    EXPECT_EQ(InsertKeys(std::string("a") + text, "r"), "400 " + code) << text;
  }
}

TEST_F(LimitsTest, NamesOfTables) {
  const auto create = [this](const std::string& name) {
    return Send({.method = "POST", .path = "Tables", .body = R"({"TableName":")" + name + "\"}"});
  };
  const bool bare = Differs(Difference::kNamesOfTables);
  for (const char* name : {"1abc", "a_b", "a-b", "\xE5\x90\x8D\xE5\x89\x8D\xE5\x90\x8D"}) {
    EXPECT_EQ(create(name).outcome(), bare ? "400" : "400 InvalidResourceName") << name;
  }
  EXPECT_EQ(create("a_b").message, Differs(Difference::kWordsOfErrors)
                                       ? "The specified resource name contains invalid characters."
                                       : "The specifed resource name contains invalid characters.");
  for (const std::string& name : {std::string("ab"), std::string(64, 'a')}) {
    EXPECT_EQ(create(name).outcome(), bare ? "400" : "400 OutOfRangeInput") << name;
  }
  const std::string longest = FreshName() + std::string(30, 'a');
  EXPECT_EQ(longest.size(), 63U);
  EXPECT_EQ(create(longest).outcome(), "201");
  EXPECT_EQ(create(longest).outcome(), "409 TableAlreadyExists");
  EXPECT_EQ(Send({.method = "DELETE", .path = "Tables('" + longest + "')"}).outcome(), "204");
  EXPECT_EQ(Send({.method = "DELETE", .path = "Tables('" + longest + "')"}).outcome(),
            "404 ResourceNotFound");
  EXPECT_EQ(
      Send({.path = "Tables('" + longest + "')"}).outcome(),
      Differs(Difference::kMissingTableByName) ? "404 TableNotFound" : "404 ResourceNotFound");
}

TEST_F(LimitsTest, ValuesOfTheirType) {
  EXPECT_EQ(InsertValue("Int64", "\"9223372036854775807\""), "201");
  EXPECT_EQ(InsertValue("DateTime", "\"1601-01-01T00:00:00Z\""), "201");
  EXPECT_EQ(InsertValue("DateTime", "\"9999-12-31T23:59:59.9999999Z\""), "201");
  EXPECT_EQ(InsertProperties(R"("V":2147483647)"), "201");
  const std::string refused = Differs(Difference::kValuesNotChecked) ? "201" : "400 InvalidInput";
  EXPECT_EQ(InsertValue("Int64", "\"9223372036854775808\""), refused);
  EXPECT_EQ(InsertValue("Int64", "\"abc\""), refused);
  EXPECT_EQ(InsertValue("Guid", "\"xyz\""), refused);
  EXPECT_EQ(InsertValue("Binary", "\"!!!!\""), refused);
  EXPECT_EQ(InsertValue("DateTime", "\"notadate\""), refused);
  EXPECT_EQ(InsertValue("DateTime", "\"1600-12-31T00:00:00Z\""),
            Differs(Difference::kValuesNotChecked) ? "201" : "400 OutOfRangeInput");
  // Users report that the service stores a number beyond Int32 as Double, as JavaScript means it.
  EXPECT_EQ(InsertProperties(R"("V":2147483648)"), "201");
  EXPECT_EQ(InsertProperties(R"("V":5000000000)"), "201");
  EXPECT_EQ(InsertProperties(R"("V":1795169730123)"), "201");
  EXPECT_EQ(InsertProperties(R"("V":9007199254740993)"), refused) << "not exact";
  EXPECT_EQ(InsertValue("Foo", "\"x\""),
            Differs(Difference::kValuesNotChecked) ? "500" : "400 InvalidInput");
}

TEST_F(LimitsTest, WordsForABoolean) {
  const auto stored = [this](const std::string& word) {
    const ParsedResponse response =
        Change("PUT", "r", R"({"V@odata.type":"Edm.Boolean","V":")" + word + R"("})");
    return response.status == 204 ? Get("r").At("/V") : response.outcome();
  };
  const bool lower_case = Differs(Difference::kTextForABoolean);
  for (const char* word : {"TRUE", "True", "FALSE", "False"}) {
    EXPECT_EQ(stored(word), lower_case ? "400 InvalidInput" : ToLowerAscii(word)) << word;
  }
  EXPECT_EQ(stored("true"), "true");
  EXPECT_EQ(stored("false"), "false");
  for (const char* word : {"maybe", "", "1", "TRUE "}) {
    EXPECT_EQ(stored(word), "400 InvalidInput") << word;
  }
}

TEST_F(LimitsTest, DatesComeBackInUtc) {
  Insert("r", R"("V@odata.type":"Edm.DateTime","V":"2026-11-02T10:00:00+02:00")");
  EXPECT_EQ(Get("r").At("/V"), Differs(Difference::kValuesNotChecked)
                                   ? "\"2026-11-02T10:00:00+02:00\""
                                   : "\"2026-11-02T08:00:00Z\"");
}

}  // namespace
}  // namespace aztables
