// Table: one virtual table over a remote table, and its cursor: the objects of SQLite's
// sqlite3_vtab and sqlite3_vtab_cursor. The callbacks are in one file per task: module.cc,
// best_index.cc, cursor.cc, update.cc, transaction.cc.
//
// Ownership: SQLite owns both; they share the Session.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/read_plan.h"
#include "read/near_points.h"
#include "read/row_stream.h"
#include "schema/options.h"
#include "vtab/scan/read_rules.h"
#include "vtab/session/session.h"
#include "vtab/shadow_table.h"
#include "vtab/sqlite/sqlite_api.h"
#include "vtab/table_part.h"

namespace aztables {

struct Inference;

// An idxStr, decoded once for the statements and joins that repeat it.
struct DecodedPlan {
  std::string text;
  ReadPlan plan;
};

struct Table : sqlite3_vtab {
  std::shared_ptr<Session> session;
  std::string schema_name;  // "main", "temp" or an attached database
  std::string database;     // identifies the database of the schema at xConnect
  std::string name;
  std::string arguments;         // of CREATE VIRTUAL TABLE, as written
  TableDeclaration declaration;  // its schema has the declared columns, then the inferred ones
  TableOptions options;          // the declared ones, with those that _command has set
  size_t declared = 0;           // columns of the schema that were not inferred
  size_t most_inferred = 0;      // how many columns may be inferred; 0: all are declared
  Status broken;                 // the error of the declaration; the first use returns it
  bool shadow_broken = false;    // `broken`: the inferred columns are missing
  int64_t id = 0;                // never reused on this database connection
  TablePart part;                // in the transaction of the database connection
  std::shared_ptr<const DecodedPlan> plan;  // of the last read

  // Whether the column with this number was inferred.
  bool IsInferred(int column) const {
    return column < declaration.schema.EtagColumn() &&
           column >= Schema::kFirstProperty + static_cast<int>(declared);
  }
  // The name in SQL for a message: movies, temp.movies, "odd name".
  std::string SqlName() const;
  // Advice for an inferred column with values of several types: "declare infer=300, Q ANY (...)".
  std::string DeclareAny(int column) const;
  // Identifies the table on this database connection: database, schema, name.
  std::string Key() const;
  // Finds `database`. Drops what _command has set for another table of that name: a table that
  // existed before `create`, or a table in an earlier image of a database.
  void FindDatabase(bool create);
  ShadowTable Shadow() const { return {session->db(), &session->schema_rows(), schema_name, name}; }
  // Whether the column of the schema shows a property that the user declared.
  bool IsDeclared(int column) const {
    const int property = column - Schema::kFirstProperty;
    return property >= 0 && property < static_cast<int>(declared);
  }
  // Sets `options` to the declared ones, with those that _command has set.
  void ApplyOverrides();
  // The options for a request of the statement that runs now, its budget included.
  CallOptions Call() const { return Call(session->statements().Current()); }
  CallOptions Call(const StatementTracker::Statement& statement) const;
  ReadRules Rules() const;
  // The same failure, preceded by the name of the table.
  Status Named(const Status& status) const;
  // The failure of a read. If there is no remote table of the virtual table's name, a bare word as
  // the only argument may have meant the remote table.
  Status OfRead(const Status& status) const;
};

struct Cursor : sqlite3_vtab_cursor {
  Table& table() const { return *static_cast<Table*>(pVtab); }
  Session& session() const { return *table().session; }

  std::shared_ptr<Connection> connection;
  std::shared_ptr<RemoteTable> remote;
  std::unique_ptr<RowStream> read;  // null: no rows
  NearPoints near;                  // for the points of a join
  ScanGuard guard;
  StatementTracker::Statement statement;    // the statement that reads by this cursor
  std::shared_ptr<const DecodedPlan> plan;  // of the last xFilter
  std::optional<bool> plain;       // every statement that reads our tables is (statement_shape.h)
  int reads = 0;                   // xFilter calls
  WriteSnapshot pending;           // at its first read, if the statement writes
  int64_t sent_through = 0;        // that of the remote table when the read began
  int64_t first_sent_through = 0;  // when the first read began
  std::vector<size_t> cell_of;     // per column of the schema: its cell; kNoCell: not read
  RowUse use;                      // what the statement does with the rows
  bool identified = false;         // SQLite has requested a rowid: to SQLite no two rows are alike
  bool at_end = true;

  static constexpr size_t kNoCell = static_cast<size_t>(-1);
};

// best_index.cc
int TableBestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info);
// scan/start_read.cc
int CursorFilter(sqlite3_vtab_cursor* base, int index_number, const char* index_text, int count,
                 sqlite3_value** values);
// cursor.cc
int CursorOpen(sqlite3_vtab* vtab, sqlite3_vtab_cursor** out);
int CursorClose(sqlite3_vtab_cursor* base);
int CursorNext(sqlite3_vtab_cursor* base);
int CursorEof(sqlite3_vtab_cursor* base);
int CursorColumn(sqlite3_vtab_cursor* base, sqlite3_context* context, int column);
int CursorRowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid);
// update.cc
int TableUpdate(sqlite3_vtab* vtab, int count, sqlite3_value** values, sqlite3_int64* rowid);
Status CheckTableWritable(const Table& table);
// command.cc: runs INSERT INTO t(_command) VALUES('...').
Status RunTableCommand(Table& table, std::string_view command);
// table.cc
void DeleteTable(Table* table);
// Stores the inferred columns in the shadow table.
Status StoreInference(Table& table, const Inference& inference);
// transaction.cc
int TableDestroy(sqlite3_vtab* vtab);
int TableBegin(sqlite3_vtab* vtab);
Status JoinWrites(Table& table);
Status CheckNotSent(const Table& table);
int TableSync(sqlite3_vtab* vtab);
int TableCommit(sqlite3_vtab* vtab);
int TableRollback(sqlite3_vtab* vtab);
int TableSavepoint(sqlite3_vtab* vtab, int number);
int TableRelease(sqlite3_vtab* vtab, int number);
int TableRollbackTo(sqlite3_vtab* vtab, int number);

// module.cc: registers the module "aztables".
int RegisterTableModule(const std::shared_ptr<Session>& session);
// Whether the database connection has the module of this library.
bool HasTableModule(sqlite3* db);

}  // namespace aztables
