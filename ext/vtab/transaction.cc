// Transactions: SQLite's transaction callbacks over the write logs. Rows are buffered until xSync,
// the first phase of a COMMIT. xSync may still make the COMMIT fail (send_transaction.cc). xCommit
// and xRollback only clear.
#include "vtab/transaction.h"

#include <algorithm>

#include "vtab/sqlite/guard.h"
#include "vtab/table.h"
#include "vtab/trust/trust_checks.h"
#include "write/commit.h"

namespace aztables {
namespace {

Table& TableOf(sqlite3_vtab* vtab) { return *static_cast<Table*>(vtab); }

// The table takes no part any more. The last one ends the transaction.
void RemoveParticipant(Table& table) {
  TransactionState& state = table.session->transaction();
  std::erase(state.participants, &table);
  if (!state.participants.empty()) return;
  table.session->commits().TransactionEnded();
  state = {};
}

// The transaction has ended for the table.
void Leave(Table& table) {
  table.part.End();
  table.session->statements().TransactionEnded();
  RemoveParticipant(table);
}

// Whether the transaction holds rows of this table, written at `sequence` or later.
bool HasRowsFrom(const Table& table, int64_t sequence) {
  return table.part.joined() && table.part.pending().log().HasWritesFrom(table.id, sequence);
}

// Whether the transaction depends on rows of this table, now or after ROLLBACK TO. A row that the
// table has inserted and deleted makes no difference.
bool HasPendingRows(const Table& table) {
  if (!table.part.joined()) return false;
  const WriteLog& log = table.part.pending().log();
  const auto depends = [&](int64_t sequence) { return log.DependsOn(table.id, sequence); };
  return depends(log.next_sequence()) || table.part.marks().Any(depends);
}

// The EGTs of a COMMIT that can be repeated that were applied.
size_t CountApplied(const TransactionState& state) {
  return state.plan ? CountEgts(state.plan->egts, EgtOutcome::kApplied) : 0;
}

size_t CountUnknown(const TransactionState& state) {
  const size_t planned = state.plan ? CountEgts(state.plan->egts, EgtOutcome::kUnknown) : 0;
  return planned + (state.open ? CountEgts(state.open->egts(), EgtOutcome::kUnknown) : 0);
}

// The same for a message. REQUIRES: there is a plan
std::string AppliedOfPlan(const Table& table) {
  const size_t before = table.session->commits().sent_before();
  const TransactionState& state = table.session->transaction();
  return AppliedText(CountApplied(state) + before, state.plan->egts.size() + before);
}

bool TakesPart(const Table& table) {
  const auto& participants = table.session->transaction().participants;
  return std::find(participants.begin(), participants.end(), &table) != participants.end();
}

void TakePart(Table& table) {
  if (!TakesPart(table)) table.session->transaction().participants.push_back(&table);
}

Status Begin(Table& table) {
  table.part.ForgetStatement();
  table.session->statements().Prepared();
  AZTABLES_RETURN_IF_ERROR(CheckMayWrite(table));
  Status may_write = JoinWrites(table);
  // Refused before anything is read, unless the statement may be a command. Then the first row that
  // is not a command returns the error.
  if (!may_write.ok() && !table.session->statements().AnyMentions("_command")) return may_write;
  TakePart(table);
  table.part.marks().Clear();
  // A SAVEPOINT that begins the transaction has no number; ROLLBACK TO it arrives as -1.
  table.part.marks().Savepoint(-1, table.part.next_sequence());
  return {};
}

void WarnOfRollback(const Table& table) {
  sqlite3_log(
      SQLITE_WARNING,
      "aztables: the transaction was rolled back after its entities were written to table %s",
      table.options.table.c_str());
}

void WarnOfUnknown(const Table& table, size_t egts) {
  sqlite3_log(SQLITE_WARNING,
              "aztables: the transaction was rolled back, but it is unknown if %d of its EGTs were "
              "written to the service: read the entities of table %s to find out",
              static_cast<int>(egts), table.options.table.c_str());
}

void NoteRollbackTo(const Table& table) {
  StatementTracker& statements = table.session->statements();
  if (statements.ExecutesRollback() && statements.RolledBack()) {
    table.session->transaction().rolled_back_within = true;
  }
}

int Destroy(Table* table) {
  // SQLite does not notify a dropped table of the COMMIT: its rows would be lost silently. SQLite
  // also takes no message from xDestroy.
  if (table->part.any_sent() || HasPendingRows(*table) || table->session->transaction().plan) {
    sqlite3_log(SQLITE_LOCKED,
                "aztables: table %s has rows in this transaction: COMMIT or ROLLBACK, then DROP it",
                table->name.c_str());
    return SQLITE_LOCKED;
  }
  // A declaration with an error may have been one that infers.
  const bool has_shadow = table->most_inferred > 0 || !table->broken.ok();
  if (const Status status = has_shadow ? table->Shadow().Drop() : Status(); !status.ok()) {
    sqlite3_log(SQLITE_ERROR, "aztables: table %s cannot be dropped: %s", table->name.c_str(),
                std::string(status.message()).c_str());
    return ResultCode(status);
  }
  if (table->part.joined())
    table->part.pending().log().TruncateTo(0, table->id);  // the rows are discarded
  table->part.LeaveRemote();
  RemoveParticipant(*table);
  DeleteTable(table);
  return SQLITE_OK;
}

}  // namespace

// A COMMIT may find the service busy, or SQLite may be unable to finish it ("database is locked").
// Either leaves the transaction open after a part of its rows was sent. A row written now would
// never be sent.
Status CheckNotSent(const Table& table) {
  const TransactionState& state = table.session->transaction();
  if (state.sent) {
    return {Code::kBusy,
            "table " + table.name +
                ": the failed COMMIT has already written the transaction's rows to the "
                "service; repeat COMMIT to end it (nothing is sent again), or "
                "ROLLBACK (the written rows stay)"};
  }
  if (!state.plan) return {};
  return {Code::kBusy,
          "table " + table.name +
              ": the service was busy or unreachable during COMMIT; repeat COMMIT to end it "
              "(applied writes are not sent again), or ROLLBACK (drops the unsent "
              "writes)" +
              AppliedOfPlan(table)};
}

Status CheckNotRolledBack(Table& table) {
  // ROLLBACK has ended the table's part. SQLite calls no xBegin for a table that was just created.
  const bool ended = !table.part.joined() && !table.part.created() && !TakesPart(table);
  const bool may_be = table.session->transaction().rolled_back_within && !IsChangedDirectly(table);
  if (!ended && !may_be && !table.session->statements().IsRolledBack()) return {};
  return {Code::kAborted, "table " + table.name +
                              ": the transaction was rolled back while the statement ran; "
                              "the statement writes nothing"};
}

// A table that may not write takes part too: a command needs no permission to write, and may grant
// it.
Status JoinWrites(Table& table) {
  AZTABLES_RETURN_IF_ERROR(table.broken);
  AZTABLES_RETURN_IF_ERROR(CheckNotSent(table));
  AZTABLES_RETURN_IF_ERROR(CheckTableWritable(table));
  auto connection = table.session->FindFor(table.options.connection, table.options.table);
  if (!connection.ok()) return connection.status();
  if ((*connection)->resolved.settings.read_only) {
    return {Code::kReadOnly, "table " + table.name + ": connection '" + (*connection)->name +
                                 "' is read-only (ReadOnly=true)"};
  }
  auto remote = table.session->Remote(**connection, table.options.table);
  table.part.Join(std::move(*connection), std::move(remote));
  TakePart(table);  // no xBegin for a table created in this transaction
  TransactionState& state = table.session->transaction();
  state.may_repeat_commit = sqlite3_get_autocommit(table.session->db()) == 0;
  return {};
}

int TableDestroy(sqlite3_vtab* vtab) {
  return GuardCode([&] { return Destroy(static_cast<Table*>(vtab)); });
}

int TableBegin(sqlite3_vtab* vtab) {
  return Guard(&vtab->zErrMsg, [&] { return Begin(TableOf(vtab)); });
}

int TableSync(sqlite3_vtab* vtab) {
  return Guard(&vtab->zErrMsg, [&] { return SendTransaction(*TableOf(vtab).session); });
}

int TableCommit(sqlite3_vtab* vtab) {
  Leave(TableOf(vtab));
  return SQLITE_OK;
}

// Neither this nor TableCommit() may allocate: SQLite lets them not fail.
int TableRollback(sqlite3_vtab* vtab) {
  Table& table = TableOf(vtab);
  const TransactionState& state = table.session->transaction();
  if (state.sent || CountApplied(state) > 0 || table.part.any_sent()) WarnOfRollback(table);
  if (const size_t unknown = CountUnknown(state)) WarnOfUnknown(table, unknown);
  table.session->statements().RolledBack();
  // Drops the rows of every table. An open cursor continues like that of an ordinary table.
  if (table.part.joined()) table.part.pending().log().Drop();
  Leave(table);
  return SQLITE_OK;
}

int TableSavepoint(sqlite3_vtab* vtab, int number) {
  return Guard(&vtab->zErrMsg, [&] {
    Table& table = TableOf(vtab);
    table.part.ForgetStatement();  // each statement that a trigger may be part of sets one
    table.part.marks().Savepoint(number, table.part.next_sequence());
    return Status();
  });
}

int TableRelease(sqlite3_vtab* vtab, int number) {
  TableOf(vtab).part.marks().Release(number);
  return SQLITE_OK;
}

int TableRollbackTo(sqlite3_vtab* vtab, int number) {
  return Guard(&vtab->zErrMsg, [&] {
    Table& table = TableOf(vtab);
    NoteRollbackTo(table);
    if (!table.part.joined()) return Status();
    // SQLite also calls this if a statement's first row was refused, with nothing to undo.
    const auto sequence = table.part.marks().RollbackTo(number);
    if (!sequence) return Status();
    TransactionState& state = table.session->transaction();
    // A tried COMMIT that has applied nothing counts as not tried.
    if (state.plan && !state.sent && CountApplied(state) == 0) state.plan.reset();
    if (Status sent = CheckNotSent(table); !sent.ok() && HasRowsFrom(table, *sequence)) {
      // SQLite has already rolled back its own tables, and its message for this gives no reason.
      state.commit_error = Status::Error(
          "ROLLBACK TO cannot undo what the COMMIT before it has sent, so the transaction is "
          "rolled "
          "back" +
          AppliedOfPlan(table));
      sqlite3_log(SQLITE_BUSY, "aztables: %s", std::string(sent.message()).c_str());
      return sent;
    }
    table.part.pending().log().TruncateTo(*sequence, table.id);
    if (*sequence < table.part.remote().bulk.sent_through()) WarnOfRollback(table);
    return Status();
  });
}

}  // namespace aztables
