// EDM types: see edm.h.
#include "model/edm.h"

#include <algorithm>
#include <array>

namespace aztables {
namespace {

constexpr std::array kNames =
    std::to_array<std::string_view>({"null", "Edm.String", "Edm.Int32", "Edm.Int64", "Edm.Double",
                                     "Edm.Boolean", "Edm.DateTime", "Edm.Guid", "Edm.Binary"});
static_assert(kNames.size() == static_cast<size_t>(EdmType::kLast) + 1);

Value TextValue(EdmType type, std::string_view text) {
  Value value;
  value.type = type;
  value.text = text;
  return value;
}

Value IntegerValue(EdmType type, int64_t integer) {
  Value value;
  value.type = type;
  value.integer = integer;
  return value;
}

}  // namespace

std::string_view EdmName(EdmType type) { return kNames[static_cast<size_t>(type)]; }

std::optional<EdmType> EdmFromName(std::string_view name) {
  for (size_t i = 1; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<EdmType>(i);
  }
  return std::nullopt;
}

Value Value::String(std::string_view text) { return TextValue(EdmType::kString, text); }
Value Value::Int32(int32_t value) { return IntegerValue(EdmType::kInt32, value); }
Value Value::Int64(int64_t value) { return IntegerValue(EdmType::kInt64, value); }
Value Value::Double(double value) {
  Value result;
  result.type = EdmType::kDouble;
  result.real = value;
  return result;
}
Value Value::Boolean(bool value) { return IntegerValue(EdmType::kBoolean, value ? 1 : 0); }
Value Value::DateTime(std::string_view text) { return TextValue(EdmType::kDateTime, text); }
Value Value::Guid(std::string_view text) { return TextValue(EdmType::kGuid, text); }
Value Value::Binary(std::string_view bytes) { return TextValue(EdmType::kBinary, bytes); }

SqlValue SqlValue::Integer(int64_t value) {
  SqlValue result;
  result.type = Type::kInteger;
  result.integer = value;
  return result;
}
SqlValue SqlValue::Real(double value) {
  SqlValue result;
  result.type = Type::kReal;
  result.real = value;
  return result;
}
SqlValue SqlValue::Text(std::string_view value) {
  SqlValue result;
  result.type = Type::kText;
  result.text = value;
  return result;
}
SqlValue SqlValue::Blob(std::string_view value) {
  SqlValue result;
  result.type = Type::kBlob;
  result.text = value;
  return result;
}

void SetProperty(std::vector<Property>& properties, Property property) {
  const auto known = std::find_if(properties.begin(), properties.end(), [&](const Property& other) {
    return other.name == property.name;
  });
  if (known == properties.end()) {
    properties.push_back(std::move(property));
  } else {
    *known = std::move(property);
  }
}

}  // namespace aztables
