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
  std::string_view text;  // kString: unescaped; other kinds: the token itself
};

// The EDM type of a value: the annotated type, else the type of its form. An unannotated integer
// outside Int32 is a Double, as the service would store it.
EdmType TypeOfScalar(const JsonScalar& scalar, std::optional<EdmType> annotated);

// The scalar as a value of `type`. Texts in Value are canonical (dates with 7 digits, GUIDs in
// lower case, Binary decoded). Nothing if the scalar is not a value of that type.
std::optional<Value> DecodeScalar(const JsonScalar& scalar, EdmType type);

}  // namespace aztables
