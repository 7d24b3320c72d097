// Checks the JSON of entities: numbers, instants, levels of metadata, $select.
#include "service/handlers/entity_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "support/rounds.h"

namespace aztables {
namespace {

TEST(EntityJsonTest, DoublesAsTheServicePrintsThem) {
  const struct {
    double value;
    const char* text;
  } kDoubles[] = {
      {0, "0.0"},
      {3, "3.0"},
      {-1.5, "-1.5"},
      {123.45, "123.45"},
      {0.1, "0.1"},
      {100000, "100000.0"},
      {999999999999999, "999999999999999.0"},
      {1e15, "1E+15"},
      {1.23456789012346e24, "1.23456789012346E+24"},
      {-2.5e300, "-2.5E+300"},
      {0.0001, "0.0001"},
      {0.00001, "1E-05"},
      {0.000012, "1.2E-05"},
      {1e-300, "1E-300"},
      {4.94065645841247e-324, "5E-324"},
      {1.7976931348623157e308, "1.7976931348623157E+308"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
  };
  for (const auto& [value, text] : kDoubles) EXPECT_EQ(DoubleText(value), text) << value;
}

TEST(EntityJsonTest, EveryDoubleComesBackAndHasAPointOrAnExponent) {
  std::mt19937_64 random(4);
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    double value = 0;
    const uint64_t bits = random();
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    if (i % 2 == 0) value = static_cast<double>(static_cast<int64_t>(bits) >> (bits % 60));
    if (!std::isfinite(value)) continue;
    const std::string text = DoubleText(value);
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    EXPECT_NE(text.find_first_of(".E"), std::string::npos) << text;
    EXPECT_EQ(text.find('e'), std::string::npos) << text;
  }
}

TEST(EntityJsonTest, InstantsWithoutTrailingZeros) {
  const struct {
    const char* instant;
    const char* text;
  } kInstants[] = {
      {"2026-11-02T10:00:00Z", "2026-11-02T10:00:00Z"},
      {"2026-11-02T10:20:30.1234567Z", "2026-11-02T10:20:30.1234567Z"},
      {"2026-11-02T10:20:30.0000001Z", "2026-11-02T10:20:30.0000001Z"},
      {"2026-11-02T10:20:30.1200000Z", "2026-11-02T10:20:30.12Z"},
      {"2026-11-02T10:20:30.1Z", "2026-11-02T10:20:30.1Z"},
      {"1601-01-01", "1601-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.9999999Z"},
  };
  for (const auto& [instant, text] : kInstants) {
    EXPECT_EQ(InstantText(ParseDateTime(instant).value_or(0)), text);
  }
  EXPECT_EQ(EtagOf(ParseDateTime("2026-11-02T10:20:30.12Z").value_or(0)),
            "W/\"datetime'2026-11-02T10%3A20%3A30.12Z'\"");
}

class EntityTextTest : public testing::Test {
 protected:
  EntityTextTest() {
    entity_.partition_key = "p\"";
    entity_.row_key = "it's \xC3\xA4";
    entity_.timestamp = ParseDateTime("2026-11-02T10:00:00.5Z").value_or(0);
    AppendRecord(record_, "B", Value::Int32(1));
    AppendRecord(record_, "\xC3\xA4", Value::Int64(2));
    AppendRecord(record_, "A", Value::Double(std::numeric_limits<double>::infinity()));
    EXPECT_TRUE(ReadRecord(record_, entity_.properties).ok());
    form_.base_url = "http://127.0.0.1:10002/shop";
    form_.account = "shop";
    form_.table = "T";
  }

  std::string Text(Metadata metadata, bool context) {
    form_.metadata = metadata;
    std::string text;
    AppendEntity(text, form_, entity_, context);
    return text;
  }

  std::string record_;
  StoredEntity entity_;
  EntityForm form_;
};

constexpr const char* kEtag = R"("odata.etag":"W/\"datetime'2026-11-02T10%3A00%3A00.5Z'\"",)";

TEST_F(EntityTextTest, LevelsOfMetadata) {
  const std::string keys = R"("PartitionKey":"p\"","RowKey":"it's \u00e4",)";
  const std::string stamp = R"("Timestamp":"2026-11-02T10:00:00.5Z",)";
  const std::string annotated =
      R"("B":1,"\u00e4@odata.type":"Edm.Int64","\u00e4":"2","A@odata.type":"Edm.Double",)"
      R"("A":"Infinity"})";
  const std::string context =
      R"("odata.metadata":"http://127.0.0.1:10002/shop/$metadata#T/@Element",)";
  EXPECT_EQ(Text(Metadata::kNone, true),
            "{" + keys + stamp + R"("B":1,"\u00e4":"2","A":"Infinity"})");
  EXPECT_EQ(Text(Metadata::kMinimal, false), "{" + (kEtag + keys) + stamp + annotated);
  EXPECT_EQ(Text(Metadata::kMinimal, true), "{" + context + kEtag + keys + stamp + annotated);
  const std::string path = "T(PartitionKey='p%22',RowKey='it''s%20%C3%A4')";
  EXPECT_EQ(Text(Metadata::kFull, true),
            "{" + context + R"("odata.type":"shop.T","odata.id":"http://127.0.0.1:10002/shop/)" +
                path + R"(",)" + kEtag + R"("odata.editLink":")" + path + R"(",)" + keys +
                R"("Timestamp@odata.type":"Edm.DateTime",)" + stamp + annotated);
}

TEST_F(EntityTextTest, Select) {
  using Names = std::vector<std::string>;
  form_.select = Names{"A", "RowKey", "Absent"};
  EXPECT_EQ(Text(Metadata::kMinimal, true),
            R"({"odata.metadata":"http://127.0.0.1:10002/shop/$metadata#T/@Element&$select=)"
            R"(A,RowKey,Absent",)" +
                std::string(kEtag) +
                R"("A@odata.type":"Edm.Double","A":"Infinity","RowKey":"it's \u00e4",)"
                R"("Absent":null})");
  EXPECT_EQ(MetadataUrl(form_, false),
            "http://127.0.0.1:10002/shop/$metadata#T&$select=A,RowKey,Absent");
  form_.select = Names{"Timestamp", "PartitionKey"};
  EXPECT_EQ(Text(Metadata::kNone, true),
            R"({"Timestamp":"2026-11-02T10:00:00.5Z","PartitionKey":"p\""})");
  form_.select = Names{};
  EXPECT_EQ(MetadataUrl(form_, true), "http://127.0.0.1:10002/shop/$metadata#T/@Element&$select=");
  EXPECT_NE(Text(Metadata::kNone, false).find("\"B\":1"), std::string::npos) << "all of them";
}

}  // namespace
}  // namespace aztables
