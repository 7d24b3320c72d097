// From SQL to EDM: see convert.h.
#include "model/convert.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/encoding.h"
#include "model/datetime.h"
#include "model/limits.h"

namespace aztables {
namespace {

using Type = SqlValue::Type;

std::string_view SqlTypeName(Type type) {
  constexpr std::string_view kNames[] = {"NULL", "INTEGER", "REAL", "TEXT", "BLOB"};
  return kNames[static_cast<size_t>(type)];
}

// SQLite's text form of a REAL: 15 significant digits, always with a point ("%!.15g").
std::string SqliteRealText(double value) {
  if (std::isinf(value)) return value < 0 ? "-Inf" : "Inf";
  if (value == 0) return "0.0";  // SQLite shows no sign of zero
  char text[40];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 15);
  std::string out(text, end);
  if (out.find_first_of(".e") == std::string::npos) return out + ".0";
  if (const size_t e = out.find('e');
      e != std::string::npos && out.find('.') == std::string::npos) {
    out.insert(e, ".0");
  }
  return out;
}

}  // namespace

std::string ShowSqlValue(const SqlValue& value) {
  switch (value.type) {
    case Type::kNull:
      return "NULL";
    case Type::kInteger:
      return std::to_string(value.integer);
    case Type::kReal:
      return SqliteRealText(value.real);
    case Type::kText:
      return QuoteArgument(value.text);
    case Type::kBlob:
      return ShowBlob(value.text.size());
  }
  return "";
}

namespace {

// The place of the value, for messages: "column", "Rating".
struct Place {
  std::string_view kind;
  std::string_view name;
};

Status Mismatch(const SqlValue& value, EdmType type, const Place& place,
                std::string_view hint = "") {
  std::string message =
      std::string(place.kind) + " " + std::string(place.name) + ": " + ShowSqlValue(value);
  if (value.type != Type::kBlob) message += " (" + std::string(SqlTypeName(value.type)) + ")";
  message += " is not a valid " + std::string(EdmName(type));
  if (!hint.empty()) message += "; " + std::string(hint);
  return {Code::kMismatch, message};
}

// The integer that equals a decimal text such as "12.0" or "1.5e3". It is computed from the digits,
// because a double would round them.
std::optional<int64_t> ExactDecimal(std::string_view text) {
  constexpr int64_t kMaxExponent = 400;
  if (!ParseReal(text)) return std::nullopt;
  const size_t e = text.find_first_of("eE");
  int64_t exponent = 0;
  if (e != std::string_view::npos)
    exponent = ParseInteger(text.substr(e + 1)).value_or(kMaxExponent);
  const std::string_view mantissa = text.substr(0, e);
  const size_t point = mantissa.find('.');
  std::string digits(mantissa.substr(0, point));
  if (point != std::string_view::npos) {
    digits += mantissa.substr(point + 1);
    exponent -= static_cast<int64_t>(mantissa.size() - point - 1);
  }
  if (digits.find_first_of("123456789") == std::string::npos) return 0;
  for (; exponent < 0 && digits.back() == '0'; ++exponent) digits.pop_back();
  if (exponent < 0 || exponent >= kMaxExponent) return std::nullopt;
  digits.append(static_cast<size_t>(exponent), '0');
  return ParseInteger(digits);
}

std::optional<int64_t> IntegerOf(const SqlValue& value) {
  if (value.type == Type::kInteger) return value.integer;
  if (value.type == Type::kReal) return ExactInteger(value.real);
  if (value.type != Type::kText) return std::nullopt;
  const std::string_view text = TrimBlanks(value.text);
  if (const auto integer = ParseInteger(text)) return integer;
  return ExactDecimal(text);
}

// Whether the value is an integer, or a text of digits.
bool IsIntegral(const SqlValue& value) {
  if (value.type != Type::kText) return value.type == Type::kInteger;
  const std::string_view text = TrimBlanks(value.text);
  const size_t first = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return text.size() > first &&
         text.find_first_not_of("0123456789", first) == std::string_view::npos;
}

// An integer without a plus sign and zeros at the begin.
std::string PlainDigits(std::string_view integer) {
  const bool negative = integer.starts_with('-');
  if (negative || integer.starts_with('+')) integer.remove_prefix(1);
  integer.remove_prefix(std::min(integer.find_first_not_of('0'), integer.size()));
  return (negative ? "-" : "") + std::string(integer);
}

std::optional<double> RealOf(const SqlValue& value) {
  if (value.type == Type::kReal) return value.real;
  if (value.type == Type::kText) {
    const std::string_view text = TrimBlanks(value.text);
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity" || text == "INF") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity" || text == "-INF") return -std::numeric_limits<double>::infinity();
    // An integer that would be rounded is refused; '0.1' has no exact Double anyway.
    const auto integer = ParseInteger(text);
    const bool rounded =
        integer ? !IsExactDouble(*integer) : IsIntegral(value) && !IsWholeDouble(PlainDigits(text));
    return rounded ? std::nullopt : ParseReal(text);
  }
  if (value.type != Type::kInteger) return std::nullopt;
  if (!IsExactDouble(value.integer)) return std::nullopt;
  return static_cast<double>(value.integer);
}

