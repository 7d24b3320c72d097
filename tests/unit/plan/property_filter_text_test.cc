// The filter texts of properties: each column type, each operator, and conditions that are not
// sent.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "model/schema.h"
#include "plan/property_filter.h"

namespace aztables {
namespace {

constexpr auto kEq = ConditionOp::kEq;
constexpr auto kLt = ConditionOp::kLt;
constexpr auto kLe = ConditionOp::kLe;
constexpr auto kGt = ConditionOp::kGt;
constexpr auto kGe = ConditionOp::kGe;
constexpr auto kIs = ConditionOp::kIs;
constexpr auto kLike = ConditionOp::kLike;
constexpr char kNothing[] = "-";
constexpr char kNever[] = "never";  // true for no entity

SqlValue Text(std::string_view text) { return SqlValue::Text(text); }
SqlValue Int(int64_t value) { return SqlValue::Integer(value); }
SqlValue Real(double value) { return SqlValue::Real(value); }
SqlValue Blob(std::string_view bytes) { return SqlValue::Blob(bytes); }
SqlValue Parameter(std::string_view text) {
  SqlValue value = Text(text);
  value.as_text = true;
  return value;
}

SqlValue AsNumber(SqlValue value) {
  value.as_number = true;
  return value;
}

struct Case {
  EdmType type;
  ConditionOp op;
  SqlValue value;
  std::string filter;
  bool computed = false;
};

void ExpectFilters(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const auto filter = PropertyFilter("P", c.type, c.op, c.value, c.computed);
    EXPECT_EQ(!filter           ? kNothing
              : filter->empty() ? kNever
                                : FilterText({}, {*filter}),
              c.filter)
        << ColumnTypeName(c.type) << " " << ConditionOpName(c.op);
  }
}

TEST(PropertyFilterTextTest, Strings) {
  constexpr EdmType kType = EdmType::kString;
  ExpectFilters({
      {kType, kEq, Text("O'Brien"), "P eq 'O''Brien'"},
      {kType, kIs, Text("a"), "P eq 'a'"},
      {kType, kEq, Text(""), "P eq ''"},
      {kType, kLt, Text("b"), "P lt 'b'"},
      {kType, kLe, Text("b"), "P le 'b'"},
      {kType, kGt, Text("b"), "P gt 'b'"},
      {kType, kGe, Text("b"), "P ge 'b'"},
      {kType, kGt, Text(""), "P gt ''"},
      {kType, kGe, Text(""), "P ge ''"},  // every text, but no entity without one
      // Bounds on which the orders differ, and characters that no request can contain.
      {kType, kGt, Text("a\xEE\x80\x80"), "P ge 'a'"},
      {kType, kLe, Text("a\xEE\x80\x80"), "P lt 'b'"},
      {kType, kLt, Text("\xEE\x80\x80"), kNothing},
      {kType, kEq, Text("a\xEE\x80\x80"), "P eq 'a\xEE\x80\x80'"},
      {kType, kEq, Text("a\tb"), "P ge 'a' and P lt 'b'"},
      // U+FFFD represents lone surrogates, which no request can contain.
      {kType, kEq, Text("a\xEF\xBF\xBD"), "P ge 'a' and P lt 'b'"},
      {kType, kIs, Text("a\xEF\xBF\xBDz"), "P ge 'a' and P lt 'b'"},
      {kType, kEq, Text("\xEF\xBF\xBD"), kNothing},
      {kType, kEq, Text("a\xEF\xBF\xBC"), "P eq 'a\xEF\xBF\xBC'"},
      {kType, kGe, Text("a\xEF\xBF\xBD"), "P ge 'a'"},
      {kType, kEq, Text("a\xF0\x9F\x98\x80"), "P eq 'a\xF0\x9F\x98\x80'"},
      {kType, kLt, Text("a\xF0\x9F\x98\x80"), "P lt 'b'"},
      {kType, kEq, Text("a\xFF"), "P ge 'a' and P lt 'b'"},
      {kType, kEq, Text("\t"), kNothing},
      {kType, kLike, Text("sh"), "((P ge 'SH' and P lt 'Si') or (P ge 'sH' and P lt 'si'))"},
      {kType, kLike, Text("a%_"), "((P ge 'A%_' and P lt 'A%`') or (P ge 'a%_' and P lt 'a%`'))"},
      {kType, kLike, Text("\xED\x9F\xBF"), "P ge '\xED\x9F\xBF'"},
      {kType, kLike, Text("S\xEE\x80\x80"), "((P ge 'S' and P lt 'T') or (P ge 's' and P lt 't'))"},
      {kType, kLike, Text("\xEE\x80\x80"), kNothing},
      {kType, kLike, Text(""), kNothing},
      // An expression that is not a literal may convert texts to numbers.
      {kType, kLt, Text("2024-01"), "P lt ':'", true},
      {kType, kLe, Text("2024"), "P le '2024'", true},
      {kType, kLt, Text("b"), "P lt 'b'", true},
      {kType, kGt, Text("2024-01"), "P gt '2024-01'", true},
      {kType, kLt, Parameter("2024-01"), "P lt '2024-01'", true},
      {kType, kEq, Parameter("5"), "P eq '5'"},
      {kType, kEq, Int(5), kNothing},
      {kType, kLt, Real(5.5), kNothing},
      {kType, kEq, Blob("a"), kNever},
      {kType, kLt, Blob("a"), kNothing},
      {kType, kEq, SqlValue::Null(), kNever},
      {kType, kIs, SqlValue::Null(), kNothing},
  });
}

TEST(PropertyFilterTextTest, Integers) {
  constexpr EdmType kType = EdmType::kInt32;
  constexpr EdmType kLong = EdmType::kInt64;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  ExpectFilters({
      {kType, kEq, Int(5), "P eq 5"},
      {kType, kIs, Int(-5), "P eq -5"},
      {kType, kLt, Int(5), "P lt 5"},
      {kType, kGe, Text(" 5 "), "P ge 5"},
      {kType, kLe, Text("5.0"), "P le 5"},
      {kType, kLt, Real(5.5), "P le 5"},
      {kType, kLe, Real(-5.5), "P le -6"},
      {kType, kGt, Real(5.5), "P gt 5"},
      {kType, kGe, Real(5.0), "P ge 5"},
      {kType, kEq, Real(5.5), kNever},
      {kType, kEq, Int(int64_t{1} << 31), kNever},
      {kType, kLt, Int(int64_t{1} << 31), "(P lt 0 or P ge 0)"},
      {kType, kGt, Int(int64_t{1} << 31), kNever},
      {kType, kGt, Real(-1e300), "(P lt 0 or P ge 0)"},
      {kType, kLt, Real(-1e300), kNever},
      {kType, kEq, Text("x"), kNever},
      {kType, kLt, Text("x"), kNothing},
      {kType, kEq, Text("0x5"), kNothing},
      {kType, kEq, Blob("5"), kNever},
      {kType, kGe, Blob("5"), kNever},
      {kType, kLe, Blob("5"), kNothing},
      {kType, kGt, Text("x"), kNever},
      {kType, kEq, Text(""), kNever},
      {kType, kEq, Text("\n5"), "P eq 5"},
      {kType, kLt, SqlValue::Null(), kNever},
      {kType, kLike, Text("5"), kNothing},
      {kLong, kEq, Int(5), "(P eq 5 or P eq 5L)"},
      {kLong, kGe, Real(5.5), "(P gt 5 or P gt 5L)"},
      {kLong, kEq, Int(int64_t{1} << 31), "P eq 2147483648L"},
      {kLong, kLe, Int(int64_t{1} << 31), "(P lt 0 or P ge 0 or P le 2147483648L)"},
      {kLong, kGt, Int(kMost), "P gt 9223372036854775807L"},
      {kLong, kLt, Real(1e19), "(P lt 0 or P ge 0 or P lt 0L or P ge 0L)"},
      {kLong, kEq, Real(1e19), kNever},
      {kLong, kGe, Int(-kMost - 1), kNothing},
  });
}

TEST(PropertyFilterTextTest, DoublesAndBooleans) {
  constexpr EdmType kType = EdmType::kDouble;
  constexpr EdmType kBool = EdmType::kBoolean;
  ExpectFilters({
      // One unit of the 15th digit around it, and the integers that a DOUBLE column shows.
      {kType, kEq, Real(4.5), "P ge 4.49999999999999 and P le 4.50000000000001"},
      {kType, kEq, Int(5),
       "(P eq 5 or P eq 5L or (P ge 4.99999999999999 and P le 5.00000000000001))"},
      {kType, kLt, Real(4.5), "(P le 4 or P le 4L or P lt 4.50000000000001)"},
      {kType, kGe, Real(4.5), "(P gt 4 or P gt 4L or P ge 4.49999999999999)"},
      {kType, kEq, Real(-0.0), "(P eq 0 or P eq 0L or P eq 0.0)"},
      {kType, kGt, Text("1e3"), "(P gt 1000 or P gt 1000L or P gt 999.99999999999)"},
      {kType, kLt, Real(std::numeric_limits<double>::max()), kNothing},
      {kType, kLt, Real(std::numeric_limits<double>::infinity()), kNothing},
      {kType, kEq, Text("inf"), kNever},
      {kBool, kEq, Int(1), "P eq true"},
      {kBool, kIs, Real(0.0), "P eq false"},
      {kBool, kEq, Text("1"), "P eq true"},
      {kBool, kEq, Int(2), kNever},
      {kBool, kEq, Text("true"), kNever},
      {kBool, kLt, Int(1), kNothing},
      {kBool, kGe, Int(0), kNothing},
  });
}

TEST(PropertyFilterTextTest, DatesGuidsAndBytes) {
  constexpr EdmType kType = EdmType::kDateTime;
  constexpr char kGuid[] = "a455c695-df98-5678-aaaa-81d3367e5a34";
  const std::string last = "9999-12-31T23:59:59.9999999Z";
  ExpectFilters({
      {kType, kEq, Text("2024-05-01T10:20:30.1234567Z"),
       "P eq datetime'2024-05-01T10:20:30.1234567Z'"},
      {kType, kEq, Text("2024-05-01"), kNever},
      {kType, kGe, Text("2024-05-01"), "P ge datetime'2024-05-01T00:00:00.0000000Z'"},
      {kType, kLt, Text("2024-05"), "P lt datetime'2024-05-01T00:00:00.0000000Z'"},
      {kType, kLe, Text("2024-05"), "P lt datetime'2024-05-01T00:00:00.0000000Z'"},
      {kType, kGt, Text("2024"), "P ge datetime'2024-01-01T00:00:00.0000000Z'"},
      {kType, kLt, Text("2024-05-01 10"), "P lt datetime'2024-05-02T00:00:00.0000000Z'"},
      // By the millisecond.
      {kType, kGe, Text("2024-05-01T10:20:30.1234567Z"),
       "P ge datetime'2024-05-01T10:20:30.1230000Z'"},
      {kType, kLe, Text("2024-05-01T10:20:30.1234567Z"),
       "P lt datetime'2024-05-01T10:20:30.1240000Z'"},
      {kType, kLike, Text("2024-05"),
       "P ge datetime'2024-05-01T00:00:00.0000000Z' and P lt "
       "datetime'2024-06-01T00:00:00.0000000Z'"},
      {kType, kLike, Text("2024-02-29t1"),
       "P ge datetime'2024-02-29T00:00:00.0000000Z' and P lt "
       "datetime'2024-03-01T00:00:00.0000000Z'"},
      {kType, kLike, Text("x01"), kNothing},
      {kType, kGt, Text("x"), kNothing},
      {kType, kGt, Text("0000"), kNothing},
      {kType, kGt, Text("1601"), kNothing},  // all of them
      {kType, kLe, Text(last), kNothing},
      {kType, kEq, Text(last), "P eq datetime'" + last + "'"},
      {kType, kEq, Text("1600-12-31T23:59:59.9999999Z"), kNothing},
      {kType, kEq, Int(2024), kNothing},
      {kType, kLt, Int(2024), kNothing},
      {EdmType::kGuid, kEq, Text(kGuid), std::string("P eq guid'") + kGuid + "'"},
      {EdmType::kGuid, kEq, Text("A455C695-DF98-5678-AAAA-81D3367E5A34"), kNever},
      {EdmType::kGuid, kGt, Text(kGuid), kNothing},
      {EdmType::kGuid, kLike, Text("a4"), kNothing},
      {EdmType::kBinary, kEq, Blob("\x0A\x1F"), "P eq X'0A1F'"},
      {EdmType::kBinary, kIs, Blob("a"), "P eq X'61'"},
      {EdmType::kBinary, kEq, Blob(""), kNothing},
      {EdmType::kBinary, kEq, Text("a"), kNothing},
      {EdmType::kBinary, kLt, Blob("a"), kNothing},
      {EdmType::kBinary, kGe, Blob("a"), kNothing},
      {EdmType::kBinary, kEq, Blob(std::string(800, 'b')), kNothing},
  });
}

TEST(PropertyFilterTextTest, AnyType) {
  constexpr EdmType kType = EdmType::kNull;
  constexpr char kGuid[] = "a455c695-df98-5678-aaaa-81d3367e5a34";
  ExpectFilters({
      {kType, kEq, Text("a"), "P eq 'a'"},
      {kType, kEq, Text(kGuid), std::string("(P eq '") + kGuid + "' or P eq guid'" + kGuid + "')"},
      {kType, kEq, Text("2024-05-01T00:00:00.0000000Z"),
       "(P eq '2024-05-01T00:00:00.0000000Z' or P eq datetime'2024-05-01T00:00:00.0000000Z')"},
      {kType, kEq, Blob("a"), "P eq X'61'"},
      {kType, kEq, Int(5), kNothing},  // with an affinity the text '5' equals it, too
      {kType, kLt, Int(5), kNothing},
      {kType, kEq, AsNumber(Int(5)),
       "(P eq 5 or P eq 5L or (P ge 4.99999999999999 and P le 5.00000000000001))"},
      {kType, kEq, AsNumber(Int(0)), "(P eq 0 or P eq 0L or P eq 0.0 or P eq false)"},
      {kType, kEq, AsNumber(SqlValue::Real(0.5)),
       "P ge 0.499999999999999 and P le 0.500000000000001"},
      {kType, kLt, AsNumber(Int(1)), "(P lt 1 or P lt 1L or P lt 1.00000000000001 or P eq false)"},
      {kType, kLe, AsNumber(Int(1)),
       "(P le 1 or P le 1L or P le 1.00000000000001 or P eq false or P eq true)"},
      {kType, kGt, AsNumber(Int(1)), kNothing},  // texts and BLOBs are greater
      {kType, kLt, Text("a"), kNothing},
      {kType, kLt, Blob("a"), kNothing},
      {kType, kGt, Text("a"), kNothing},
      {kType, kLike, Text("a"), kNothing},
      {kType, kEq, SqlValue::Null(), kNever},
  });
}

}  // namespace
}  // namespace aztables
