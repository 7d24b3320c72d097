// xUpdate: commands, and rows that are inserted, updated and deleted (insert_row.cc,
// update_row.cc), under bulk=on and on_error=continue.
#include "model/convert.h"
#include "vtab/change/row_writes.h"
#include "vtab/sqlite/guard.h"
#include "vtab/sqlite/values.h"
#include "vtab/transaction.h"
#include "vtab/trust/trust_checks.h"

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

// INSERT INTO t(_command) VALUES('...'), which writes no row.
Status Command(Table& table, sqlite3_value** values, int command_column) {
  for (int i = 0; i < command_column; ++i) {
    if (IsNull(values[2 + i])) continue;
    return Status::Error("table " + table.name +
                         ": a row with _command has no other columns; write: " +
                         OverrideLine(table.SqlName(), "..."));
  }
  return table.Named(RunTableCommand(table, ToText(values[2 + command_column])));
}

bool IsConstraint(int code) { return (code & 0xFF) == SQLITE_CONSTRAINT; }

// A row failed: drops what the statement has written before, unless its conflict clause keeps it.
// SQLite does so itself if it has set a savepoint, which it does not for UPDATE ... FROM.
void UndoStatement(Table& table, const Status& failure) {
  const int clause = sqlite3_vtab_on_conflict(table.session->db());
  const bool keeps = clause == SQLITE_FAIL || clause == SQLITE_IGNORE;
  if (keeps && IsConstraint(ResultCode(failure))) return;
  table.part.UndoStatement(table.session->statements().Current().id, table.id);
}

// The operation that xUpdate is called for.
EntityVerb VerbOf(int count, sqlite3_value** values) {
  if (count == 1) return EntityVerb::kDelete;
  return IsNull(values[0]) ? EntityVerb::kInsert : EntityVerb::kMerge;
}

Status ChangeRow(Table& table, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  const OnConflict on_conflict = ConflictClause(table);
  switch (VerbOf(count, values)) {
    case EntityVerb::kDelete:
      return DeleteRow(table, sqlite3_value_int64(values[0]));
    case EntityVerb::kInsert:
      if (!IsNull(values[1])) break;
      return InsertRow(table, values + 2, on_conflict, rowid);
    default:
      if (sqlite3_value_int64(values[0]) != sqlite3_value_int64(values[1])) break;
      return UpdateRow(table, sqlite3_value_int64(values[0]), values + 2, on_conflict);
  }
  return Status::Error("a rowid cannot be given; an entity is named by PartitionKey and RowKey");
}

// Whether a row of UPDATE ... FROM may occur more than once.
bool MayComeAgain(Table& table, int count, sqlite3_value** values) {
  if (VerbOf(count, values) != EntityVerb::kMerge) return false;
  ReadSet& rows = table.part.pending().read_set();
  const bool again = rows.AnyComesAgain();
  rows.Came(sqlite3_value_int64(values[0]));
  return again;
}

// Sets the keys of the row that are known. An INSERT may have only one that is valid.
void SetKeys(CommitRecord& record, const Table& table, int count, sqlite3_value** values) {
  record.has_partition = record.has_entity = false;
  if (VerbOf(count, values) == EntityVerb::kInsert) {
    auto partition_key = ToKey(ToSqlValue(values[2 + Schema::kPartitionKey]), "PartitionKey");
    if ((record.has_partition = partition_key.ok())) record.partition_key = *partition_key;
    auto row_key = ToKey(ToSqlValue(values[2 + Schema::kRowKey]), "RowKey");
    if ((record.has_entity = row_key.ok())) record.row_key = *row_key;
  } else if (auto known = table.part.remote().rowids.Find(sqlite3_value_int64(values[0]))) {
    record.has_partition = record.has_entity = true;
    record.partition_key = std::move(known->partition_key);
    record.row_key = std::move(known->row_key);
  }
}

// Whether the error concerns only this row.
bool IsOfRow(Code code) {
  switch (code) {
    case Code::kError:
    case Code::kAlreadyExists:
    case Code::kPrecondition:
    case Code::kNotNull:
    case Code::kMismatch:
    case Code::kTooBig:
      return true;
    default:
      return false;
  }
}

// Whether the statement continues although this row was refused. It does not if its clause is FAIL
// or ROLLBACK, or if IGNORE silently leaves the row out.
bool ContinuesAfter(const Table& table, const Status& error) {
  if (!table.options.continue_on_error || !IsOfRow(error.code())) return false;
  if (table.session->commits().refused() >= CommitHistory::kMostRefused) return false;
  switch (sqlite3_vtab_on_conflict(table.session->db())) {
    case SQLITE_FAIL:
    case SQLITE_ROLLBACK:
      return false;
    case SQLITE_IGNORE:
      return !IsConstraint(ResultCode(error));
    default:
      return true;
  }
}