Result<Value> ToString(const SqlValue& value, const Place& place) {
  if (value.type == Type::kInteger) return Value::String(std::to_string(value.integer));
  if (value.type == Type::kReal) return Value::String(SqliteRealText(value.real));
  if (value.type != Type::kText) return Mismatch(value, EdmType::kString, place);
  if (IsValidUtf8(value.text)) return Value::String(value.text);
  return Status(Code::kMismatch, std::string(place.kind) + " " + std::string(place.name) + ": " +
                                     ShowSqlValue(value) + " is not valid UTF-8");
}

Result<Value> ToBoolean(const SqlValue& value, const Place& place) {
  if (value.type == Type::kText) {
    const std::string_view text = TrimBlanks(value.text);
    if (EqualsIgnoreCase(text, "true")) return Value::Boolean(true);
    if (EqualsIgnoreCase(text, "false")) return Value::Boolean(false);
  }
  const auto integer = IntegerOf(value);
  if (integer == 0 || integer == 1) return Value::Boolean(*integer == 1);
  return Mismatch(value, EdmType::kBoolean, place, "write 0 or 1");
}

Result<Value> ToDateTime(const SqlValue& value, const Place& place) {
  if (value.type == Type::kText) {
    const auto ticks = ParseDateTime(TrimBlanks(value.text));
    if (ticks && *ticks >= kMinServiceTicks) return Value::DateTime(FormatDateTime(*ticks));
  }
  return Mismatch(value, EdmType::kDateTime, place,
                  "write an ISO 8601 date from 1601 to 9999, such as '2026-11-02T10:00:00Z'");
}

Result<Value> ToGuid(const SqlValue& value, const Place& place) {
  if (value.type == Type::kText) {
    std::string guid = NormalizeGuid(TrimBlanks(value.text));
    if (!guid.empty()) return Value::Guid(guid);
  }
  return Mismatch(value, EdmType::kGuid, place,
                  "write it as 'c9da6455-213d-42c9-9a79-3e9149a57833'");
}

Result<Value> ToBinary(const SqlValue& value, const Place& place) {
  if (value.type == Type::kBlob) return Value::Binary(value.text);
  return Mismatch(value, EdmType::kBinary, place, "write a BLOB, such as x'0A1F'");
}

Result<Value> ToAny(const SqlValue& value, const Place& place) {
  switch (value.type) {
    case Type::kInteger:
      return Value::Int64(value.integer);
    case Type::kReal:
      return Value::Double(value.real);
    case Type::kText:
      return ToString(value, place);
    case Type::kBlob:
      return Value::Binary(value.text);
    case Type::kNull:
      break;
  }
  return Value();
}

// Why a number other than zero is not a Double: true if it is too small, false if it is too large.
bool IsTiny(std::string_view number) {
  if (number[0] == '-') number.remove_prefix(1);
  const size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, exponent_at);
  std::string_view exponent = number.substr(exponent_at);
  if (!exponent.empty()) exponent.remove_prefix(1);
  const bool down = exponent.starts_with('-');
  if (down || exponent.starts_with('+')) exponent.remove_prefix(1);
  const size_t first = digits.find_first_of("123456789");
  const size_t point = std::min(digits.find('.'), digits.size());
  // The power of ten of its first nonzero digit.
  const auto power = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  const auto shift = exponent.empty() ? 0 : ParseInteger(exponent);
  if (!shift) return down;  // beyond 64 bits: no text has that many digits
  return power < (down ? *shift : -*shift);
}

}  // namespace

std::optional<double> ParseReal(std::string_view text) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) return std::nullopt;
  }
  // from_chars also reads "inf" and "nan". So a number must begin with a digit, a point or a minus.
  const std::string_view digits = !text.empty() && text[0] == '-' ? text.substr(1) : text;
  if (digits.empty() || !((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.')) {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> ExactInteger(double real) {
  if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0)) return std::nullopt;
  const auto integer = static_cast<int64_t>(real);
  if (static_cast<double>(integer) != real) return std::nullopt;
  return integer;
}

bool IsInt32(int64_t integer) {
  return integer >= std::numeric_limits<int32_t>::min() &&
         integer <= std::numeric_limits<int32_t>::max();
}

bool IsExactDouble(int64_t integer) {
  return ExactInteger(static_cast<double>(integer)) == integer;
}

bool IsWholeDouble(std::string_view integer) {
  const auto real = ParseDouble(integer);
  if (!real || !std::isfinite(*real)) return false;
  char text[400];
  const auto shown = [&](auto... format) -> std::string_view {
    return {text, std::to_chars(text, text + sizeof text, *real, format...).ptr};
  };
  if (shown(std::chars_format::fixed, 0) == integer) return true;
  std::string_view rest = shown(std::chars_format::scientific);  // -1.25e+20
  const size_t e = rest.find('e');
  std::string digits(rest.substr(0, e));
  const auto exponent = ParseInteger(rest.substr(e + 1));
  const size_t point = digits.find('.');
  const size_t after = point == std::string::npos ? 0 : digits.size() - point - 1;
  if (point != std::string::npos) digits.erase(point, 1);
  if (!exponent || *exponent < static_cast<int64_t>(after)) return false;
  digits.append(static_cast<size_t>(*exponent) - after, '0');
  return digits == integer;
}

