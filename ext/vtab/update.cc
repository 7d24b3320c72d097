// xUpdate: commands, and rows that are inserted, updated and deleted (insert_row.cc,
// update_row.cc).
#include "guard.h"
#include "row_writes.h"
#include "values.h"

namespace aztables {
namespace {

OnConflict ConflictClause(const Table& table) {
  switch (sqlite3_vtab_on_conflict(table.session->db())) {
    case SQLITE_REPLACE:
      return OnConflict::kReplace;
    case SQLITE_IGNORE:
      return OnConflict::kIgnore;
    default:
      return OnConflict::kAbort;
  }
}

bool IsNull(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

// INSERT INTO t(_command) VALUES('...'), which writes nothing.
Status Command(Table& table, sqlite3_value** values, int command_column) {
  for (int i = 0; i < command_column; ++i) {
    if (IsNull(values[2 + i])) continue;
    return Status::Error("table " + table.name +
                         ": a row with _command has no other columns; write: " +
                         OverrideLine(table.SqlName(), "..."));
  }
  const Status status = RunTableCommand(table, ToText(values[2 + command_column]));
  return status.ok()
             ? status
             : status.WithMessage("table " + table.name + ": " + std::string(status.message()));
}

bool IsConstraint(int code) { return (code & 0xFF) == SQLITE_CONSTRAINT; }

// A row failed: drops what the statement has written before, unless its conflict clause keeps it.
// SQLite does so itself where it has set a savepoint, which it has not for UPDATE ... FROM.
void UndoStatement(Table& table, const Status& failure) {
  const int clause = sqlite3_vtab_on_conflict(table.session->db());
  const bool keeps = clause == SQLITE_FAIL || clause == SQLITE_IGNORE;
  if (keeps && IsConstraint(ResultCode(failure))) return;
  const int64_t statement = table.session->statements().Current().id;
  if (statement == 0 || statement != table.changing_statement || !table.writing) return;
  table.writing->writes.TruncateTo(table.changes_from, table.id);
}

Status Change(Table& table, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  const int command_column = table.declaration.schema.CommandColumn();
  const bool insert = count > 1 && IsNull(values[0]);
  if (insert && !IsNull(values[2 + command_column])) {
    *rowid = sqlite3_last_insert_rowid(table.session->db());  // which a command leaves as it is
    return Command(table, values, command_column);
  }
  AZTABLES_RETURN_IF_ERROR(table.broken);
  if (!table.writing) AZTABLES_RETURN_IF_ERROR(JoinWrites(table));
  AZTABLES_RETURN_IF_ERROR(CheckNotSent(table));
  if (table.options.read_only) return CheckTableWritable(table);  // set since it took part
  Status status;
  if (count == 1) {
    status = DeleteRow(table, sqlite3_value_int64(values[0]));
  } else if (insert ? !IsNull(values[1])
                    : sqlite3_value_int64(values[0]) != sqlite3_value_int64(values[1])) {
    status =
        Status::Error("a rowid cannot be given; an entity is named by PartitionKey and RowKey");
  } else if (insert) {
    status = InsertRow(table, values + 2, ConflictClause(table), rowid);
  } else {
    status = UpdateRow(table, sqlite3_value_int64(values[0]), values + 2, ConflictClause(table));
  }
  if (status.ok()) return status;
  UndoStatement(table, status);
  return status.WithMessage("table " + table.name + ": " + std::string(status.message()));
}

// SQLite follows the clauses other than ABORT only where the code is the plain one.
int AsConflictClauseWants(const Table& table, int code) {
  if (!IsConstraint(code)) return code;
  switch (sqlite3_vtab_on_conflict(table.session->db())) {
    case SQLITE_IGNORE:
    case SQLITE_FAIL:
    case SQLITE_ROLLBACK:
      return SQLITE_CONSTRAINT;
    default:
      return code;
  }
}

}  // namespace

Status CheckTableWritable(const Table& table) {
  if (table.options.read_only) {
    return {Code::kReadOnly, "table " + table.name + " is read-only (access=read)"};
  }
  const Status status = table.session->CheckWritable();
  if (status.ok()) return {};
  return status.WithMessage("table " + table.name + ": " + std::string(status.message()));
}

int TableUpdate(sqlite3_vtab* vtab, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  Table& table = *static_cast<Table*>(vtab);
  const int code = Guard(&vtab->zErrMsg, [&] { return Change(table, count, values, rowid); });
  return AsConflictClauseWants(table, code);
}

}  // namespace aztables
