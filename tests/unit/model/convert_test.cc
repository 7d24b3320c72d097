// Checks the conversion of SQL values: every SQL type to every EDM type, the limits of exactness,
// texts of reals as in SQLite 3.40, and errors with column, value and type.
#include "model/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace aztables {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kMinInt64 = std::numeric_limits<int64_t>::min();
constexpr auto kNo = std::nullopt;

SqlValue I(int64_t value) { return SqlValue::Integer(value); }
SqlValue R(double value) { return SqlValue::Real(value); }
SqlValue T(std::string_view value) { return SqlValue::Text(value); }
SqlValue B(std::string_view value) { return SqlValue::Blob(value); }

// One SQL value converted to each type, in the order of EdmType.
struct GridRow {
  const char* what;
  SqlValue value;
  std::optional<Value> any, string, int32, int64, real, boolean, datetime, guid, binary;
};

constexpr std::string_view kGuid = "c9da6455-213d-42c9-9a79-3e9149a57833";
constexpr std::string_view kDate = "2026-11-02T10:00:00.0000000Z";

std::vector<GridRow> Grid() {
  using V = Value;
  const V null;
  return {
      {"NULL", SqlValue::Null(), null, null, null, null, null, null, null, null, null},
      {"0", I(0), V::Int64(0), V::String("0"), V::Int32(0), V::Int64(0), V::Double(0),
       V::Boolean(false), kNo, kNo, kNo},
      {"1", I(1), V::Int64(1), V::String("1"), V::Int32(1), V::Int64(1), V::Double(1),
       V::Boolean(true), kNo, kNo, kNo},
      {"-5", I(-5), V::Int64(-5), V::String("-5"), V::Int32(-5), V::Int64(-5), V::Double(-5), kNo,
       kNo, kNo, kNo},
      {"2^31", I(2147483648), V::Int64(2147483648), V::String("2147483648"), kNo,
       V::Int64(2147483648), V::Double(2147483648), kNo, kNo, kNo, kNo},
      {"2^63-1", I(kMaxInt64), V::Int64(kMaxInt64), V::String("9223372036854775807"), kNo,
       V::Int64(kMaxInt64), kNo, kNo, kNo, kNo, kNo},
      {"-2^63", I(kMinInt64), V::Int64(kMinInt64), V::String("-9223372036854775808"), kNo,
       V::Int64(kMinInt64), V::Double(-9223372036854775808.0), kNo, kNo, kNo, kNo},
      {"1.0", R(1), V::Double(1), V::String("1.0"), V::Int32(1), V::Int64(1), V::Double(1),
       V::Boolean(true), kNo, kNo, kNo},
      {"0.5", R(0.5), V::Double(0.5), V::String("0.5"), kNo, kNo, V::Double(0.5), kNo, kNo, kNo,
       kNo},
      {"1e20", R(1e20), V::Double(1e20), V::String("1.0e+20"), kNo, kNo, V::Double(1e20), kNo, kNo,
       kNo, kNo},
      {"Inf", R(kInfinity), V::Double(kInfinity), V::String("Inf"), kNo, kNo, V::Double(kInfinity),
       kNo, kNo, kNo, kNo},
      {"''", T(""), V::String(""), V::String(""), null, null, null, null, null, null, null},
      {"' '", T(" "), V::String(" "), V::String(" "), kNo, kNo, kNo, kNo, kNo, kNo, kNo},
      {"'x'", T("x"), V::String("x"), V::String("x"), kNo, kNo, kNo, kNo, kNo, kNo, kNo},
      {"'7'", T("7"), V::String("7"), V::String("7"), V::Int32(7), V::Int64(7), V::Double(7), kNo,
       kNo, kNo, kNo},
      {"' 1 '", T(" 1 "), V::String(" 1 "), V::String(" 1 "), V::Int32(1), V::Int64(1),
       V::Double(1), V::Boolean(true), kNo, kNo, kNo},
      {"'0.5'", T("0.5"), V::String("0.5"), V::String("0.5"), kNo, kNo, V::Double(0.5), kNo, kNo,
       kNo, kNo},
      {"'True'", T("True"), V::String("True"), V::String("True"), kNo, kNo, kNo, V::Boolean(true),
       kNo, kNo, kNo},
      {"'FALSE'", T("FALSE"), V::String("FALSE"), V::String("FALSE"), kNo, kNo, kNo,
       V::Boolean(false), kNo, kNo, kNo},
      {"'Infinity'", T("Infinity"), V::String("Infinity"), V::String("Infinity"), kNo, kNo,
       V::Double(kInfinity), kNo, kNo, kNo, kNo},
      {"a date", T("2026-11-02T12:00+02:00"), V::String("2026-11-02T12:00+02:00"),
       V::String("2026-11-02T12:00+02:00"), kNo, kNo, kNo, kNo, V::DateTime(kDate), kNo, kNo},
      {"a guid", T("{C9DA6455-213D-42C9-9A79-3E9149A57833}"),
       V::String("{C9DA6455-213D-42C9-9A79-3E9149A57833}"),
       V::String("{C9DA6455-213D-42C9-9A79-3E9149A57833}"), kNo, kNo, kNo, kNo, kNo, V::Guid(kGuid),
       kNo},
      {"x''", B(""), V::Binary(""), kNo, kNo, kNo, kNo, kNo, kNo, kNo, V::Binary("")},
      {"x'31'", B("1"), V::Binary("1"), kNo, kNo, kNo, kNo, kNo, kNo, kNo, V::Binary("1")},
  };
}

