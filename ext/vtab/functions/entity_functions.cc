// aztables_get, aztables_type, aztables_set, aztables_rename: one property of an `_entity` text.
// aztables_size: the size of an entity. aztables_group_entity: an aggregate that builds such a text
// of rows, the inverse of aztables_each. Pure.
#include <memory>
#include <unordered_set>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/limits.h"
#include "model/schema.h"
#include "odata/entity_reader.h"
#include "odata/json_writer.h"
#include "schema/catalog.h"
#include "schema/columns.h"
#include "vtab/functions/functions.h"
#include "vtab/sqlite/guard.h"
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

// The text of an entity that is not NULL, without a copy. A BLOB is an error.
Result<std::string_view> EntityArgument(sqlite3_value* value) {
  if (sqlite3_value_type(value) == SQLITE_BLOB) {
    return EntityTextError("it is a BLOB, not text");
  }
  return TextOf(value);
}

// The type that an argument names; kNull (ANY) if it is NULL.
Result<EdmType> TypeArgument(sqlite3_value* value) {
  if (IsNull(value)) return EdmType::kNull;
  const std::string name = ToText(value);
  const auto type = TypeFromName(name);
  if (!type) {
    return Status(Code::kMismatch, "there is no type " + QuoteArgument(name) +
                                       "; the types are: " + CatalogNames("column type"));
  }
  return *type;
}

// The property `name` with that value and type. OK only if it may be stored as it is.
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
  return Status(Code::kMismatch,
                why + "; it keeps its type unless one is given: aztables_set(entity, '" +
                    std::string(name) + "', value, '" + std::string(ColumnTypeName(any->type)) +
                    "')");
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
    return type.status().Noting("; to replace it give a type, as in aztables_set(entity, '" + name +
                                "', value, 'STRING')");
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

Status RenameIn(sqlite3_context* context, sqlite3_value** values) {
  if (IsNull(values[1])) return {Code::kMismatch, "the name of a property is NULL"};
  if (IsNull(values[2])) return {Code::kMismatch, "the new name of a property is NULL"};
  const std::string new_name = ToText(values[2]);
  AZTABLES_RETURN_IF_ERROR(CheckUserProperty({new_name, Value()}));
  if (IsNull(values[0])) return {};
  const auto given = EntityArgument(values[0]);
  if (!given.ok()) return given.status();
  const auto text = SessionOf(context).entity_reader().Rename(*given, ToText(values[1]), new_name);
  if (text.ok()) ResultText(context, *text);
  return text.status();
}

void Rename(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&] { return InFunction("aztables_rename", RenameIn(context, values)); });
}

void Size(sqlite3_context* context, int, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    if (IsNull(values[0]) || IsNull(values[1]) || IsNull(values[2])) return {};
    const auto text = EntityArgument(values[2]);
    if (!text.ok()) return InFunction("aztables_size", text.status());
    const auto properties = SessionOf(context).entity_reader().All(*text);
    if (!properties.ok()) return InFunction("aztables_size", properties.status());
    size_t size = CountedKeys(ToText(values[0]), ToText(values[1]));
    for (const auto& [name, value] : *properties) {
      size += CountedProperty(name, value.type, value.text);
    }
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(size));
    return {};
  });
}

constexpr char kGroupEntity[] = "aztables_group_entity";

// One group so far.
struct Group {
  std::string text = "{";
  std::unordered_set<std::string> names;
  size_t stored = 0;
};

// SQLite's memory for one group holds a pointer, which is null before the first row.
Group** Place(sqlite3_context* context, bool create) {
  return static_cast<Group**>(
      sqlite3_aggregate_context(context, create ? static_cast<int>(sizeof(void*)) : 0));
}

Status Add(Group& group, int count, sqlite3_value** values) {
  if (IsNull(values[0])) {
    return {Code::kMismatch, "the name of a property is NULL"};
  }
  const auto type = count == 3 ? TypeArgument(values[2]) : Result<EdmType>(EdmType::kNull);
  if (!type.ok()) return type.status();
  const auto property = PropertyOf(ToText(values[0]), values[1], *type);
  if (!property.ok()) return property.status();
  if (!group.names.insert(property->name).second) {
    return {Code::kMismatch, "property " + property->name + " is given twice"};
  }
  if (property->value.type == EdmType::kNull) {
    // Given, but not stored: the name is used and does not count.
    return {};
  }
  if (++group.stored > kMaxProperties) {
    return {Code::kTooBig,
            "property " + property->name +
                " is one too many; an entity may have 252 besides its keys and Timestamp"};
  }
  AppendStoredProperty(group.text, group.text.size() > 1 ? "," : "", property->name,
                       property->value);
  return {};
}

void Step(sqlite3_context* context, int count, sqlite3_value** values) {
  GuardResult(context, [&]() -> Status {
    Group** const place = Place(context, true);
    if (place == nullptr) {
      sqlite3_result_error_nomem(context);
      return {};
    }
    if (*place == nullptr) *place = std::make_unique<Group>().release();
    return InFunction(kGroupEntity, Add(**place, count, values));
  });
}

// SQLite calls this once for every group that had a row, also after an error.
void Finish(sqlite3_context* context) {
  GuardResult(context, [&] {
    Group** const place = Place(context, false);
    const std::unique_ptr<Group> group(place == nullptr ? nullptr : *place);
    ResultText(context, group == nullptr ? "{}" : group->text + '}');
    return Status();
  });
}

constexpr SqlFunction kEntityFunctions[] = {
    {"aztables_get", 2, kPure, Get},
    {"aztables_type", 2, kPure, TypeOf},
    {"aztables_set", 3, kPure, Set},
    {"aztables_set", 4, kPure, Set},
    {"aztables_rename", 3, kPure, Rename},
    {"aztables_size", 3, kPure, Size},
    {kGroupEntity, 2, kPure, nullptr, Step, Finish},
    {kGroupEntity, 3, kPure, nullptr, Step, Finish},
};

}  // namespace

std::span<const SqlFunction> EntityFunctions() { return kEntityFunctions; }

}  // namespace aztables
