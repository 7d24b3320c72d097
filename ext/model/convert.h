// From SQL to EDM: converts the value of an INSERT to the type of a column. Only exact conversions
// are made. Everything else is an error that names column and value; no value is ever rounded.
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

// The EDM value of `value` in the column `name` of type `type`. A `type` of kNull means ANY:
// INTEGER becomes Int64, REAL Double, TEXT String and BLOB Binary. SQL NULL gives kNull. Empty text
// in a column that is not a String also gives kNull, because .import sends it for an empty field.
// Messages name the place as "<kind> <name>".
Result<Value> ToEdm(const SqlValue& value, EdmType type, std::string_view name,
                    std::string_view kind = "column");

// The value of a text that is only a decimal number, with or without a sign. Nothing if a Double
// cannot hold a number so large or so small.
std::optional<double> ParseReal(std::string_view text);
// The integer that equals `real`, if there is one.
std::optional<int64_t> ExactInteger(double real);
bool IsInt32(int64_t integer);
// Whether a Double can hold the integer exactly.
bool IsExactDouble(int64_t integer);

// Whether no digit of a decimal integer is lost if it is read as a Double: the Double is equal to
// it, or is shown by these digits in its shortest form, as JavaScript shows it.
bool IsWholeDouble(std::string_view integer);

// Converts `value` to the type `old` of the value that an UPDATE replaces, if it fits into that
// type exactly and the column shows that type. `value` is the result of ToEdm() for a column of
// type `column`: an INT64 or DOUBLE column also shows narrower numbers, an ANY column every type. A
// whole REAL fits as an integer does, 0 and 1 fit a Boolean. A text fits a Guid or a DateTime if it
// is its canonical form. Else `value` is returned unchanged.
Value KeepType(EdmType old, EdmType column, Value value);

// The text of a key: text unchanged, an integer as its digits. The error is kNotNull for NULL and
// kMismatch for a REAL or a BLOB.
Result<std::string> ToKey(const SqlValue& value, std::string_view column);
// "RowKey is text, and 5.0 is a REAL; ...": the error for a REAL that is given to a key.
std::string RealKeyMessage(double value, std::string_view column);

// A value in a message: 5, 5.0, 'text', a BLOB by its size. It conceals what may be a secret.
std::string ShowSqlValue(const SqlValue& value);

// The value of `text` if all of it is one number: of a literal in a filter, or of a number in JSON.
// A number too small for a Double is zero with its sign. A number too large for a Double is not
// valid.
std::optional<double> ParseDouble(std::string_view text);
// The shortest decimal text that reads back as `value`, always with a point or an exponent. "NaN",
// "Infinity" and "-Infinity" for the special values.
std::string FormatDouble(double value);

inline constexpr size_t kGuidSize = 36;  // characters, without braces
// `text` as a GUID in lower case with dashes; empty if it is not a GUID. Braces are accepted.
std::string NormalizeGuid(std::string_view text);

}  // namespace aztables
