// Schema: the columns of one virtual table, in SQL order, and their content.
// Columns 0 to 2 are PartitionKey, RowKey and Timestamp. Then follows one column per property. The
// last three are hidden: _etag, _entity and _command.
//
// Thread rule: a value; const methods on any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/encoding.h"
#include "model/edm.h"

namespace aztables {

struct Column {
  std::string name;               // in SQL
  std::string property;           // in the table service
  EdmType type = EdmType::kNull;  // kNull: ANY
};

// The name of a column's type in SQL: "INT32", "ANY" and so on.
std::string_view ColumnTypeName(EdmType type);

// "name", with quotes doubled: an identifier of SQL.
inline std::string QuoteIdentifier(std::string_view name) { return QuoteText(name, '"'); }

// Removes a name or string in quotes ('', "", `` or []) from the front of `text`, and returns its
// content with each doubled quote made single. Nothing if the quote is not closed; then `text` is
// unchanged. REQUIRES: `text` begins with a quote
std::optional<std::string> TakeQuoted(std::string_view& text);

class Schema {
 public:
  static constexpr int kPartitionKey = 0;
  static constexpr int kRowKey = 1;
  static constexpr int kTimestamp = 2;
  static constexpr int kFirstProperty = 3;

  std::vector<Column> properties;

  int EtagColumn() const { return kFirstProperty + static_cast<int>(properties.size()); }
  int EntityColumn() const { return EtagColumn() + 1; }
  int CommandColumn() const { return EntityColumn() + 1; }
  int ColumnCount() const { return CommandColumn() + 1; }

  // The declared property of column `index`; null for the built-in columns.
  const Column* PropertyAt(int index) const;
  // The remote name of a column, for $select; empty for the hidden columns.
  std::string_view RemoteName(int index) const;

  // The type of the column that shows a remote property; kNull if there is none.
  EdmType TypeOf(std::string_view property) const;

  // The CREATE TABLE text for sqlite3_declare_vtab(). The types are SQLite's own. EDM names would
  // get numeric affinity.
  std::string Declaration() const;
};

}  // namespace aztables
