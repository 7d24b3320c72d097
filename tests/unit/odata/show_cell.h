// Formats cells and values as text for the expectations of tests: "Edm.Int64 5", "Edm.Binary 0A1F",
// "null". A malformed cell has the prefix "malformed".
#pragma once

#include <string>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/edm.h"
#include "odata/entity_page.h"

namespace aztables::testing_support {

// The column of the first property on a page.
inline constexpr size_t kFirst = EntityPage::kFirstProperty;

inline std::string Show(EdmType type, std::string_view text, int64_t integer, double real) {
  const std::string name = std::string(EdmName(type)) + " ";
  switch (type) {
    case EdmType::kNull:
      return "null";
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      return name + std::to_string(integer);
    case EdmType::kDouble:
      return name + FormatDouble(real);
    case EdmType::kBinary: {
      std::string hex = name;
      AppendHex(hex, text);
      return hex;
    }
    default:
      return name + std::string(text);
  }
}

inline std::string Show(const Value& value) {
  return Show(value.type, value.text, value.integer, value.real);
}

inline std::string Show(const Cell& cell) {
  if (cell.malformed) {
    return "malformed " + std::string(EdmName(cell.type)) + " " + std::string(cell.view());
  }
  const bool is_number = cell.type == EdmType::kInt32 || cell.type == EdmType::kInt64 ||
                         cell.type == EdmType::kBoolean || cell.type == EdmType::kDouble ||
                         cell.type == EdmType::kNull;
  const bool is_real = cell.type == EdmType::kDouble;
  return Show(cell.type, is_number ? std::string_view() : cell.view(),
              is_number && !is_real ? cell.integer : 0, is_real ? cell.real : 0);
}

}  // namespace aztables::testing_support
