// aztables_get, aztables_type, aztables_set: one property of an `_entity` text. Pure.
#include "model/convert.h"
#include "model/limits.h"
#include "model/schema.h"
#include "vtab/functions/entity_arguments.h"
#include "vtab/functions/functions.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/values.h"

namespace aztables {

namespace {

bool IsNull(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

void Get(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    if (IsNull(values[0]) || IsNull(values[1])) return {};
    const auto text = EntityArgument(values[0]);
    if (!text.ok()) return InFunction("aztables_get", text.status());
    const auto value = SessionOf(context).entity_reader().Get(*text, ToText(values[1]));
    if (value.ok()) ResultValue(context, *value);
    return InFunction("aztables_get", value.status());
  });
}

void TypeOf(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    if (IsNull(values[0]) || IsNull(values[1])) return {};
    const auto text = EntityArgument(values[0]);
    if (!text.ok()) return InFunction("aztables_type", text.status());
    const auto type = SessionOf(context).entity_reader().TypeOf(*text, ToText(values[1]));
    if (!type.ok()) return InFunction("aztables_type", type.status());
    if (*type != EdmType::kNull) ResultText(context, ColumnTypeName(*type));
    return {};
  });
}

// The property with the type `type`, which it has in the text and keeps. ANY: it is new.
Result<Property> WithTypeKept(std::string_view name, sqlite3_value* value, EdmType type) {
  auto property = PropertyOf(name, value, type);
  const SqlValue given = ToSqlValue(value);
  const bool lost = property.ok() && property->value.type == EdmType::kNull &&
                    given.type != SqlValue::Type::kNull;  // '' is not valid for this type
  if (property.ok() && !lost) return property;
  const bool misfit = lost || property.status().code() == Code::kMismatch;
  if (type == EdmType::kNull || !misfit || given.type == SqlValue::Type::kNull) return property;
  const std::string why = lost ? "property " + std::string(name) + ": '' (TEXT) is not a valid " +
                                     std::string(EdmName(type))
                               : std::string(property.status().message());
  const auto any = ToEdm(given, EdmType::kNull, name);
  return Status(Code::kMismatch, why +
                                     "; it keeps its type unless one is given: aztables_set("
                                     "entity, '" +
                                     std::string(name) + "', value, '" +
                                     std::string(ColumnTypeName(any->type)) + "')");
}

Result<std::string> SetProperty(EntityReader& reader, int count, sqlite3_value** values) {
  if (IsNull(values[1])) return Status(Code::kMismatch, "the name of a property is NULL");
  const std::string name = ToText(values[1]);
  AZTABLES_RETURN_IF_ERROR(CheckUserProperty({name, Value()}));
  std::string_view text = "{}";
  if (!IsNull(values[0])) {
    const auto given = EntityArgument(values[0]);
    if (!given.ok()) return given.status();
    text = *given;
  }
  if (count == 4 && !IsNull(values[3])) {
    const auto type = TypeArgument(values[3]);
    if (!type.ok()) return type.status();
    const auto property = PropertyOf(name, values[2], *type);
    if (!property.ok()) return property.status();
    return reader.Set(text, *property);
  }
  if (IsNull(values[2])) return reader.Set(text, {name, Value()});
  const auto type = reader.TypeOf(text, name);
  if (!type.ok()) {
    // If only the property is invalid, another can replace it.
    if (!reader.Set(text, {name, Value()}).ok()) return type.status();
    return type.status().WithMessage(std::string(type.status().message()) +
                                     "; to replace it give a type, as in aztables_set(entity, '" +
                                     name + "', value, 'STRING')");
  }
  const auto property = WithTypeKept(name, values[2], *type);
  if (!property.ok()) return property.status();
  return reader.Set(text, *property);
}

void Set(sqlite3_context* context, int count, sqlite3_value** values) {
  GuardResult(context, [&] {
    const auto text = SetProperty(SessionOf(context).entity_reader(), count, values);
    if (text.ok()) ResultText(context, *text);
    return InFunction("aztables_set", text.status());
  });
}

constexpr SqlFunction kFunctions[] = {
    {"aztables_get", 2, kPure, Get},
    {"aztables_type", 2, kPure, TypeOf},
    {"aztables_set", 3, kPure, Set},
    {"aztables_set", 4, kPure, Set},
};

}  // namespace

std::span<const SqlFunction> EntityFunctions() { return kFunctions; }

}  // namespace aztables
