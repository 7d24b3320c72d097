// Transaction: the rows that the virtual tables of one database connection have written in a
// transaction (TransactionState), and the COMMIT that sends them.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <vector>

#include "base/status.h"
#include "vtab/session/session.h"
#include "write/commit.h"

namespace aztables {

struct Table;

// kAborted if a function of the statement that writes to the table has rolled back its writes.
Status CheckNotRolledBack(Table& table);
// SQLite does not notify a table of a ROLLBACK TO that undoes its own CREATE. This drops the writes
// of such a table.
Status DropRowsOfUncreated(const TransactionState& state);
// The writes of the transaction, one TableWrites per remote table, in the order in which they
// joined.
std::vector<TableWrites> CollectWrites(const TransactionState& state);
// Sends the writes: the first xSync of a COMMIT. SQLITE_BUSY leaves the transaction open.
Status SendTransaction(Session& session);
// Sends what was planned, and records the outcome. `later`, `again`: see CommitWrites().
Status SendPlanned(Session& session, std::vector<TableWrites>& writes, std::vector<Egt>& egts,
                   int64_t later, Again again);

// send_bulk.cc: whether the table's remote table has enough pending writes to send.
bool IsWorthSending(const Table& table);
// With bulk=on, sends the full EGTs that are pending for the remote table. Sends all EGTs if `all`
// is set, or if the log has reached half of its limit. Sends nothing if sending is held. After a
// failure nothing more is sent before COMMIT. An UPDATE or DELETE has read all its rows before it
// changes the first, so it fails before it sends if max_entities does not allow all. REQUIRES: the
// running statement will not change a row a second time
Status SendBulk(Table& table, bool all);
// Why nothing may be sent now; empty if sending is allowed. Rows that a statement still reads must
// not change meanwhile.
std::string WhyHeld(const Table& table);

}  // namespace aztables
