// The effect of INSERT, UPDATE and DELETE of one row on the transaction's write log. A row is
// checked completely before it is logged. So a statement that fails leaves no trace: SQLite sets no
// savepoint around a statement that changes a single row.
//
// Errors: without the table's name in front.
// Thread rule: the thread of the database connection.
#pragma once

#include "vtab/table.h"

namespace aztables {

// What to do with a row that breaks a constraint, as in SQLite.
enum class OnConflict : uint8_t { kAbort, kReplace, kIgnore };

// `columns` are the values of all columns of the schema. REQUIRES: the table takes part
Status InsertRow(Table& table, sqlite3_value** columns, OnConflict on_conflict,
                 sqlite3_int64* rowid);
// UPDATE of the row with this rowid. SQLite marks the columns that do not change, except in UPDATE
// ... FROM.
Status UpdateRow(Table& table, sqlite3_int64 rowid, sqlite3_value** columns,
                 OnConflict on_conflict);
Status DeleteRow(Table& table, sqlite3_int64 rowid);

// OK if a request can name the entity. An error if a key has a lone surrogate (base/encoding.h).
Status CheckCanBeNamed(EntityKeyView key);

// kPrecondition if the service has refused the transaction's INSERT of that key: the entity that
// exists there is not the transaction's.
Status CheckNotRefused(const Table& table, EntityKeyView key);

// "the entity PartitionKey='p', RowKey='r' already exists", kAlreadyExists.
Status ExistsError(EntityKeyView key);
// The error for a value that does not fit its column (by its number), with the entity's name.
Status NameMisfit(const Table& table, EntityKeyView key, int column, const Status& why);
Result<std::vector<Property>> ReadEntityColumn(Table& table, sqlite3_value* value);
// The keys in two columns.
Result<EntityKey> ReadKeys(sqlite3_value* partition_key, sqlite3_value* row_key);

}  // namespace aztables
