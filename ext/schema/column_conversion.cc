// ConvertTo, ShowsSame: see column_conversion.h.
#include "schema/column_conversion.h"

#include <cmath>

#include "model/convert.h"
#include "model/key.h"

namespace aztables {

Cell CellOf(const Value& value) {
  Cell cell;
  cell.type = value.type;
  switch (value.type) {
    case EdmType::kNull:
      break;
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      cell.integer = value.integer;
      break;
    case EdmType::kDouble:
      cell.real = value.real;
      break;
    case EdmType::kBinary:
    case EdmType::kString:
    case EdmType::kDateTime:
    case EdmType::kGuid:
      SetCellText(cell, value.type, value.text);
  }
  return cell;
}

bool ConvertTo(EdmType declared, Cell& cell) {
  if (cell.malformed) return false;
  if (declared == EdmType::kNull || cell.type == EdmType::kNull || cell.type == declared) {
    return true;
  }
  if (declared == EdmType::kInt64) return cell.type == EdmType::kInt32;
  if (declared != EdmType::kDouble) return false;
  if (cell.type != EdmType::kInt32 && cell.type != EdmType::kInt64) return false;
  if (!IsExactDouble(cell.integer)) return false;
  cell.real = static_cast<double>(cell.integer);
  cell.type = EdmType::kDouble;
  return true;
}

bool ShowsSame(const Value* value, EdmType declared, const SqlValue& given) {
  Cell cell = value ? CellOf(*value) : Cell();
  const bool nan = cell.type == EdmType::kDouble && std::isnan(cell.real);
  if (!ConvertTo(declared, cell) || nan) cell = {};
  switch (cell.type) {
    case EdmType::kNull:
      return given.type == SqlValue::Type::kNull;
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      return given.type == SqlValue::Type::kInteger && given.integer == cell.integer;
    case EdmType::kDouble:
      return given.type == SqlValue::Type::kReal && given.real == cell.real;
    case EdmType::kBinary:
      return given.type == SqlValue::Type::kBlob && given.text == cell.view();
    case EdmType::kString:
    case EdmType::kDateTime:
    case EdmType::kGuid:
      break;
  }
  if (given.type != SqlValue::Type::kText) return false;
  return CompareAsShown(given.text, cell.view()) == 0;
}

}  // namespace aztables
