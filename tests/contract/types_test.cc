// Checks against a real table service that values of every EDM type survive an EGT byte for byte:
// extremes of each type, and the largest entities.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "contract_test_base.h"
#include "odata/response_body.h"
#include "support/texts.h"

namespace aztables {
namespace {

using support::Repeat;
using TypesTest = ContractTest;

// The value of a cell in the written form.
Value ValueOf(const Cell& cell) {
  Value value;
  value.type = cell.type;
  EXPECT_FALSE(cell.malformed);
  switch (cell.type) {
    case EdmType::kNull:
      break;
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      value.integer = cell.integer;
      break;
    case EdmType::kDouble:
      value.real = cell.real;
      break;
    default:
      value.text = cell.view();
  }
  return value;
}

std::string AllBytes(size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(i & 0xFF);
  return bytes;
}

std::vector<Value> ValuesOfEveryType() {
  using Double = std::numeric_limits<double>;
  return {
      Value::String(""),
      Value::String(" leading and trailing "),
      Value::String("O'Brien \"quoted\" back\\slash /slash% +&=?#<>"),
      Value::String("line\nfeed\r\ntab\tand\x01\x1F\x7F controls"),
      Value::String("\xC3\xA9 \xE5\x90\x8D \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBD"),
      Value::String("\xF0\x90\x80\x80 \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF"),  // above the BMP
      Value::String("null"),
      Value::String("2026-11-02T10:00:00.0000000Z"),
      Value::Int32(0),
      Value::Int32(-1),
      Value::Int32(std::numeric_limits<int32_t>::min()),
      Value::Int32(std::numeric_limits<int32_t>::max()),
      Value::Int64(0),
      Value::Int64(9'007'199'254'740'993),
      Value::Int64(std::numeric_limits<int64_t>::min()),
      Value::Int64(std::numeric_limits<int64_t>::max()),
      Value::Double(0.0),
      Value::Double(5.0),
      Value::Double(-123.456),
      Value::Double(0.1),
      Value::Double(1.0 / 3.0),
      Value::Double(1e21),
      Value::Double(1e-7),
      Value::Double(9007199254740993.0),
      Value::Double(Double::max()),
      Value::Double(Double::lowest()),
      Value::Double(Double::min()),
      Value::Double(Double::denorm_min()),
      Value::Double(Double::infinity()),
      Value::Double(-Double::infinity()),
      Value::Boolean(true),
      Value::Boolean(false),
      Value::DateTime("1601-01-01T00:00:00.0000000Z"),
      Value::DateTime("2026-11-02T10:00:00.0000001Z"),
      Value::DateTime("2026-11-02T10:00:00.1234567Z"),
      Value::DateTime("2024-02-29T23:59:59.1200000Z"),
      Value::DateTime("9999-12-31T23:59:59.9999999Z"),
      Value::Guid("00000000-0000-0000-0000-000000000000"),
      Value::Guid("c9da6455-213d-42c9-9a79-3e9149a57833"),
      Value::Guid("ffffffff-ffff-ffff-ffff-ffffffffffff"),
      Value::Binary(""),
      Value::Binary(std::string("\0", 1)),
      Value::Binary(AllBytes(256)),
      Value::Binary(AllBytes(257)),
  };
}

// An entity with these values and names of properties.
Entity MakeEntity(const std::string& row_key, const std::vector<Value>& values,
                  Projection& projection) {
  Entity entity{"p", row_key, {}};
  projection.entity = true;
  for (size_t i = 0; i < values.size(); ++i) {
    projection.properties.push_back("P" + std::to_string(i));
    entity.properties.push_back({projection.properties.back(), values[i]});
  }
  return entity;
}

void ExpectValues(const EntityPage& page, const std::vector<Value>& values) {
  ASSERT_EQ(page.size(), 1U);
  for (size_t i = 0; i < values.size(); ++i) {
    const Value read = ValueOf(page.At(0, EntityPage::kFirstProperty + i));
    EXPECT_EQ(read.type, values[i].type) << i;
    EXPECT_TRUE(read == values[i]) << i << ": " << values[i].text.substr(0, 80) << " became "
                                   << read.text.substr(0, 80) << read.integer << " " << read.real;
  }
}

TEST_F(TypesTest, ComeBackAsTheyWereWritten) {
  const std::vector<Value> values = ValuesOfEveryType();
  Projection projection;
  const Entity entity = MakeEntity("r", values, projection);
  Write({entity});
  std::vector<Property> by_name = entity.properties;
  std::sort(by_name.begin(), by_name.end(),
            [](const Property& a, const Property& b) { return a.name < b.name; });
  EntityQuery selected = Query();
  selected.select = projection.properties;
  selected.select.insert(selected.select.end(), {"PartitionKey", "RowKey"});
  for (const EntityQuery& query : {Point("p", "r"), Query(), selected}) {
    PageStream stream = Stream(query, projection);
    const auto more = stream.NextPage(cancel_);
    ASSERT_TRUE(more.ok()) << more.status().message();
    ASSERT_NO_FATAL_FAILURE(ExpectValues(stream.page(), values));
    const auto properties = ReadEntityText(stream.page().At(0, EntityPage::kEntity).view());
    ASSERT_TRUE(properties.ok()) << properties.status().message();
    EXPECT_TRUE(*properties == by_name) << "the whole entity as JSON, in the order of the names";
  }
}

TEST_F(TypesTest, NotANumber) {
  Projection projection;
  Write({MakeEntity("r", {Value::Double(std::numeric_limits<double>::quiet_NaN())}, projection)});
  PageStream stream = Stream(Point("p", "r"), projection);
  ASSERT_TRUE(stream.NextPage(cancel_).ok());
  ASSERT_EQ(stream.page().size(), 1U);
  const Cell& cell = stream.page().At(0, EntityPage::kFirstProperty);
  EXPECT_EQ(cell.type, EdmType::kDouble);
  EXPECT_FALSE(cell.malformed);
  EXPECT_TRUE(std::isnan(cell.real));
}

TEST_F(TypesTest, TheLongestValues) {
  const std::vector<Value> values = {
      Value::String(std::string(kMaxStringLength, 'x')),
      Value::String(Repeat("\xE5\x90\x8D", kMaxStringLength)),
      Value::String(Repeat("\xF0\x9F\x98\x80", kMaxStringLength / 2)),
      Value::String(Repeat("\"", kMaxStringLength)),
      Value::Binary(AllBytes(kMaxBinarySize)),
  };
  Projection projection;
  Write({MakeEntity("r", values, projection)});
  PageStream stream = Stream(Point("p", "r"), projection);
  const auto more = stream.NextPage(cancel_);
  ASSERT_TRUE(more.ok()) << more.status().message();
  ExpectValues(stream.page(), values);
}

TEST_F(TypesTest, TheLargestEntities) {
  // Several of 960 KiB: each EGT holds up to 4 MiB.
  std::vector<Value> values(15, Value::Binary(AllBytes(kMaxBinarySize)));
  Projection projection;
  std::vector<Entity> entities;
  for (int i = 0; i < 5; ++i) {
    projection = {};
    entities.push_back(MakeEntity(std::to_string(i), values, projection));
  }
  const size_t before = requests();
  Write(entities);
  EXPECT_EQ(requests() - before, 2U);
  for (int i = 0; i < 5; ++i) {
    PageStream stream = Stream(Point("p", std::to_string(i)), projection);
    ASSERT_TRUE(stream.NextPage(cancel_).ok());
    ExpectValues(stream.page(), values);
  }
}

TEST_F(TypesTest, AsManyPropertiesAsAnEntityCanHave) {
  std::vector<Value> values;
  for (size_t i = 0; i < kMaxProperties; ++i)
    values.push_back(Value::Int64(static_cast<int64_t>(i)));
  Projection projection;
  Write({MakeEntity("r", values, projection)});
  EntityQuery query = Query();
  query.select = projection.properties;
  query.select.insert(query.select.end(), {"PartitionKey", "RowKey", "Timestamp"});
  PageStream stream = Stream(query, projection);
  const auto more = stream.NextPage(cancel_);
  ASSERT_TRUE(more.ok()) << more.status().message();
  ExpectValues(stream.page(), values);
}

TEST_F(TypesTest, NamesOfProperties) {
  Entity entity{"p", "r", {}};
  Projection projection;
  for (const char* name : {"_", "a", "A", "\xC3\x84nderung", "\xE5\x90\x8D\xE5\x89\x8D",
                           "timestamp", "partitionKey", "value", "etag"}) {
    projection.properties.emplace_back(name);
    entity.properties.push_back({name, Value::String(std::string("value of ") + name)});
  }
  Write({entity});
  EntityQuery query = Query();
  query.select = projection.properties;
  query.select.insert(query.select.end(), {"PartitionKey", "RowKey"});
  PageStream stream = Stream(query, projection);
  const auto more = stream.NextPage(cancel_);
  ASSERT_TRUE(more.ok()) << more.status().message();
  std::vector<Value> values;
  for (const Property& property : entity.properties) values.push_back(property.value);
  ExpectValues(stream.page(), values);
}

TEST_F(TypesTest, TimestampAndEtag) {
  Write({{"p", "r", {}}});
  PageStream stream = Stream(Point("p", "r"));
  ASSERT_TRUE(stream.NextPage(cancel_).ok());
  ASSERT_EQ(stream.page().size(), 1U);
  const Cell& timestamp = stream.page().At(0, EntityPage::kTimestamp);
  EXPECT_EQ(timestamp.type, EdmType::kDateTime);
  EXPECT_EQ(timestamp.size, 28U);
  const std::string_view etag = stream.page().At(0, EntityPage::kEtag).view();
  EXPECT_TRUE(etag.starts_with("W/\"datetime'")) << etag;
}

}  // namespace
}  // namespace aztables
