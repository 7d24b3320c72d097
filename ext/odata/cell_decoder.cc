// CellDecoder: see cell_decoder.h.
#include "odata/cell_decoder.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/datetime.h"
#include "odata/short_text.h"

namespace aztables {
namespace {

bool IsCanonicalGuid(std::string_view text) {
  if (text.size() != kGuidSize) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  return true;
}

// The commonest case: an integer, whose type is annotated or Int32.
bool DecodeInteger(const JsonScalar& scalar, std::optional<EdmType> annotated, Cell& cell) {
  const bool text = scalar.kind == JsonScalar::Kind::kString;
  if (text ? annotated != EdmType::kInt64 : scalar.kind != JsonScalar::Kind::kNumber) return false;
  const EdmType type = annotated.value_or(EdmType::kInt32);
  if (type != EdmType::kInt32 && type != EdmType::kInt64) return false;
  const auto integer = ParseInteger(scalar.text);
  if (!integer || (type == EdmType::kInt32 && !IsInt32(*integer))) return false;
  cell.type = type;
  cell.integer = *integer;
  return true;
}

void SetValue(Cell& cell, const Value& value) {
  cell.type = value.type;
  if (value.type == EdmType::kDouble) {
    cell.real = value.real;
  } else {
    cell.integer = value.integer;
  }
}

}  // namespace

void CellDecoder::Keep(Cell& cell) {
  if (!cell.HasText() || !tokens_.Holds(cell.text)) return;
  SetCellText(cell, cell.type, arena_.Keep(cell.view()));
}

Status CellDecoder::Unescape(std::string_view& text) {
  if (!HasEscape(text)) return {};
  unescaped_.clear();
  if (!AppendUnescapedJson(unescaped_, text)) return JsonShapeError(simdjson::STRING_ERROR);
  text = arena_.Keep(unescaped_);
  return {};
}

bool CellDecoder::DecodeText(std::string_view text, EdmType type, Cell& cell) {
  if (type == EdmType::kString || (type == EdmType::kGuid && IsCanonicalGuid(text))) {
    SetCellText(cell, type, text);
    return true;
  }
  if (type == EdmType::kDateTime) {
    if (IsCanonicalDateTime(text)) {
      SetCellText(cell, type, text);
      return true;
    }
    char canonical[kDateTimeSize];
    if (CanonicalDateTime(text, canonical)) {
      SetCellText(cell, type, arena_.Keep({canonical, kDateTimeSize}));
      return true;
    }
  }
  const auto value = DecodeScalar({JsonScalar::Kind::kString, text}, type);
  if (!value) return false;
  SetCellText(cell, type, arena_.Keep(value->text));
  return true;
}

Status CellDecoder::Decode(size_t token, std::string_view annotation, Cell& cell) {
  JsonScalar scalar;
  AZTABLES_RETURN_IF_ERROR(ReadScalar(tokens_, token, scalar));
  const bool is_text = scalar.kind == JsonScalar::Kind::kString;
  if (is_text) AZTABLES_RETURN_IF_ERROR(Unescape(scalar.text));
  if (scalar.kind == JsonScalar::Kind::kNull) return {};
  std::optional<EdmType> annotated;
  if (!annotation.empty()) {
    annotated = EdmFromName(annotation);
    if (!annotated && annotation.find('\\') != std::string_view::npos) {
      annotated = EdmFromName(UnescapeJson(annotation));
    }
  }
  if (annotated || annotation.empty()) {
    if (DecodeInteger(scalar, annotated, cell)) return {};
    const EdmType type = TypeOfScalar(scalar, annotated);
    const bool has_text = type == EdmType::kString || type == EdmType::kDateTime ||
                          type == EdmType::kGuid || type == EdmType::kBinary;
    if (has_text && is_text && DecodeText(scalar.text, type, cell)) return {};
    if (!has_text) {
      if (const auto value = DecodeScalar(scalar, type)) {
        SetValue(cell, *value);
        return {};
      }
    }
    SetCellText(cell, type, scalar.text);
  } else {
    SetCellText(cell, EdmType::kNull, scalar.text);
  }
  cell.malformed = true;
  return {};
}

}  // namespace aztables
