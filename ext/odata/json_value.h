// One JSON value of an entity as received, before its annotation is known, and its conversion to a
// Value. The page reader and the reader of `_entity` texts share it; includes nothing of simdjson.
//
// Thread rule: values and free functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/edm.h"

namespace aztables {

struct JsonScalar {
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString };
  Kind kind = Kind::kNull;
  // kString: as its reader leaves it, unescaped or not; other kinds: the token itself
  std::string_view text;
};

// The EDM type of a value: the annotated type, else the type of its form. An unannotated integer
// outside Int32 is a Double, as the service would store it.
EdmType TypeOfScalar(const JsonScalar& scalar, std::optional<EdmType> annotated);

// Whether a number without annotation is a Double although a reader of its text could take it for
// an Int64. An emulator sends such values.
bool LooksLikeInteger(const JsonScalar& scalar);

// The scalar as a value of `type`. Texts in Value are canonical (dates with 7 digits, GUIDs in
// lower case, Binary decoded). Nothing if the scalar is not a value of that type.
std::optional<Value> DecodeScalar(const JsonScalar& scalar, EdmType type);

}  // namespace aztables
