// What INSERT, UPDATE and DELETE of one row do to the transaction's write log. A row is checked
// whole before it is logged: a statement that fails leaves no trace, since SQLite sets no savepoint
// around one that changes a single row.
//
// Errors: without the table's name in front.
// Thread rule: the thread of the database connection.
#pragma once

#include "vtab/table.h"

namespace aztables {

// What to do with a row that breaks a constraint, as SQLite says it.
enum class OnConflict : uint8_t { kAbort, kReplace, kIgnore };

// `columns` are the values of all columns of the schema. REQUIRES: the table takes part
Status InsertRow(Table& table, sqlite3_value** columns, OnConflict on_conflict,
                 sqlite3_int64* rowid);
// UPDATE of the row with this rowid; SQLite marks the columns that stay as they are, but not in
// UPDATE ... FROM.
Status UpdateRow(Table& table, sqlite3_int64 rowid, sqlite3_value** columns,
                 OnConflict on_conflict);
Status DeleteRow(Table& table, sqlite3_int64 rowid);

// OK if a request can name the entity: not where a key has a lone surrogate (base/encoding.h).
Status CheckCanBeNamed(EntityKeyView key);

// kPrecondition if the service has refused what the transaction had inserted there: what was there
// instead is none of the transaction's.
Status CheckNotRefused(const Table& table, EntityKeyView key);

// Shared by them: whether the entity is known to exist, from what the transaction wrote and what
// its writing statements read.
bool IsKnownToExist(const Table& table, EntityKeyView key);
// "the entity PartitionKey='p', RowKey='r' already exists", kAlreadyExists.
Status ExistsError(EntityKeyView key);
// The failure of a value that does not fit its column (by its number), with the entity's name.
Status NameMisfit(const Table& table, EntityKeyView key, int column, const Status& why);
Result<std::vector<Property>> ReadEntityColumn(Table& table, sqlite3_value* value);
// The keys that two columns give.
Result<EntityKey> ReadKeys(sqlite3_value* partition_key, sqlite3_value* row_key);

}  // namespace aztables