TEST(ToEdmTest, EverySqlTypeIntoEveryEdmType) {
  for (const GridRow& row : Grid()) {
    const std::optional<Value>* const expected[] = {&row.any,      &row.string, &row.int32,
                                                    &row.int64,    &row.real,   &row.boolean,
                                                    &row.datetime, &row.guid,   &row.binary};
    for (size_t i = 0; i < std::size(expected); ++i) {
      const auto type = static_cast<EdmType>(i);
      const auto value = ToEdm(row.value, type, "TheColumn");
      ASSERT_EQ(value.ok(), expected[i]->has_value()) << row.what << " as " << EdmName(type);
      if (value.ok()) {
        EXPECT_EQ(*value, **expected[i]) << row.what << " as " << EdmName(type);
        continue;
      }
      const std::string message(value.status().message());
      EXPECT_EQ(value.status().code(), Code::kMismatch);
      EXPECT_NE(message.find("column TheColumn"), std::string::npos) << message;
      EXPECT_NE(message.find(EdmName(type)), std::string::npos) << message;
    }
  }
}

TEST(ToEdmTest, ErrorsShowTheValue) {
  EXPECT_EQ(ToEdm(T("it's"), EdmType::kInt32, "A").status().message(),
            "column A: 'it''s' (TEXT) is not a valid Edm.Int32");
  EXPECT_EQ(ToEdm(I(5), EdmType::kBoolean, "A").status().message(),
            "column A: 5 (INTEGER) is not a valid Edm.Boolean; write 0 or 1");
  EXPECT_EQ(ToEdm(R(2.5), EdmType::kInt64, "A").status().message(),
            "column A: 2.5 (REAL) is not a valid Edm.Int64");
  EXPECT_EQ(ToEdm(B("abc"), EdmType::kString, "A").status().message(),
            "column A: a BLOB of 3 bytes is not a valid Edm.String");
  EXPECT_EQ(ToEdm(B("a"), EdmType::kInt32, "A").status().message(),
            "column A: a BLOB of 1 byte is not a valid Edm.Int32");
  const auto text = ToEdm(T("1"), EdmType::kBinary, "A");
  EXPECT_NE(text.status().message().find("write a BLOB"), std::string_view::npos);
}

void ExpectInt64(std::string_view text, std::optional<int64_t> expected) {
  const auto value = ToEdm(T(text), EdmType::kInt64, "c");
  ASSERT_EQ(value.ok(), expected.has_value()) << text;
  if (expected) {
    EXPECT_EQ(value->integer, *expected) << text;
  }
}

TEST(ToEdmTest, IntegersFromTextAreExactOrRefused) {
  ExpectInt64("9223372036854775807", kMaxInt64);
  ExpectInt64("-9223372036854775808", kMinInt64);
  ExpectInt64("9223372036854775808", kNo);
  ExpectInt64("-9223372036854775809", kNo);
  ExpectInt64("+5", 5);
  ExpectInt64("5.0", 5);
  ExpectInt64("5.", 5);
  ExpectInt64("-5.000", -5);
  ExpectInt64("+5.0", 5);
  ExpectInt64("0.0", 0);
  ExpectInt64("-.0", 0);
  ExpectInt64("1e3", 1000);
  ExpectInt64("1.5E3", 1500);
  ExpectInt64("1500e-2", 15);
  ExpectInt64("1e18", 1'000'000'000'000'000'000);
  ExpectInt64("1e19", kNo);
  ExpectInt64("1e300", kNo);
  ExpectInt64("1e999999999999999999999", kNo);
  ExpectInt64("9007199254740993.0", 9007199254740993);  // not exact in a double
  ExpectInt64("9223372036854775807.0", kMaxInt64);
  ExpectInt64("1.00000000000000000001", kNo);
  ExpectInt64("4503599627370496.4", kNo);
  for (const char* text : {"5.5", "1e-3", ".", "e5", "5e", "5e+", "0x10", "1 2", "1_000", "--5",
                           "+-5", "inf", "nan", "Infinity", "NaN", "5.0.0", "\xD9\xA1"}) {
    ExpectInt64(text, kNo);
  }
}

