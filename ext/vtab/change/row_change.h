// RowChange: an UPDATE's change of one row, from the columns that SQLite passes. SQLite marks the
// columns that do not change. Before 3.43 it does not mark them in UPDATE ... FROM; there they are
// compared with what was read.
//
// Ownership: table, key, row and columns outlive it.
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vtab/change/row_writes.h"

namespace aztables {

// The If-Match condition for changing or deleting the entity that was read.
std::string ConditionOf(const Table& table, const RowRead& row);

class RowChange {
 public:
  RowChange(Table& table, const EntityKey& old_key, const RowRead& row, sqlite3_value** columns);

  // Reads the columns.
  Status Read();

  const EntityKey& key() const { return key_; }
  bool moves() const { return CompareEntityKeys(key_, old_key_) != 0; }

  // The UPDATE's write. If the entity moves, or loses properties, the write has all properties.
  Result<EntityWrite> Write();

 private:
  // Whether the merged entity may exceed the limits, judged by the size of the JSON texts. The
  // service counts less than four bytes for each byte of them.
  bool MayExceedLimits(const std::string& changes, size_t changed) const;

  // Reads the properties of the entity as the row showed them, once.
  Status ReadOld();

  const Value* Old(const std::string& property) const;

  bool AnyMarked() const;
  // Whether the statement sets the column, if SQLite marks the columns that it does not set.
  bool Given(int column) const { return sqlite3_value_nochange(columns_[column]) == 0; }
  // Whether the statement sets the text column. The row showed `shown`.
  bool Gives(int column, const std::string& shown) const;

  Status ReadKeysOf();
  Status ReadEntity();
  Status ReadProperty(int index);

  // Keeps the old value if the new one is what the column showed of it, with U+FFFD in place of
  // lone surrogates. So a value that was read and written back does not change.
  Status KeepLoneSurrogates(const Column& column, const SqlValue& given, Value& value);

  // Gives `value` the type of the entity's property, if it fits. An error if the property exists
  // only in another case.
  Status FitToEntity(int index, Value& value);
  // The type and the names before the changes of columns: of the entity that _entity sets, else of
  // the one that was read.
  Result<EdmType> TypeBefore(const std::string& property) const;
  Result<PropertyNames> NamesBefore() const;

  // Whether a property that the entity has is set to NULL.
  bool TakesAway();

  Table& table_;
  const Schema& schema_;
  const EntityKey& old_key_;
  const RowRead& row_;
  sqlite3_value** columns_;
  const bool marked_;  // SQLite marks the columns that the statement does not set
  EntityKey key_;
  std::optional<std::vector<Property>> entity_;  // the value of _entity, if it is set
  std::vector<Property> changes_;                // of the other columns; null: removed
  std::vector<Property> old_;
  bool old_read_ = false;
};

}  // namespace aztables
