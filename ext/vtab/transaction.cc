// Transactions: SQLite's transaction callbacks over the write logs. Rows are buffered until xSync,
// the first phase of a COMMIT, which may still fail it; the first xSync of a COMMIT sends what all
// tables of the database connection have buffered. xCommit and xRollback only clear.
#include <algorithm>

#include "aztables/write/commit.h"
#include "guard.h"
#include "interrupt.h"
#include "table.h"

namespace aztables {

struct TransactionState {
  std::vector<Table*> participants;  // in the order in which they joined
  bool sent = false;                 // the logs were sent, and successfully, by an xSync
};

std::shared_ptr<TransactionState> MakeTransactionState() {
  return std::make_shared<TransactionState>();
}

namespace {

Table& TableOf(sqlite3_vtab* vtab) { return *static_cast<Table*>(vtab); }

// One TableWrites per remote table that has something to send, in the order in which they joined.
std::vector<TableWrites> CollectWrites(const TransactionState& state) {
  std::vector<TableWrites> writes;
  for (Table* table : state.participants) {
    if (!table->writing) continue;
    const WriteLog* const log = &table->writing->writes;
    if (log->operations().empty()) continue;
    const auto known = std::find_if(writes.begin(), writes.end(),
                                    [&](const TableWrites& other) { return other.log == log; });
    if (known != writes.end()) {
      known->create_missing = known->create_missing || table->options.create_missing;
      continue;
    }
    writes.push_back({.client = table->writing_connection->client.get(),
                      .table = table->options.table,
                      .options = table->Call(),
                      .create_missing = table->options.create_missing,
                      .log = log});
  }
  return writes;
}

// The strictest limits of the tables that have written.
ReadRules RulesOf(const TransactionState& state) {
  ReadRules rules;
  for (const Table* table : state.participants) {
    if (table->writing) rules.Tighten(table->options, table->SqlName());
  }
  return rules;
}

// "table Orders" or "tables Orders, Items".
std::string TableNames(const std::vector<TableWrites>& writes) {
  std::string names = writes.size() == 1 ? "table " : "tables ";
  for (const TableWrites& of_table : writes) {
    if (&of_table != writes.data()) names += ", ";
    names += of_table.table;
  }
  return names;
}

Status Sync(Table& table) {
  TransactionState& state = *table.transactions;
  if (state.sent || state.participants.empty()) return {};
  std::vector<TableWrites> writes = CollectWrites(state);
  if (writes.empty()) return {};
  const ReadRules rules = RulesOf(state);
  const StatementTracker::Statement statement = table.session->statements().Current();
  const Budget budget{statement.spending, rules.limits};
  for (TableWrites& of_table : writes) of_table.options.budget = budget;
  const InterruptWatch watch(table.session->db(), budget);
  Status status = CommitWrites(writes, watch.cancel(), budget);
  table.session->statements().Ended(statement);  // this was the last that it sends
  state.sent = status.ok();
  if (status.code() == Code::kBudget) {
    status =
        status.WithMessage("writing to " + TableNames(writes) + ": " +
                           std::string(status.message()) + "; " + LimitOverride(rules, status));
  }
  for (Table* participant : state.participants) {
    if (participant->writing) static_cast<void>(participant->writing_connection->Note(status));
  }
  // SQLITE_BUSY would leave the transaction open, as if COMMIT could be repeated.
  if (status.code() == Code::kBusy) {
    return {Code::kError, std::string(status.message()), status.detail()};
  }
  return status;
}

// The table leaves the transaction; the last one to leave clears what is shared.
void Leave(Table& table) {
  TransactionState& state = *table.transactions;
  std::erase(state.participants, &table);
  if (table.writing) table.writing->writes.Clear();
  table.writing.reset();
  table.writing_connection.reset();
  table.marks.Clear();
  table.session->statements().TransactionEnded();
  if (state.participants.empty()) state.sent = false;
}

// The mark of a savepoint now. A table that has not joined the log has nothing in it from before.
int64_t NextSequence(const Table& table) {
  return table.writing ? table.writing->writes.next_sequence() : 0;
}

// Whether the transaction holds rows of this very table, written at `sequence` or later.
bool HasRowsFrom(const Table& table, int64_t sequence) {
  if (!table.writing) return false;
  const auto& operations = table.writing->writes.operations();
  return std::any_of(operations.begin(), operations.end(),
                     [&](const WriteLog::Operation& operation) {
                       return operation.owner == table.id && operation.sequence >= sequence;
                     });
}

}  // namespace

// A COMMIT that SQLite could not finish ("database is locked") leaves the transaction open after
// its rows were sent: a row that came now would never be.
Status CheckNotSent(const Table& table) {
  if (!table.transactions->sent) return {};
  return {Code::kBusy, "table " + table.name +
                           ": the COMMIT that failed has written the transaction's rows to the "
                           "service already; repeat COMMIT to end it (nothing is sent again), or "
                           "ROLLBACK (what was written stays)"};
}

void TakePart(Table& table) {
  auto& participants = table.transactions->participants;
  if (std::find(participants.begin(), participants.end(), &table) == participants.end()) {
    participants.push_back(&table);
  }
}

// A table that may not write takes part all the same: a command needs no right to write, and may
// give it.
Status JoinWrites(Table& table) {
  AZTABLES_RETURN_IF_ERROR(table.broken);
  AZTABLES_RETURN_IF_ERROR(CheckNotSent(table));
  AZTABLES_RETURN_IF_ERROR(CheckTableWritable(table));
  auto connection = table.session->Find(table.options.connection);
  if (!connection.ok()) return connection.status();
  if ((*connection)->resolved.settings.read_only) {
    return {Code::kReadOnly, "table " + table.name + ": connection '" + (*connection)->name +
                                 "' is read-only (ReadOnly=true)"};
  }
  table.writing_connection = std::move(*connection);
  table.writing = table.session->Remote(*table.writing_connection, table.options.table);
  TakePart(table);  // a table that was created in this transaction gets no xBegin
  return {};
}

namespace {

Status Begin(Table& table) {
  table.session->statements().Prepared();  // an INSERT of values is planned without xBestIndex
  Status may_write = JoinWrites(table);
  // Refused before anything is read, unless it is a command; then the first row that is none says
  // so.
  if (!may_write.ok() && !table.session->statements().AnyMentions("_command")) return may_write;
  TakePart(table);
  table.marks.Clear();
  // A SAVEPOINT that began the transaction has no number; ROLLBACK TO it arrives as -1.
  table.marks.Savepoint(-1, NextSequence(table));
  return {};
}

}  // namespace

int TableDestroy(sqlite3_vtab* vtab) {
  Table* const table = static_cast<Table*>(vtab);
  // SQLite tells a dropped table nothing of the COMMIT: its rows would be lost without a word. It
  // takes no message from xDestroy either.
  if (HasRowsFrom(*table, 0)) {
    sqlite3_log(SQLITE_LOCKED,
                "aztables: table %s has rows in this transaction: COMMIT or ROLLBACK, then DROP it",
                table->name.c_str());
    return SQLITE_LOCKED;
  }
  // A declaration that is not understood may have been one that infers.
  const bool has_shadow = table->most_inferred > 0 || !table->broken.ok();
  if (const Status status = has_shadow ? table->Shadow().Drop() : Status(); !status.ok()) {
    sqlite3_log(SQLITE_ERROR, "aztables: table %s cannot be dropped: %s", table->name.c_str(),
                std::string(status.message()).c_str());
    return ResultCode(status);
  }
  TransactionState& state = *table->transactions;
  std::erase(state.participants, table);
  if (state.participants.empty()) state.sent = false;
  DeleteTable(table);
  return SQLITE_OK;
}

int TableBegin(sqlite3_vtab* vtab) {
  return Guard(&vtab->zErrMsg, [&] { return Begin(TableOf(vtab)); });
}

int TableSync(sqlite3_vtab* vtab) {
  return Guard(&vtab->zErrMsg, [&] { return Sync(TableOf(vtab)); });
}

int TableCommit(sqlite3_vtab* vtab) {
  Leave(TableOf(vtab));
  return SQLITE_OK;
}

int TableRollback(sqlite3_vtab* vtab) {
  Table& table = TableOf(vtab);
  if (table.transactions->sent) {
    sqlite3_log(
        SQLITE_WARNING,
        "aztables: the transaction was rolled back after its entities were written to table %s",
        table.options.table.c_str());
  }
  Leave(table);
  return SQLITE_OK;
}

int TableSavepoint(sqlite3_vtab* vtab, int number) {
  return Guard(&vtab->zErrMsg, [&] {
    Table& table = TableOf(vtab);
    table.marks.Savepoint(number, NextSequence(table));
    return Status();
  });
}

int TableRelease(sqlite3_vtab* vtab, int number) {
  TableOf(vtab).marks.Release(number);
  return SQLITE_OK;
}

int TableRollbackTo(sqlite3_vtab* vtab, int number) {
  return Guard(&vtab->zErrMsg, [&] {
    Table& table = TableOf(vtab);
    if (!table.writing) return Status();
    // Also called when a statement fails that was refused its first row, with nothing to undo.
    const auto sequence = table.marks.RollbackTo(number);
    if (!sequence) return Status();
    if (HasRowsFrom(table, *sequence)) AZTABLES_RETURN_IF_ERROR(CheckNotSent(table));
    table.writing->writes.TruncateTo(*sequence, table.id);
    return Status();
  });
}

}  // namespace aztables
