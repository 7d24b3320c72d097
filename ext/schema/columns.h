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

// The type that a column declaration or its EDM name gives, in any case: "INT64", "varchar(20)",
// "Edm.Int64"; kNull for ANY. Nothing for other words.
std::optional<EdmType> TypeFromName(std::string_view name);

// The names of the columns of one table. A column is checked in time that does not depend on how
// many there are: a file that somebody else made may declare as many as SQLite takes.
class ColumnNames {
 public:
  ColumnNames() = default;
  explicit ColumnNames(const Schema& schema);
  // OK if the column can stand behind those that were added; else what clashes and how to write it.
  Status Check(const Column& column) const;
  // Adds the column, if Check() finds nothing.
  Status Add(const Column& column);

 private:
  void Take(const Column& column);

  std::unordered_map<std::string, std::string> taken_;  // in lower case; as an error shows it
};

// The column that `argument` declares. An error names the column and what is valid.
Result<Column> ParseColumn(std::string_view argument);

}  // namespace aztables
