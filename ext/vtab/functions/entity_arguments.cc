// Arguments of the functions over `_entity`: see entity_arguments.h.
#include "vtab/functions/entity_arguments.h"

#include "base/encoding.h"
#include "model/convert.h"
#include "model/limits.h"
#include "odata/entity_reader.h"
#include "schema/catalog.h"
#include "schema/columns.h"
#include "vtab/sqlite/values.h"

namespace aztables {
namespace {

// The String with half of a surrogate pair that aztables_each shows as this BLOB.
std::optional<std::string> LoneSurrogateText(sqlite3_value* value) {
  if (sqlite3_value_type(value) != SQLITE_BLOB) return std::nullopt;
  std::string text(static_cast<const char*>(sqlite3_value_blob(value)),
                   static_cast<size_t>(sqlite3_value_bytes(value)));
  const bool is_text = HasLoneSurrogate(text) && IsValidUtf8(WithoutLoneSurrogates(text));
  return is_text ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace

Result<std::string_view> EntityArgument(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_BLOB) {
    return EntityTextError("it is a BLOB, not text");
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  const auto size = static_cast<size_t>(sqlite3_value_bytes(value));
  return text == nullptr ? std::string_view() : std::string_view(text, size);
}

Result<EdmType> TypeArgument(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return EdmType::kNull;
  const std::string name = ToText(value);
  const auto type = TypeFromName(name);
  if (!type) {
    return Status(Code::kMismatch, "there is no type " + QuoteArgument(name) +
                                       "; the types are: " + CatalogNames("column type"));
  }
  return *type;
}

Result<Property> PropertyOf(std::string_view name, sqlite3_value* value, EdmType type) {
  Property property{std::string(name), Value()};
  AZTABLES_RETURN_IF_ERROR(CheckUserProperty(property));
  auto text = type == EdmType::kString ? LoneSurrogateText(value) : std::nullopt;
  if (text) {
    property.value.type = type;
    property.value.text = std::move(*text);
    AZTABLES_RETURN_IF_ERROR(CheckUserProperty(property));
    return property;
  }
  auto converted = ToEdm(ToSqlValue(value), type, name, "property");
  if (!converted.ok()) return converted.status();
  property.value = std::move(*converted);
  AZTABLES_RETURN_IF_ERROR(CheckUserProperty(property));
  return property;
}

}  // namespace aztables
