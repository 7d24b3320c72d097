// One JSON value of an entity as it came, before its annotation is known, and what it becomes then.
// Shared by the page reader and the reader of `_entity` texts; includes nothing of simdjson.
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
  std::string_view text;  // of kString: unescaped; of the others: the token itself
};

// The EDM type that a value has: the annotated one, else the one that its form tells. An
// unannotated integer outside Int32 is a Double, as the service would have stored it.
EdmType TypeOfScalar(const JsonScalar& scalar, std::optional<EdmType> annotated);

// The scalar as a value of `type`. Texts in Value are canonical (dates with 7 digits, GUIDs in
// lower case, Binary decoded). Nothing where the scalar is no value of that type.
std::optional<Value> DecodeScalar(const JsonScalar& scalar, EdmType type);

}  // namespace aztables
