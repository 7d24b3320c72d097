// Converts the arguments of the functions over `_entity`: the entity's text, and a typed value.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string_view>

#include "base/status.h"
#include "model/edm.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

// The text of an entity that is not NULL, without a copy. A BLOB is an error.
Result<std::string_view> EntityArgument(sqlite3_value* value);

// The type that an argument names; kNull (ANY) if it is NULL.
Result<EdmType> TypeArgument(sqlite3_value* value);

// The property `name` with that value and type. OK only if it may be stored as it is.
Result<Property> PropertyOf(std::string_view name, sqlite3_value* value, EdmType type);

}  // namespace aztables
