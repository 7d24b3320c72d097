// Transaction: the state that the virtual tables of one database connection share during a
// transaction, and the COMMIT that sends it.
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
  // The plan of a COMMIT that was tried. If the service was busy, or SQLite itself could not
  // finish, SQLite leaves the transaction open. A repeated COMMIT continues with this plan.
  struct Plan {
    std::vector<std::shared_ptr<Connection>> connections;  // of the writes, kept
    std::vector<TableWrites> writes;
    std::vector<Egt> egts;
  };
  std::optional<Plan> plan;
  bool sent = false;  // all of it was sent, and successfully
  // ROLLBACK TO ran within a statement. If that statement writes by a trigger, SQLite does not
  // distinguish it from a later one.
  bool rolled_back_within = false;
  // Why the COMMIT must fail. Either SQLite rolled local tables back to a savepoint and the service
  // could not follow, or writes sent before COMMIT have an unknown outcome.
  Status commit_error;
};

// kAborted if a function of the statement that writes to the table has rolled back its writes.
Status CheckNotRolledBack(Table& table);
// SQLite does not notify a table of a ROLLBACK TO that undoes its own CREATE. This drops the writes
// of such a table.
Status DropRowsOfUncreated(const TransactionState& state);
// The writes of the transaction, one TableWrites per remote table, in the order in which they
// joined.
std::vector<TableWrites> CollectWrites(const TransactionState& state);
// Sends the writes: the first xSync of a COMMIT. SQLITE_BUSY leaves the transaction open.
Status SendTransaction(Session& session, TransactionState& state);
// Sends what was planned, and records the outcome.
Status SendPlanned(Session& session, const TransactionState& state,
                   std::vector<TableWrites>& writes, std::vector<Egt>& egts);

// send_bulk.cc: whether the table's remote table has enough pending writes to send.
bool IsWorthSending(const Table& table);
// With bulk=on, sends the full EGTs that are pending for the remote table. Sends all EGTs if `all`
// is set, or if the log has reached half of its limit. Sends nothing if sending is held. After a
// failure nothing more is sent before COMMIT. REQUIRES: the running statement will not change a row
// a second time
Status SendBulk(Table& table, bool all);
// Why nothing may be sent now; empty if sending is allowed. Rows that a statement still reads must
// not change meanwhile.
std::string WhyHeld(const Table& table);

}  // namespace aztables
