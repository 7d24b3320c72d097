// ShadowTable: keeps the inferred columns of a virtual table in the database that holds that table:
// NAME_schema(position, column_name, property, type). So a database opens without requests to the
// service. The shadow table is created, renamed and dropped with its table.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "model/schema.h"
#include "vtab/sqlite/schema_rows.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

class ShadowTable {
 public:
  // The suffix after the virtual table's name and "_".
  static constexpr char kSuffix[] = "schema";

  ShadowTable(sqlite3* db, SchemaRows* rows, std::string schema_name, const std::string& table);

  const std::string& name() const { return name_; }

  // kError if there is a table of that name, ours or not.
  Status CheckFree() const;
  // Creates the table if it does not exist, and makes `columns` its rows. One statement writes all
  // of them, before others are deleted. So a failure in a transaction that continues leaves no
  // partial change.
  Status Write(const std::vector<Column>& columns) const;
  // Appends the columns to `schema`, in order. kNotFound if the table is missing. kError if it is
  // another object, or if a column cannot follow the columns of `schema`.
  Status Read(Schema& schema) const;
  Status Rename(const std::string& new_table) const;
  // Drops the table if it exists and is ours. A user's table of that name stays.
  Status Drop() const;

 private:
  Status CheckOurs() const;  // kNotFound if there is none, kError if it is not ours

  sqlite3* db_;
  SchemaRows* rows_;
  std::string schema_name_;
  std::string name_;
  std::string qualified_;  // "main"."movies_schema"
};

}  // namespace aztables
