// RowChange: what an UPDATE says of one row, from the columns that SQLite hands over. It marks
// those that stay as they are, but before 3.43 not in UPDATE ... FROM, where they are compared with
// what was read.
//
// Ownership: table, key, row and columns outlive it.
// Thread rule: the thread of the database connection.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vtab/change/row_writes.h"

namespace aztables {

// The condition under which the entity that was read is changed or deleted.
std::string ConditionOf(const Table& table, const RowRead& row);

class RowChange {
 public:
  RowChange(Table& table, const EntityKey& old_key, const RowRead& row, sqlite3_value** columns);

  // Reads the columns.
  Status Read();

  const EntityKey& key() const { return key_; }
  bool moves() const { return CompareEntityKeys(key_, old_key_) != 0; }

  // What the UPDATE does to the entity. Where it moves, or takes properties away, it writes all.
  Result<EntityWrite> Write();

 private:
  // Whether the entity that a merge makes may be beyond the limits, by the size of the texts: the
  // service counts less than four bytes for one of theirs.
  bool MayExceedLimits(const std::string& changes, size_t changed) const;

  // The properties of the entity as it was read, once.
  Status ReadOld();

  const Value* Old(const std::string& property) const;

  bool AnyMarked() const;
  // Whether the statement gives the column, where SQLite marks those that it does not.
  bool Given(int column) const { return sqlite3_value_nochange(columns_[column]) == 0; }
  // Whether it gives the text column, of which the row showed `shown`.
  bool Gives(int column, const std::string& shown) const;

  Status ReadKeysOf();

  Status ReadEntity();

  Status ReadProperty(int index);

  // The old value in place of one that is what the column showed of it, U+FFFD in place of lone
  // surrogates: a value that was read and written back stays as it is.
  Status KeepLoneSurrogates(const Column& column, const SqlValue& given, Value& value);

  // Gives `value` the type that the entity's property has, if that is a narrower number. An error
  // if the property is there in another case only.
  Status FitToEntity(int index, Value& value);
  // What is under the changes of columns: the entity that _entity gives, else the one that was
  // read.
  Result<EdmType> TypeBefore(const std::string& property) const;
  Result<PropertyNames> NamesBefore() const;

  // Whether a property that the entity has is set to NULL.
  bool TakesAway();

  Table& table_;
  const Schema& schema_;
  const EntityKey& old_key_;
  const RowRead& row_;
  sqlite3_value** columns_;
  const bool marked_;  // SQLite marks the columns that the statement leaves alone
  EntityKey key_;
  std::optional<std::vector<Property>> entity_;  // of _entity, where it is set
  std::vector<Property> changes_;                // of the other columns; null: taken away
  std::vector<Property> old_;
  bool old_read_ = false;
};

}  // namespace aztables
