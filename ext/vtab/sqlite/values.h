// Conversion of values: from sqlite3_value to SqlValue, from a cell to a result. Text and BLOBs are
// copied to SQLite (SQLITE_TRANSIENT): SQLite keeps static pointers longer than a page lives.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <string_view>

#include "model/edm.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

inline bool IsNull(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }
// The value without a copy. It lives as long as `value`, if `value` is not converted meanwhile.
SqlValue ToSqlValue(sqlite3_value* value);
// The value as text; empty for NULL. TextOf() does not copy it.
std::string_view TextOf(sqlite3_value* value);
std::string ToText(sqlite3_value* value);

// Shows lone surrogates as U+FFFD (base/encoding.h).
void ResultText(sqlite3_context* context, std::string_view text);
void ResultBlob(sqlite3_context* context, std::string_view bytes);
// A value as SQL shows it.
void ResultValue(sqlite3_context* context, const Value& value);
// A cell that is not malformed, as SQL shows it.
void ResultCell(sqlite3_context* context, const Cell& cell);

}  // namespace aztables