Value KeepType(EdmType old, EdmType column, Value value) {
  const bool narrower =
      (column == EdmType::kInt64 && old == EdmType::kInt32) ||
      (column == EdmType::kDouble && (old == EdmType::kInt32 || old == EdmType::kInt64));
  if (old == value.type || (!narrower && column != EdmType::kNull)) return value;
  if (value.type == EdmType::kString) {
    if (old == EdmType::kGuid && value.text.size() == kGuidSize &&
        NormalizeGuid(value.text) == value.text) {
      return Value::Guid(value.text);
    }
    const bool date = old == EdmType::kDateTime && IsCanonicalDateTime(value.text) &&
                      *ParseDateTime(value.text) >= kMinServiceTicks;
    return date ? Value::DateTime(value.text) : value;
  }
  std::optional<int64_t> integer;
  if (value.type == EdmType::kInt64) integer = value.integer;
  if (value.type == EdmType::kDouble) integer = ExactInteger(value.real);
  if (!integer) return value;
  if (old == EdmType::kInt32 && IsInt32(*integer)) {
    return Value::Int32(static_cast<int32_t>(*integer));
  }
  if (old == EdmType::kInt64) return Value::Int64(*integer);
  if (old == EdmType::kBoolean && (*integer == 0 || *integer == 1)) {
    return Value::Boolean(*integer == 1);
  }
  const bool exact = old == EdmType::kDouble && IsExactDouble(*integer);
  return exact ? Value::Double(static_cast<double>(*integer)) : value;
}

std::optional<double> ParseDouble(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || text.empty()) return std::nullopt;
  if (error == std::errc()) return value;
  if (error != std::errc::result_out_of_range || !IsTiny(text)) return std::nullopt;
  return text[0] == '-' ? -0.0 : 0.0;
}

std::string FormatDouble(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  std::string out(text, end);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string NormalizeGuid(std::string_view text) {
  if (text.size() == kGuidSize + 2 && text.front() == '{' && text.back() == '}') {
    text = text.substr(1, kGuidSize);
  }
  if (text.size() != kGuidSize) return {};
  std::string guid = ToLowerAscii(text);
  for (size_t i = 0; i < guid.size(); ++i) {
    const char c = guid[i];
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (dash ? c != '-' : !hex) return {};
  }
  return guid;
}

Result<Value> ToEdm(const SqlValue& value, EdmType type, std::string_view name,
                    std::string_view kind) {
  const Place place{kind, name};
  if (value.type == Type::kNull) return Value();
  const bool any_text = type == EdmType::kNull || type == EdmType::kString;
  if (!any_text && value.type == Type::kText && value.text.empty()) return Value();
  switch (type) {
    case EdmType::kString:
      return ToString(value, place);
    case EdmType::kInt32: {
      const auto integer = IntegerOf(value);
      if (!integer || !IsInt32(*integer)) return Mismatch(value, type, place);
      return Value::Int32(static_cast<int32_t>(*integer));
    }
    case EdmType::kInt64: {
      const auto integer = IntegerOf(value);
      if (!integer) return Mismatch(value, type, place);
      return Value::Int64(*integer);
    }
    case EdmType::kDouble: {
      const auto real = RealOf(value);
      if (!real)
        return Mismatch(value, type, place, IsIntegral(value) ? "it is not exact as Double" : "");
      return Value::Double(*real);
    }
    case EdmType::kBoolean:
      return ToBoolean(value, place);
    case EdmType::kDateTime:
      return ToDateTime(value, place);
    case EdmType::kGuid:
      return ToGuid(value, place);
    case EdmType::kBinary:
      return ToBinary(value, place);
    case EdmType::kNull:
      break;
  }
  return ToAny(value, place);
}

// JavaScript has one type of numbers, and its drivers bind it as REAL.
std::string RealKeyMessage(double value, std::string_view column) {
  return std::string(column) + " is text, and " + SqliteRealText(value) +
         " is a REAL; use text or an integer (JavaScript binds 5 as REAL: pass String(5) or 5n)";
}

Result<std::string> ToKey(const SqlValue& value, std::string_view column) {
  switch (value.type) {
    case Type::kText:
      return std::string(value.text);
    case Type::kInteger:
      return std::to_string(value.integer);
    case Type::kReal:
      return Status(Code::kMismatch, RealKeyMessage(value.real, column));
    case Type::kBlob:
      return Mismatch(value, EdmType::kString, {"column", column});
    case Type::kNull:
      break;
  }
  return Status(Code::kNotNull,
                std::string(column) + " must not be NULL (an empty key '' is legal)");
}

}  // namespace aztables
