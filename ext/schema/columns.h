// One column of CREATE VIRTUAL TABLE: property TYPE [PROPERTY 'Remote'].
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "model/schema.h"

namespace aztables {

// The type of a column declaration or of an EDM name, in any case: "INT64", "varchar(20)",
// "Edm.Int64"; kNull for ANY. Nothing for other words.
std::optional<EdmType> TypeFromName(std::string_view name);

// The names of the columns of one table. The time to check a column does not depend on the number
// of columns: a database file from others may declare as many as SQLite takes.
class ColumnNames {
 public:
  ColumnNames() = default;
  explicit ColumnNames(const Schema& schema);
  // OK if the column can follow the columns that were added. Otherwise the error names the conflict
  // and a correction.
  Status Check(const Column& column) const;
  // Adds the column if Check() returns OK.
  Status Add(const Column& column);

 private:
  void Take(const Column& column);

  // The name in lower case, and as an error shows it.
  std::unordered_map<std::string, std::string> taken_;
};

// The column that `argument` declares. An error names the column and the valid forms.
Result<Column> ParseColumn(std::string_view argument);

}  // namespace aztables
