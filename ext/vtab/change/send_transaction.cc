// SendTransaction: the COMMIT of a transaction's writes; see transaction.h.
#include <algorithm>

#include "base/encoding.h"
#include "vtab/scan/read_sample.h"
#include "vtab/sqlite/interrupt.h"
#include "vtab/sqlite/sql.h"
#include "vtab/table.h"
#include "vtab/transaction.h"
#include "write/commit.h"

namespace aztables {
namespace {

// The strictest rules of the tables that have written.
ReadRules RulesOf(const TransactionState& state) {
  ReadRules rules;
  for (const Table* table : state.participants) {
    if (table->part.joined()) rules.Tighten(table->options, table->SqlName());
  }
  return rules;
}

Atomicity AtomicityOf(const TransactionState& state) {
  Atomicity strictest = Atomicity::kEgt;
  for (const Table* table : state.participants) {
    if (table->part.wrote()) {
      strictest = std::max(strictest, table->options.atomic);
    }
  }
  return strictest;
}

// "table Orders" or "tables Orders, Items".
std::string TableNames(const std::vector<TableWrites>& writes) {
  std::string names = writes.size() == 1 ? "table " : "tables ";
  for (const TableWrites& of_table : writes) {
    if (&of_table != writes.data()) names += ", ";
    names += of_table.to.table;
  }
  return names;
}

// "; the statement had used 10 requests for 9000 entities"
std::string UsedText(const Spending& spending) {
  return "; the statement had used " + std::to_string(spending.requests) +
         (spending.requests == 1 ? " request" : " requests") + " for " +
         std::to_string(spending.entities) + (spending.entities == 1 ? " entity" : " entities");
}

Status MakePlan(Session& session) {
  TransactionState& state = session.transaction();
  AZTABLES_RETURN_IF_ERROR(DropRowsOfUncreated(state));
  TransactionState::Plan plan;
  plan.writes = CollectWrites(state);
  if (plan.writes.empty()) return {};
  auto egts = PlanEgts(plan.writes);
  if (!egts.ok()) return egts.status();
  AZTABLES_RETURN_IF_ERROR(
      CheckAtomicity(*egts, plan.writes, AtomicityOf(state), session.commits().sent_before()));
  plan.egts = std::move(*egts);
  for (const Table* table : state.participants) {
    if (table->part.joined()) plan.connections.push_back(table->part.connection());
  }
  state.plan = std::move(plan);
  return {};
}

}  // namespace

Status DropRowsOfUncreated(const TransactionState& state) {
  for (Table* table : state.participants) {
    if (!table->part.created() || !table->part.joined()) continue;
    bool exists = false;
    // It may have been renamed since, and have its old name again; another table may have its name
    // now.
    const bool replaced = std::any_of(
        table->session->tables().begin(), table->session->tables().end(), [&](const Table* other) {
          return other->id > table->id && other->part.created() &&
                 other->schema_name == table->schema_name &&
                 EqualsIgnoreCase(other->part.created_as(), table->part.created_as());
        });
    if (replaced) {
      table->part.pending().log().TruncateTo(0, table->id);
      continue;
    }
    AZTABLES_RETURN_IF_ERROR(RunSql(table->session->db(),
                                    "SELECT 1 FROM " + SqlIdentifier(table->schema_name) +
                                        ".sqlite_schema WHERE type = 'table' AND name COLLATE "
                                        "NOCASE IN (?1, ?2)",
                                    {table->name, table->part.created_as()},
                                    [&](sqlite3_stmt*) { exists = true; }));
    if (!exists) table->part.pending().log().TruncateTo(0, table->id);
  }
  return {};
}

std::vector<TableWrites> CollectWrites(const TransactionState& state) {
  std::vector<TableWrites> writes;
  for (Table* table : state.participants) {
    if (!table->part.joined()) continue;
    const WriteLog* const log = &table->part.pending().log();
    if (log->empty()) continue;
    const auto known = std::find_if(writes.begin(), writes.end(),
                                    [&](const TableWrites& other) { return other.log == log; });
    if (known != writes.end()) {
      EgtTarget& to = known->to;
      to.create_missing = to.create_missing || table->options.create_missing;
      to.parallel = std::min(to.parallel, table->options.parallel);
      to.continue_on_error = to.continue_on_error && table->options.continue_on_error;
      known->batch = std::min(known->batch, table->options.batch);
      continue;
    }
    writes.push_back({.to = {.client = table->part.connection()->client.get(),
                             .table = table->options.table,
                             .options = table->Call(),
                             .create_missing = table->options.create_missing,
                             .parallel = table->options.parallel,
                             .continue_on_error = table->options.continue_on_error},
                      .log = log,
                      .batch = table->options.batch});
  }
  return writes;
}

Status SendPlanned(Session& session, std::vector<TableWrites>& writes, std::vector<Egt>& egts,
                   int64_t later, Again again) {
  const TransactionState& state = session.transaction();
  const ReadRules rules = RulesOf(state);
  const StatementTracker::Statement statement = session.statements().Current();
  const Budget budget{statement.spending, rules.limits};
  for (TableWrites& of_table : writes) {
    of_table.to.options.budget = budget;
    of_table.to.options.statement_id = statement.id;
  }
  session.responses().Clear();  // they hold responses from before the writes
  const InterruptWatch watch(session.db(), budget);
  const Spending before = *statement.spending;
  Status status = CommitWrites(writes, egts, watch.cancel(), budget,
                               session.commits().sent_before(), later, again);
  session.commits().Add(writes, egts);
  for (const Egt& egt : egts) {
    if (status.ok() || egt.status.failure().code != "TableNotFound") continue;
    const TableWrites& of_table = writes[egt.table];
    status = WithSimilarTables(*of_table.to.client, of_table.to.table, of_table.to.options,
                               watch.cancel(), status);
    break;
  }
  if (status.code() == Code::kBudget || status.code() == Code::kInterrupt) {
    status = status.In("writing to " + TableNames(writes));
    if (status.code() == Code::kBudget) {
      // If a limit did not allow the whole plan, nothing was sent. Other messages have the numbers.
      const bool refused = statement.spending->requests == before.requests;
      const bool timeout = status.failure().limit == "max_seconds";
      if (refused && !timeout && before.requests > 0) status = status.Noting(UsedText(before));
      status = status.Noting("; " + LimitOverride(rules, status));
    }
  }
  for (Table* participant : state.participants) {
    if (!participant->part.joined()) continue;
    static_cast<void>(participant->part.connection()->Note(status));
    participant->part.remote().missing_for = 0;  // create=missing may have created the table
  }
  return status;
}

namespace {

// Settles what bulk=on has sent before COMMIT. If that fails for good, each COMMIT fails.
Status SettleSent(Session& session, Again again) {
  TransactionState& state = session.transaction();
  if (!state.open) return {};
  std::vector<Egt>& egts = state.open->egts();
  Status status = SendPlanned(session, state.open->writes(), egts, 0, again);
  if (status.code() == Code::kBusy) return status;
  session.commits().SentBefore(CountEgts(egts, EgtOutcome::kApplied));
  state.open.reset();
  return state.commit_error = status;
}

Status SendPlan(Session& session, Again again) {
  TransactionState& state = session.transaction();
  if (!state.plan) {
    if (const Status made = MakePlan(session); !made.ok()) {
      return made.Noting(AppliedText(session.commits().sent_before()));
    }
  }
  if (!state.plan) return {};
  Status status = SendPlanned(session, state.plan->writes, state.plan->egts, 0, again);
  state.sent = status.ok();
  if (!status.ok() && status.code() != Code::kBusy) state.plan.reset();
  return status;
}

}  // namespace

Status SendTransaction(Session& session) {
  const TransactionState& state = session.transaction();
  AZTABLES_RETURN_IF_ERROR(state.commit_error);
  if (state.sent || state.participants.empty()) return {};
  const Again again = state.may_repeat_commit ? Again::kRepeatedCommit : Again::kNobody;
  const StatementTracker::Statement statement = session.statements().Current();
  Status status = SettleSent(session, again);
  if (status.ok()) status = SendPlan(session, again);
  session.statements().Ended(statement);  // it sends nothing more
  session.commits().CommitEnded();
  return status;
}

}  // namespace aztables