// Records the row in aztables_commits.
void RecordRefused(Table& table, int count, sqlite3_value** values, const Status& error) {
  CommitRecord record;
  record.connection = table.part.connection()->client->endpoint().connection;
  record.table = table.options.table;
  SetKeys(record, table, count, values);
  record.operation = VerbName(VerbOf(count, values));
  record.operations = 1;
  record.outcome = EgtOutcome::kFailed;
  record.message = error.message();
  table.session->commits().AddRefused(std::move(record));
}

// Sends pending writes while the statement runs. If this fails, the statement fails, and its writes
// from `row` on are undone. The error of SendBulk() names the remote table.
Status Send(Table& table, int64_t row, bool all) {
  const Status sent = SendBulk(table, all).In("virtual table " + table.name);
  if (sent.ok()) return sent;
  table.part.pending().log().TruncateTo(row, table.id);
  // SQLite would read a constraint error as one of this row, and continue.
  const bool ignored = sqlite3_vtab_on_conflict(table.session->db()) == SQLITE_IGNORE;
  if (!ignored || !IsConstraint(ResultCode(sent))) return sent;
  return sent.As(Code::kError);
}

// The error of a refused row, as the statement returns it, without the table's name in front.
Status RowError(const Table& table, const Status& error, bool may_come_again) {
  std::string note;
  if (error.code() == Code::kBudget && !table.options.bulk) {
    note += ", or declare the table with bulk=on, which sends while statements run";
  } else if (error.code() == Code::kBudget) {
    std::string held =
        may_come_again ? "UPDATE ... FROM may change a row again, and sends nothing before it ends"
                       : WhyHeld(table);
    if (held.empty() && !table.part.pending().log().empty()) {
      held = "the statement will change the entities whose writes are pending";
    }
    if (!held.empty()) note += "; nothing is sent now: " + held;
  }
  const CommitHistory& commits = table.session->commits();
  if (table.options.continue_on_error && commits.refused() >= CommitHistory::kMostRefused) {
    note += "; " + std::to_string(commits.refused()) +
            " rows were refused before; on_error=continue allows no more";
  }
  return error.Noting(note + commits.SentBeforeText());
}

// Changes the row. With bulk=on, sends before it if the log has no room for it, and sends after it
// the EGTs that are worth a request. Errors name the virtual table.
Status ChangeAndSend(Table& table, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  const int64_t row = table.part.pending().log().next_sequence();
  table.part.SetCollected(VerbOf(count, values) != EntityVerb::kInsert);
  table.part.pending().read_set().Return(table.part.collected(), table.session->statements());
  const bool may_send = !MayComeAgain(table, count, values) && table.options.bulk;
  Status status = ChangeRow(table, count, values, rowid);
  if (status.code() == Code::kBudget && may_send && WhyHeld(table).empty()) {
    AZTABLES_RETURN_IF_ERROR(Send(table, row, true));
    status = ChangeRow(table, count, values, rowid);
  }
  if (status.ok()) {
    table.part.SetWrote();
    return may_send && IsWorthSending(table) ? Send(table, row, false) : status;
  }
  if (!ContinuesAfter(table, status)) return table.Named(RowError(table, status, !may_send));
  RecordRefused(table, count, values, status);
  if (VerbOf(count, values) == EntityVerb::kInsert) {
    *rowid = sqlite3_last_insert_rowid(table.session->db());
  }
  return {};
}

Status Change(Table& table, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  AZTABLES_RETURN_IF_ERROR(CheckMayWrite(table));
  const int command_column = table.declaration.schema.CommandColumn();
  const bool insert = count > 1 && IsNull(values[0]);
  if (insert && !IsNull(values[2 + command_column])) {
    *rowid = sqlite3_last_insert_rowid(table.session->db());  // unchanged by a command
    return Command(table, values, command_column);
  }
  AZTABLES_RETURN_IF_ERROR(CheckNotRolledBack(table));
  AZTABLES_RETURN_IF_ERROR(table.broken);
  if (!table.part.joined()) AZTABLES_RETURN_IF_ERROR(JoinWrites(table));
  AZTABLES_RETURN_IF_ERROR(CheckNotSent(table));
  if (table.options.read_only) return CheckTableWritable(table);  // set since the table joined
  const Status status = ChangeAndSend(table, count, values, rowid);
  if (!status.ok()) UndoStatement(table, status);
  return status;
}

// SQLite follows the clauses other than ABORT only if the code is the plain one.
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
  return table.Named(table.session->CheckWritable());
}

int TableUpdate(sqlite3_vtab* vtab, int count, sqlite3_value** values, sqlite3_int64* rowid) {
  Table& table = *static_cast<Table*>(vtab);
  const int code = Guard(&vtab->zErrMsg, [&] { return Change(table, count, values, rowid); });
  return AsConflictClauseWants(table, code);
}

}  // namespace aztables
