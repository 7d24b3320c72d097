// ShadowTable: where the inferred columns of a virtual table are kept, in the database that holds
// it: NAME_schema(position, column_name, property, type). So that opening a database needs no
// network. It is created, renamed and dropped with its table.
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
  // What follows the virtual table's name and "_".
  static constexpr char kSuffix[] = "schema";

  ShadowTable(sqlite3* db, SchemaRows* rows, std::string schema_name, const std::string& table);

  const std::string& name() const { return name_; }

  // kError if there is a table of that name, ours or not.
  Status CheckFree() const;
  // Creates it if it is not there, and makes `columns` its rows. All of them are written in one
  // statement, before others are deleted: a failure in a transaction that goes on leaves no part.
  Status Write(const std::vector<Column>& columns) const;
  // Appends the columns to `schema`, in order. kNotFound if the table is missing, kError if it
  // holds something else or what cannot stand behind the columns of `schema`.
  Status Read(Schema& schema) const;
  Status Rename(const std::string& new_table) const;
  // Drops it, if it is there and one of ours: a table that a user gave the name is left alone.
  Status Drop() const;

 private:
  Status CheckOurs() const;  // kNotFound if there is none, kError if it is another

  sqlite3* db_;
  SchemaRows* rows_;
  std::string schema_name_;
  std::string name_;
  std::string qualified_;  // "main"."movies_schema"
};

}  // namespace aztables
