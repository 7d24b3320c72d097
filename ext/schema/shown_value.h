// What a column shows of a value: the rules by which an entity's property of one EDM type appears
// in a column declared as another.
//
// Thread rule: pure; any thread.
#pragma once

#include "model/edm.h"

namespace aztables {

// The cell that shows `value`, which it points into.
Cell CellOf(const Value& value);

// Whether a value of the cell's type is shown in a column of type `declared` (kNull: ANY); what is
// shown is in `cell` then.
bool Fits(EdmType declared, Cell& cell);

// Whether `given` is what a column of type `declared` shows of `value` (null: absent). What does
// not fit shows as NULL.
bool ShowsSame(const Value* value, EdmType declared, const SqlValue& given);

}  // namespace aztables
