// What a column shows of a value: the rules by which an entity's property of one EDM type appears
// in a column declared as another.
//
// Thread rule: pure; any thread.
#pragma once

#include "model/edm.h"

namespace aztables {

// The cell that shows `value`. It points into `value`.
Cell CellOf(const Value& value);

// Whether a column of type `declared` (kNull: ANY) shows a value of the cell's type. If so, `cell`
// becomes what the column shows.
bool ConvertTo(EdmType declared, Cell& cell);

// Whether `given` is what a column of type `declared` shows of `value` (null: absent). A value that
// does not fit shows as NULL.
bool ShowsSame(const Value* value, EdmType declared, const SqlValue& given);

}  // namespace aztables