TEST(ToEdmTest, IntegersFromRealsAreExactOrRefused) {
  const auto int64 = [](double real) { return ToEdm(R(real), EdmType::kInt64, "c"); };
  EXPECT_EQ(int64(9007199254740992.0)->integer, 9007199254740992);
  EXPECT_EQ(int64(-9223372036854775808.0)->integer, kMinInt64);
  EXPECT_EQ(int64(-0.0)->integer, 0);
  EXPECT_FALSE(int64(9223372036854775808.0).ok());
  EXPECT_FALSE(int64(std::nextafter(-9223372036854775808.0, -kInfinity)).ok());
  EXPECT_FALSE(int64(-kInfinity).ok());
  EXPECT_FALSE(int64(std::nan("")).ok());
  EXPECT_FALSE(int64(5.000000001).ok());
}

TEST(ToEdmTest, Int32Edges) {
  for (const int64_t value : {int64_t{2147483647}, int64_t{-2147483648}}) {
    EXPECT_EQ(ToEdm(I(value), EdmType::kInt32, "c")->integer, value);
    EXPECT_EQ(ToEdm(R(static_cast<double>(value)), EdmType::kInt32, "c")->integer, value);
    EXPECT_EQ(ToEdm(T(std::to_string(value)), EdmType::kInt32, "c")->integer, value);
    const int64_t beyond = value < 0 ? value - 1 : value + 1;
    EXPECT_FALSE(ToEdm(I(beyond), EdmType::kInt32, "c").ok());
    EXPECT_FALSE(ToEdm(R(static_cast<double>(beyond)), EdmType::kInt32, "c").ok());
    EXPECT_FALSE(ToEdm(T(std::to_string(beyond)), EdmType::kInt32, "c").ok());
  }
}

TEST(ToEdmTest, DoublesFromIntegersAreExactOrRefused) {
  EXPECT_EQ(ToEdm(I(9007199254740992), EdmType::kDouble, "c")->real, 9007199254740992.0);
  for (const SqlValue& rounded :
       {I(9007199254740993), T("9007199254740993"), T(" -109000002162400001 "),
        I(109000002162400001), T("12345678901234567890123"), T("+109000002162400001"),
        T("+12345678901234567890123"), T("0012345678901234567890123")}) {
    const auto refused = ToEdm(rounded, EdmType::kDouble, "c");
    ASSERT_FALSE(refused.ok());
    EXPECT_TRUE(refused.status().message().ends_with("; it is not exact as Double"))
        << refused.status().message();
  }
  EXPECT_EQ(ToEdm(I(9007199254740994), EdmType::kDouble, "c")->real, 9007199254740994.0);
}

TEST(ToEdmTest, DoublesFromText) {
  const auto real = [](std::string_view text) { return ToEdm(T(text), EdmType::kDouble, "c"); };
  EXPECT_EQ(real("0.1")->real, 0.1);
  EXPECT_EQ(real("+1.5e3")->real, 1500.0);
  EXPECT_EQ(real("9007199254740992")->real, 9007199254740992.0);
  for (const char* text :
       {"100000000000000000000", "+100000000000000000000", "00100000000000000000000"}) {
    EXPECT_EQ(real(text)->real, 1e20) << text;
  }
  EXPECT_EQ(real("-0100000000000000000000")->real, -1e20);
  EXPECT_EQ(real("9007199254740993.5")->real, 9007199254740994.0) << "no integer";
  EXPECT_EQ(real("INF")->real, kInfinity);
  EXPECT_EQ(real(" -INF")->real, -kInfinity);
  EXPECT_EQ(real("-.5")->real, -0.5);
  EXPECT_EQ(real("-Infinity")->real, -kInfinity);
  EXPECT_TRUE(std::isnan(real("NaN")->real));
  EXPECT_EQ(real("1.7976931348623157e308")->real, std::numeric_limits<double>::max());
  for (const char* text : {"1e309", "inf", "nan", "infinity", "-nan", "0x1p3", "1,5", "1.5f", "1e",
                           ".", "-", "+", "+-1", "1 000"}) {
    EXPECT_FALSE(real(text).ok()) << text;
  }
}

