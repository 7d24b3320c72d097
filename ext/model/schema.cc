// Schema: see schema.h.
#include "model/schema.h"

#include <array>

namespace aztables {
namespace {

// The name of a column's type, and its type for sqlite3_declare_vtab(): the name that ODBC knows,
// with the affinity of the values. The ODBC driver for SQLite cuts INTEGER to 32 bits, and DATETIME
// to milliseconds.
struct ColumnType {
  std::string_view name;
  std::string_view sql;
};
constexpr auto kColumnTypes = std::to_array<ColumnType>({{"ANY", ""},
                                                         {"STRING", " TEXT"},
                                                         {"INT32", " INTEGER"},
                                                         {"INT64", " BIGINT"},
                                                         {"DOUBLE", " REAL"},
                                                         {"BOOLEAN", " BOOLEAN INTEGER"},
                                                         {"DATETIME", " TEXT"},
                                                         {"GUID", " TEXT"},
                                                         {"BINARY", " BLOB"}});
static_assert(kColumnTypes.size() == static_cast<size_t>(EdmType::kLast) + 1);

}  // namespace

std::optional<std::string> TakeQuoted(std::string_view& text) {
  const char end = text[0] == '[' ? ']' : text[0];
  std::string content;
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == end) {
      const bool twice = end != ']' && at + 1 < text.size() && text[at + 1] == end;
      if (!twice) {
        text.remove_prefix(at + 1);
        return content;
      }
      ++at;
    }
    content += text[at];
  }
  return std::nullopt;
}

std::string_view ColumnTypeName(EdmType type) {
  return kColumnTypes[static_cast<size_t>(type)].name;
}

const Column* Schema::PropertyAt(int index) const {
  const int property = index - kFirstProperty;
  if (property < 0 || property >= static_cast<int>(properties.size())) return nullptr;
  return &properties[static_cast<size_t>(property)];
}

std::string_view Schema::RemoteName(int index) const {
  if (index == kPartitionKey) return "PartitionKey";
  if (index == kRowKey) return "RowKey";
  if (index == kTimestamp) return "Timestamp";
  const Column* column = PropertyAt(index);
  return column ? std::string_view(column->property) : std::string_view();
}

EdmType Schema::TypeOf(std::string_view property) const {
  if (property == RemoteName(kTimestamp)) return EdmType::kDateTime;
  for (const Column& column : properties) {
    if (column.property == property) return column.type;
  }
  return EdmType::kNull;
}

std::string Schema::Declaration() const {
  std::string sql =
      "CREATE TABLE x(PartitionKey TEXT NOT NULL, RowKey TEXT NOT NULL, Timestamp TEXT";
  for (const Column& column : properties) {
    sql += ", " + QuoteIdentifier(column.name);
    sql += kColumnTypes[static_cast<size_t>(column.type)].sql;
  }
  return sql + ", _etag TEXT HIDDEN, _entity TEXT HIDDEN, _command TEXT HIDDEN)";
}

}  // namespace aztables
