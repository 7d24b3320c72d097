// Transaction: what the virtual tables of one database connection share while a transaction runs,
// and the COMMIT that sends it.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "vtab/session/session.h"
#include "write/egt_plan.h"

namespace aztables {

struct Table;

struct TransactionState {
  std::vector<Table*> participants;  // in the order in which they joined
  // The COMMIT that was tried: SQLite leaves the transaction open where the service was busy, or
  // where SQLite itself could not finish. A repeated COMMIT goes on with this plan.
  struct Plan {
    std::vector<std::shared_ptr<Connection>> connections;  // of the writes, kept
    std::vector<TableWrites> writes;
    std::vector<Egt> egts;
  };
  std::optional<Plan> plan;
  bool sent = false;  // all of it, and successfully
  // ROLLBACK TO ran within a statement. If that statement writes by a trigger, SQLite does not tell
  // it from a later one.
  bool rolled_back_within = false;
  // Why its COMMIT has to fail: SQLite took local tables back to a savepoint, which the service
  // could not follow any more, or what was sent before COMMIT has an unknown outcome.
  Status doomed;
};

// kAborted if a function of the statement that writes to the table has rolled back what it wrote.
Status CheckNotRolledBack(Table& table);
// SQLite does not tell a table of a ROLLBACK TO that takes its own CREATE back: what it wrote goes
// with it.
Status DropRowsOfUncreated(const TransactionState& state);
// What the transaction has to send, one TableWrites per remote table, in the order in which they
// joined.
std::vector<TableWrites> CollectWrites(const TransactionState& state);
// Sends it: the first xSync of a COMMIT. SQLITE_BUSY leaves the transaction open.
Status SendTransaction(Session& session, TransactionState& state);
// Sends what was planned, and records what became of it.
Status SendPlanned(Session& session, const TransactionState& state,
                   std::vector<TableWrites>& writes, std::vector<Egt>& egts);

// send_bulk.cc: whether the table's remote table has enough pending to be sent.
bool IsWorthSending(const Table& table);
// With bulk=on, sends the full EGTs that the remote table has pending, or all where `all` says so
// or the log is half as large as it may be; nothing where it is held. After a failure nothing more
// is sent before COMMIT. REQUIRES: no row is going to be changed a second time by the statement
// that runs
Status SendBulk(Table& table, bool all);
// Why it must not send now; empty where it may. What a statement still reads must not change under
// it.
std::string WhyHeld(const Table& table);

}  // namespace aztables
