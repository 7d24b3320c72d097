// Values across the boundary: see values.h.
#include "vtab/sqlite/values.h"

#include "base/encoding.h"
#include "schema/column_conversion.h"

namespace aztables {

SqlValue ToSqlValue(sqlite3_value* value) {
  // The type is read before the text: reading the text may change it.
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return SqlValue::Integer(sqlite3_value_int64(value));
    case SQLITE_FLOAT:
      return SqlValue::Real(sqlite3_value_double(value));
    case SQLITE_TEXT:
      return SqlValue::Text(TextOf(value));
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
      const auto size = static_cast<size_t>(sqlite3_value_bytes(value));
      return SqlValue::Blob(bytes ? std::string_view(bytes, size) : "");
    }
    default:
      return SqlValue::Null();
  }
}

std::string_view TextOf(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return "";
  return {text, static_cast<size_t>(sqlite3_value_bytes(value))};
}

std::string ToText(sqlite3_value* value) { return std::string(TextOf(value)); }

void ResultText(sqlite3_context* context, std::string_view text) {
  if (HasLoneSurrogate(text)) {
    const std::string shown = WithoutLoneSurrogates(text);
    sqlite3_result_text64(context, shown.data(), shown.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return;
  }
  sqlite3_result_text64(context, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
}

void ResultBlob(sqlite3_context* context, std::string_view bytes) {
  if (bytes.empty()) {
    sqlite3_result_zeroblob(context, 0);
    return;
  }
  sqlite3_result_blob64(context, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

void ResultValue(sqlite3_context* context, const Value& value) {
  ResultCell(context, CellOf(value));
}

void ResultCell(sqlite3_context* context, const Cell& cell) {
  switch (cell.type) {
    case EdmType::kNull:
      sqlite3_result_null(context);
      return;
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      sqlite3_result_int64(context, cell.integer);
      return;
    case EdmType::kDouble:
      sqlite3_result_double(context, cell.real);
      return;
    case EdmType::kBinary:
      ResultBlob(context, cell.view());
      return;
    case EdmType::kString:
    case EdmType::kDateTime:
    case EdmType::kGuid:
      ResultText(context, cell.view());
      return;
  }
}

}  // namespace aztables
