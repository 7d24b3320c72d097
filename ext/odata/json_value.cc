// JSON scalars: see json_value.h.
#include "odata/json_value.h"

#include <limits>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/datetime.h"

namespace aztables {
namespace {

using ScalarKind = JsonScalar::Kind;

std::optional<int64_t> IntegerOf(const JsonScalar& scalar) {
  const bool may_be = scalar.kind == ScalarKind::kNumber || scalar.kind == ScalarKind::kString;
  return may_be ? ParseInteger(scalar.text) : std::nullopt;
}

std::optional<double> DoubleOf(const JsonScalar& scalar) {
  if (scalar.kind != ScalarKind::kNumber && scalar.kind != ScalarKind::kString) return std::nullopt;
  if (scalar.text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (scalar.text == "Infinity") return std::numeric_limits<double>::infinity();
  if (scalar.text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return ParseDouble(scalar.text);
}

std::optional<Value> DecodeText(std::string_view text, EdmType type) {
  if (type == EdmType::kString) return Value::String(text);
  if (type == EdmType::kDateTime) {
    if (IsCanonicalDateTime(text)) return Value::DateTime(text);
    const auto ticks = ParseDateTime(text);
    return ticks ? std::optional(Value::DateTime(FormatDateTime(*ticks))) : std::nullopt;
  }
  if (type == EdmType::kGuid) {
    const std::string guid = NormalizeGuid(text);
    return guid.empty() ? std::nullopt : std::optional(Value::Guid(guid));
  }
  std::string bytes;
  if (!Base64Decode(text, bytes)) return std::nullopt;
  return Value::Binary(bytes);
}

}  // namespace

EdmType TypeOfScalar(const JsonScalar& scalar, std::optional<EdmType> annotated) {
  if (scalar.kind == ScalarKind::kNull) return EdmType::kNull;
  if (annotated) return *annotated;
  if (scalar.kind == ScalarKind::kString) return EdmType::kString;
  if (scalar.kind == ScalarKind::kBoolean) return EdmType::kBoolean;
  const auto integer = IntegerOf(scalar);
  return integer && IsInt32(*integer) ? EdmType::kInt32 : EdmType::kDouble;
}

bool LooksLikeInteger(const JsonScalar& scalar) {
  constexpr size_t kInt32Digits = 10;
  return scalar.kind == ScalarKind::kNumber && scalar.text.size() >= kInt32Digits &&
         scalar.text.find_first_of(".eE") == std::string_view::npos &&
         TypeOfScalar(scalar, std::nullopt) == EdmType::kDouble;
}

std::optional<Value> DecodeScalar(const JsonScalar& scalar, EdmType type) {
  switch (type) {
    case EdmType::kNull:
      return Value();
    case EdmType::kInt32:
    case EdmType::kInt64: {
      const auto integer = IntegerOf(scalar);
      if (!integer) return std::nullopt;
      if (type == EdmType::kInt64) return Value::Int64(*integer);
      if (!IsInt32(*integer)) return std::nullopt;
      return Value::Int32(static_cast<int32_t>(*integer));
    }
    case EdmType::kDouble: {
      const auto real = DoubleOf(scalar);
      if (!real) return std::nullopt;
      return Value::Double(*real);
    }
    case EdmType::kBoolean:
      if (scalar.kind != ScalarKind::kBoolean && scalar.kind != ScalarKind::kString)
        return std::nullopt;
      if (EqualsIgnoreCase(scalar.text, "true")) return Value::Boolean(true);
      if (EqualsIgnoreCase(scalar.text, "false")) return Value::Boolean(false);
      return std::nullopt;
    default:
      if (scalar.kind != ScalarKind::kString) return std::nullopt;
      return DecodeText(scalar.text, type);
  }
}

}  // namespace aztables