TEST(ToEdmTest, DatesBeforeTheServicesFirstAreRefused) {
  EXPECT_EQ(ToEdm(T("1601-01-01"), EdmType::kDateTime, "c")->text, "1601-01-01T00:00:00.0000000Z");
  EXPECT_FALSE(ToEdm(T("1600-12-31T23:59:59.9999999Z"), EdmType::kDateTime, "c").ok());
  EXPECT_EQ(ToEdm(T("9999-12-31T23:59:59.9999999Z"), EdmType::kDateTime, "c")->text,
            "9999-12-31T23:59:59.9999999Z");
  EXPECT_FALSE(ToEdm(T("2026-02-30"), EdmType::kDateTime, "c").ok());
}

TEST(GuidTextTest, Forms) {
  EXPECT_EQ(NormalizeGuid("C9DA6455-213D-42C9-9A79-3E9149A57833"), kGuid);
  EXPECT_EQ(NormalizeGuid("{c9da6455-213d-42c9-9a79-3e9149a57833}"), kGuid);
  for (const char* bad :
       {"", "c9da6455213d42c99a793e9149a57833", "c9da6455-213d-42c9-9a79-3e9149a5783",
        "c9da6455-213d-42c9-9a79-3e9149a578333", "g9da6455-213d-42c9-9a79-3e9149a57833",
        "c9da6455 213d-42c9-9a79-3e9149a57833", "(c9da6455-213d-42c9-9a79-3e9149a57833)",
        "{c9da6455-213d-42c9-9a79-3e9149a57833", "c9da64552-13d-42c9-9a79-3e9149a57833"}) {
    EXPECT_EQ(NormalizeGuid(bad), "") << bad;
  }
}

TEST(ToEdmTest, MessagesNameTheKindOfPlace) {
  EXPECT_EQ(ToEdm(SqlValue::Text("x"), EdmType::kInt32, "A").status().message(),
            "column A: 'x' (TEXT) is not a valid Edm.Int32");
  EXPECT_EQ(ToEdm(SqlValue::Text("x"), EdmType::kInt32, "A", "property").status().message(),
            "property A: 'x' (TEXT) is not a valid Edm.Int32");
}

