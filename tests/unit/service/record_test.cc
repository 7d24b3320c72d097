// Checks the records of the store: round trips of all values, and harmless damage.
#include "service/store/record.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "model/datetime.h"
#include "support/rounds.h"

namespace aztables {
namespace {

std::string GuidText(std::string_view bytes) {
  char text[36];
  return {text, WriteGuid(bytes, text)};
}

constexpr EdmType kTypes[] = {EdmType::kString, EdmType::kInt32,   EdmType::kInt64,
                              EdmType::kDouble, EdmType::kBoolean, EdmType::kDateTime,
                              EdmType::kGuid,   EdmType::kBinary};

std::string RandomBytes(std::mt19937_64& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

Value RandomValue(std::mt19937_64& random) {
  switch (kTypes[random() % std::size(kTypes)]) {
    case EdmType::kString:
      return Value::String(std::string(random() % 4 == 0 ? random() % 40'000 : random() % 5, 'x'));
    case EdmType::kInt32:
      return Value::Int32(static_cast<int32_t>(random()));
    case EdmType::kInt64:
      return Value::Int64(static_cast<int64_t>(random()));
    case EdmType::kDouble:
      return Value::Double(std::bit_cast<double>(random()));
    case EdmType::kBoolean:
      return Value::Boolean(random() % 2 == 0);
    case EdmType::kDateTime:
      return Value::DateTime(
          FormatDateTime(kMinServiceTicks +
                         static_cast<int64_t>(random() % static_cast<uint64_t>(kMaxServiceTicks -
                                                                               kMinServiceTicks))));
    case EdmType::kGuid:
      return Value::Guid(GuidText(RandomBytes(random, 16)));
    default:
      return Value::Binary(RandomBytes(random, random() % 300));
  }
}

// Checks the view of `value`.
void Expect(const PropertyView& view, const Value& value) {
  EXPECT_EQ(view.type, value.type);
  switch (value.type) {
    case EdmType::kString:
    case EdmType::kBinary:
      EXPECT_EQ(view.bytes, value.text);
      return;
    case EdmType::kGuid:
      EXPECT_EQ(GuidText(view.bytes), value.text);
      return;
    case EdmType::kDateTime:
      EXPECT_EQ(FormatDateTime(view.integer), value.text);
      return;
    case EdmType::kDouble:
      EXPECT_EQ(std::bit_cast<uint64_t>(view.real), std::bit_cast<uint64_t>(value.real));
      return;
    default:
      EXPECT_EQ(view.integer, value.integer);
  }
}

std::vector<Property> RandomEntity(std::mt19937_64& random) {
  std::vector<Property> properties(random() % 6);
  for (Property& property : properties) {
    property.name = std::string(random() % 5 == 0 ? 200 : 1 + random() % 3, 'n');
    property.value = RandomValue(random);
  }
  return properties;
}

std::string RecordOf(const std::vector<Property>& properties) {
  std::string record;
  for (const Property& property : properties) AppendRecord(record, property.name, property.value);
  return record;
}

TEST(RecordTest, ComesBackAsItWas) {
  std::mt19937_64 random(1);
  std::vector<PropertyView> views;
  for (int i = 0; i < 2'000; ++i) {
    const std::vector<Property> properties = RandomEntity(random);
    const std::string record = RecordOf(properties);
    ASSERT_TRUE(ReadRecord(record, views).ok());
    ASSERT_EQ(views.size(), properties.size());
    std::string again;
    for (size_t at = 0; at < views.size(); ++at) {
      EXPECT_EQ(views[at].name, properties[at].name);
      Expect(views[at], properties[at].value);
      AppendRecord(again, views[at]);
    }
    EXPECT_EQ(again, record) << "what was read is written as it stood";
  }
}

TEST(RecordTest, KeepsTheEndsOfEveryType) {
  const std::vector<Value> values = {
      Value::Int32(std::numeric_limits<int32_t>::min()),
      Value::Int32(std::numeric_limits<int32_t>::max()),
      Value::Int64(std::numeric_limits<int64_t>::min()),
      Value::Int64(std::numeric_limits<int64_t>::max()),
      Value::Double(std::numeric_limits<double>::quiet_NaN()),
      Value::Double(-std::numeric_limits<double>::infinity()),
      Value::Double(std::numeric_limits<double>::denorm_min()),
      Value::Boolean(true),
      Value::Boolean(false),
      Value::String(""),
      Value::String(std::string("a\0b", 3)),
      Value::String(std::string(127, 'x')),
      Value::String(std::string(128, 'x')),
      Value::String(std::string(16'384, 'x')),
      Value::Binary(""),
      Value::DateTime("1601-01-01T00:00:00.0000000Z"),
      Value::DateTime("9999-12-31T23:59:59.9999999Z"),
      Value::Guid("00000000-0000-0000-0000-000000000000"),
      Value::Guid("ffffffff-ffff-ffff-ffff-ffffffffffff"),
  };
  std::vector<PropertyView> views;
  for (const Value& value : values) {
    std::string record;
    AppendRecord(record, "p", value);
    ASSERT_TRUE(ReadRecord(record, views).ok());
    ASSERT_EQ(views.size(), 1U);
    Expect(views[0], value);
  }
}

TEST(RecordTest, NullIsNotStored) {
  std::string record;
  AppendRecord(record, "p", Value());
  AppendRecord(record, PropertyView());
  EXPECT_EQ(record, "");
}

TEST(RecordTest, TruncatedRecordsAreErrorsUnlessAPropertyEndsThere) {
  std::mt19937_64 random(2);
  std::vector<PropertyView> views;
  for (int i = 0; i < 60; ++i) {
    const std::vector<Property> properties = RandomEntity(random);
    const std::string record = RecordOf(properties).substr(0, 2'000);
    std::vector<bool> ends(record.size() + 1);
    std::string prefix;
    ends[0] = true;
    for (const Property& property : properties) {
      AppendRecord(prefix, property.name, property.value);
      if (prefix.size() < ends.size()) ends[prefix.size()] = true;
    }
    for (size_t size = 0; size <= record.size(); ++size) {
      // A separate buffer, so that a sanitizer detects reads after its end.
      const std::vector<char> bytes(record.begin(), record.begin() + static_cast<ptrdiff_t>(size));
      EXPECT_EQ(ReadRecord({bytes.data(), size}, views).ok(), ends[size]) << size;
    }
  }
}

TEST(RecordTest, MutatedRecordsDoNoHarm) {
  std::mt19937_64 random(3);
  std::vector<PropertyView> views;
  for (int i = 0; i < support::Rounds(20'000); ++i) {
    std::string record = RecordOf(RandomEntity(random)).substr(0, 600);
    for (auto left = 1 + random() % 3; left > 0 && !record.empty(); --left) {
      record[random() % record.size()] = static_cast<char>(random());
    }
    if (!ReadRecord(record, views).ok()) continue;
    for (const PropertyView& view : views) {
      EXPECT_NE(view.type, EdmType::kNull);
      EXPECT_GE(view.name.data(), record.data());
      EXPECT_LE(view.name.data() + view.name.size(), record.data() + record.size());
      if (view.type == EdmType::kGuid) {
        EXPECT_EQ(view.bytes.size(), 16U);
      }
    }
  }
}

TEST(RecordTest, Guids) {
  EXPECT_EQ(GuidText(GuidBytes("0d391d16-97f1-4b9a-be68-4cc871f90001")),
            "0d391d16-97f1-4b9a-be68-4cc871f90001");
  EXPECT_EQ(GuidBytes("00010203-0405-0607-0809-0a0b0c0d0eff"),
            std::string("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\xff", 16));
}

TEST(RecordTest, SizeAsTheServiceCounts) {
  EXPECT_EQ(EntitySize("", "", {}), 4U);
  EXPECT_EQ(EntitySize("pk", "\xF0\x9F\x98\x80", {}), 4U + 2 * (2 + 2));
  const struct {
    Value value;
    size_t size;
  } kSizes[] = {
      {Value::String("\xC3\xA4"
                     "b"),
       4 + 2 * 2},
      {Value::Binary("abc"), 4 + 3},
      {Value::Int32(1), 4},
      {Value::Int64(1), 8},
      {Value::Double(1), 8},
      {Value::Boolean(true), 1},
      {Value::DateTime("2026-11-02T10:00:00.0000000Z"), 8},
      {Value::Guid("0d391d16-97f1-4b9a-be68-4cc871f90001"), 16},
  };
  for (const auto& [value, size] : kSizes) {
    std::string record;
    AppendRecord(record, "name", value);
    std::vector<PropertyView> views;
    ASSERT_TRUE(ReadRecord(record, views).ok());
    EXPECT_EQ(EntitySize("p", "r", views), 4U + 2 * 2 + 8 + 2 * 4 + size);
  }
}

}  // namespace
}  // namespace aztables
