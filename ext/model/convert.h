// From SQL to EDM: which value a column's type makes of what an INSERT gave. A conversion is done
// only where it is exact; everything else is an error that names column and value, never a rounded
// value.
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "model/edm.h"

namespace aztables {

// The EDM value of `value` in the column `name` of type `type`; kNull as `type` stands for ANY,
// where INTEGER is Int64, REAL Double, TEXT String and BLOB Binary. SQL NULL gives kNull, and so
// does empty text in a column that is not a String (which .import sends for an empty field).
// Messages name the place as "<kind> <name>".
Result<Value> ToEdm(const SqlValue& value, EdmType type, std::string_view name,
                    std::string_view kind = "column");

// The integer that `real` is exactly, if any.
std::optional<int64_t> ExactInteger(double real);
// Whether a Double can hold the integer exactly.
bool IsExactDouble(int64_t integer);

// `value`, which a column of type `column` makes of what an UPDATE gave, in the type of `old`, the
// value that it replaces. A column shows narrower numbers than its own type, and an UPDATE keeps
// them: an Int32 of an INT64 column, an Int32 or Int64 of a DOUBLE column. A value that does not
// fit into the type of `old` stays as it is.
Value KeepNumberType(EdmType old, EdmType column, Value value);

// The text of a key: text as it is, a number in SQLite's own text form. NULL is kNotNull, a BLOB
// kMismatch.
Result<std::string> ToKey(const SqlValue& value, std::string_view column);

// The shortest decimal text that reads back as `value`, always with a point or an exponent;
// "NaN", "Infinity", "-Infinity" for the others.
std::string FormatDouble(double value);

// `text` as a GUID in lower case with dashes, or empty if it is none. Braces are accepted.
std::string NormalizeGuid(std::string_view text);

}  // namespace aztables