TEST(KeepTypeTest, NarrowerNumbersThatFit) {
  const auto keep = [](EdmType old, EdmType column, const Value& value) {
    return KeepType(old, column, value);
  };
  constexpr int64_t kMost32 = std::numeric_limits<int32_t>::max();
  constexpr EdmType kInt32 = EdmType::kInt32;
  constexpr EdmType kInt64 = EdmType::kInt64;
  constexpr EdmType kDouble = EdmType::kDouble;
  EXPECT_EQ(keep(kInt32, kInt64, Value::Int64(5)), Value::Int32(5));
  EXPECT_EQ(keep(kInt32, kInt64, Value::Int64(kMost32)), Value::Int32(kMost32));
  EXPECT_EQ(keep(kInt32, kInt64, Value::Int64(-kMost32 - 1)), Value::Int32(-kMost32 - 1));
  EXPECT_EQ(keep(kInt32, kInt64, Value::Int64(kMost32 + 1)), Value::Int64(kMost32 + 1));
  EXPECT_EQ(keep(kInt64, kInt64, Value::Int64(5)), Value::Int64(5));
  EXPECT_EQ(keep(kInt32, kDouble, Value::Double(-3)), Value::Int32(-3));
  EXPECT_EQ(keep(kInt32, kDouble, Value::Double(-0.0)), Value::Int32(0));
  EXPECT_EQ(keep(kInt32, kDouble, Value::Double(5e9)), Value::Double(5e9));
  EXPECT_EQ(keep(kInt64, kDouble, Value::Double(5e9)), Value::Int64(5'000'000'000));
  for (const double real : {5.5, 9223372036854775808.0, 1e300, kInfinity, -kInfinity}) {
    EXPECT_EQ(keep(kInt64, kDouble, Value::Double(real)), Value::Double(real));
    EXPECT_EQ(keep(kInt32, kDouble, Value::Double(real)), Value::Double(real));
  }
  EXPECT_EQ(keep(kInt64, kDouble, Value::Double(std::nan(""))).type, kDouble);
  EXPECT_EQ(keep(kInt64, kDouble, Value::Double(-9223372036854775808.0)),
            Value::Int64(std::numeric_limits<int64_t>::min()));
}

TEST(KeepTypeTest, OtherTypesAreTheColumns) {
  for (const EdmType old :
       {EdmType::kNull, EdmType::kString, EdmType::kBoolean, EdmType::kDouble}) {
    EXPECT_EQ(KeepType(old, EdmType::kInt64, Value::Int64(1)), Value::Int64(1));
    EXPECT_EQ(KeepType(old, EdmType::kDouble, Value::Double(1)), Value::Double(1));
  }
  EXPECT_EQ(KeepType(EdmType::kInt64, EdmType::kInt32, Value::Int32(1)), Value::Int32(1));
  EXPECT_EQ(KeepType(EdmType::kInt32, EdmType::kInt64, Value()), Value());
}

TEST(KeepTypeTest, AnAnyColumnKeepsEveryTypeThatFits) {
  const auto keep = [](EdmType old, const Value& value) {
    return KeepType(old, EdmType::kNull, value);
  };
  EXPECT_EQ(keep(EdmType::kInt32, Value::Int64(6)), Value::Int32(6));
  EXPECT_EQ(keep(EdmType::kInt32, Value::Double(6)), Value::Int32(6));
  EXPECT_EQ(keep(EdmType::kInt32, Value::Double(6.5)), Value::Double(6.5));
  EXPECT_EQ(keep(EdmType::kInt32, Value::Int64(int64_t{1} << 31)), Value::Int64(int64_t{1} << 31));
  EXPECT_EQ(keep(EdmType::kInt64, Value::Double(5e9)), Value::Int64(5'000'000'000));
  EXPECT_EQ(keep(EdmType::kDouble, Value::Int64(6)), Value::Double(6));
  EXPECT_EQ(keep(EdmType::kDouble, Value::Int64((int64_t{1} << 53) + 1)),
            Value::Int64((int64_t{1} << 53) + 1));
  EXPECT_EQ(keep(EdmType::kBoolean, Value::Int64(1)), Value::Boolean(true));
  EXPECT_EQ(keep(EdmType::kBoolean, Value::Double(0)), Value::Boolean(false));
  EXPECT_EQ(keep(EdmType::kBoolean, Value::Int64(2)), Value::Int64(2));
  const std::string guid = "c9da6455-213d-42c9-9a79-3e9149a57833";
  EXPECT_EQ(keep(EdmType::kGuid, Value::String(guid)), Value::Guid(guid));
  EXPECT_EQ(keep(EdmType::kGuid, Value::String("{" + guid + "}")).type, EdmType::kString);
  EXPECT_EQ(keep(EdmType::kGuid, Value::String("C9" + guid.substr(2))).type, EdmType::kString);
  EXPECT_EQ(keep(EdmType::kGuid, Value::String("")).type, EdmType::kString);
  const std::string date = "2026-11-20T10:15:00.0000000Z";
  EXPECT_EQ(keep(EdmType::kDateTime, Value::String(date)), Value::DateTime(date));
  for (const char* other : {"2026-11-20", "2026-11-20T10:15:00Z", "1600-12-31T23:59:59.9999999Z"}) {
    EXPECT_EQ(keep(EdmType::kDateTime, Value::String(other)), Value::String(other));
  }
  for (const EdmType old :
       {EdmType::kString, EdmType::kGuid, EdmType::kDateTime, EdmType::kBinary, EdmType::kNull}) {
    EXPECT_EQ(keep(old, Value::Int64(1)), Value::Int64(1));
    EXPECT_EQ(keep(old, Value::Double(0.5)), Value::Double(0.5));
    EXPECT_EQ(keep(old, Value::Binary("x")), Value::Binary("x"));
  }
  for (const EdmType old : {EdmType::kInt32, EdmType::kDouble, EdmType::kBoolean}) {
    EXPECT_EQ(keep(old, Value::String("5")), Value::String("5"));
    EXPECT_EQ(keep(old, Value()), Value());
  }
}

TEST(IsExactDoubleTest, AroundTheEdges) {
  constexpr int64_t kExact = int64_t{1} << 53;
  for (const int64_t exact : {int64_t{0}, kExact, -kExact, kExact + 2, int64_t{1} << 62,
                              std::numeric_limits<int64_t>::min()}) {
    EXPECT_TRUE(IsExactDouble(exact)) << exact;
  }
  for (const int64_t other : {kExact + 1, -kExact - 1, std::numeric_limits<int64_t>::max(),
                              std::numeric_limits<int64_t>::max() - 1}) {
    EXPECT_FALSE(IsExactDouble(other)) << other;
  }
}

}  // namespace
}  // namespace aztables
