// Table: one virtual table over a remote table, and its cursor: the objects behind SQLite's
// sqlite3_vtab and sqlite3_vtab_cursor. The callbacks live in one file per job: module.cc,
// best_index.cc, cursor.cc, update.cc, transaction.cc.
//
// Ownership: SQLite owns both; they share the Session.
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aztables/table/page_stream.h"
#include "options.h"
#include "session.h"
#include "sqlite_api.h"

namespace aztables {

struct TransactionState;

struct Table : sqlite3_vtab {
  std::shared_ptr<Session> session;
  std::shared_ptr<TransactionState> transactions;  // of the database connection
  std::string schema_name;                         // "main", "temp" or an attached database
  std::string name;
  TableDeclaration declaration;
  Status broken;   // what is wrong with the declaration; said by the first use
  int64_t id = 0;  // never used again on this database connection

  // Of the transaction that this table takes part in.
  std::shared_ptr<Connection> writing_connection;
  std::shared_ptr<RemoteTable> writing;
  SavepointMarks marks;

  CallOptions Options() const;
};

struct Cursor : sqlite3_vtab_cursor {
  std::shared_ptr<Session> session;
  std::shared_ptr<Connection> connection;  // of the scan
  std::shared_ptr<RemoteTable> remote;
  std::unique_ptr<PageStream> stream;  // null: no rows
  std::vector<size_t> cell_of;         // per column of the schema: its cell; kNoCell: not read
  size_t row = 0;
  bool at_end = true;

  static constexpr size_t kNoCell = static_cast<size_t>(-1);
};

// What the module of the extension's tables is registered with.
struct ModuleContext {
  std::shared_ptr<Session> session;
  std::shared_ptr<TransactionState> transactions;
  int64_t next_table_id = 1;
};

// best_index.cc
int TableBestIndex(sqlite3_vtab* vtab, sqlite3_index_info* info);
// cursor.cc
int CursorOpen(sqlite3_vtab* vtab, sqlite3_vtab_cursor** out);
int CursorClose(sqlite3_vtab_cursor* base);
int CursorFilter(sqlite3_vtab_cursor* base, int index_number, const char* index_text, int count,
                 sqlite3_value** values);
int CursorNext(sqlite3_vtab_cursor* base);
int CursorEof(sqlite3_vtab_cursor* base);
int CursorColumn(sqlite3_vtab_cursor* base, sqlite3_context* context, int column);
int CursorRowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid);
// update.cc
int TableUpdate(sqlite3_vtab* vtab, int count, sqlite3_value** values, sqlite3_int64* rowid);
Status CheckTableWritable(const Table& table);
// transaction.cc
int TableDestroy(sqlite3_vtab* vtab);
int TableBegin(sqlite3_vtab* vtab);
int TableSync(sqlite3_vtab* vtab);
int TableCommit(sqlite3_vtab* vtab);
int TableRollback(sqlite3_vtab* vtab);
int TableSavepoint(sqlite3_vtab* vtab, int number);
int TableRelease(sqlite3_vtab* vtab, int number);
int TableRollbackTo(sqlite3_vtab* vtab, int number);

std::shared_ptr<TransactionState> MakeTransactionState();

// module.cc: registers the module "aztables".
int RegisterTableModule(const std::shared_ptr<Session>& session);

}  // namespace aztables
