// StatementTracker: which statement a request belongs to, and what that statement has spent. SQLite
// does not show this to a virtual table. A running statement is identified by its handle, its text
// and its number of runs, for as long as it is seen running. A new one may get the handle of a
// finalized one. The caller is the statement that was not known yet, or else the one seen last.
// The reader is one of those seen while being prepared with one of our tables. A plan belongs to
// one statement as long as that runs, and keeps the result.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "http/budget.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

class StatementTracker {
 public:
  explicit StatementTracker(sqlite3* db) : db_(db) {}

  // A statement that uses one of our tables is being prepared: forgets statements that have ended.
  void Prepared();
  struct Statement {
    int64_t id = 0;  // 1, 2, 3, ... in the order of the first calls; 0: none runs
    std::shared_ptr<Spending> spending;
    bool writes = false;  // it may change something
  };
  // The calling statement.
  Statement Current();
  // The statement that reads by this plan. `plan` is xFilter's idxStr, whose address belongs to the
  // statement.
  Statement OfPlan(const char* plan);
  // Whether the statement with this number still runs.
  bool Runs(int64_t id) const;
  // The statement sends nothing more: another run with its text and handle is another statement.
  void Ended(const Statement& statement);
  // The transaction has ended, and with it every writing statement.
  void TransactionEnded() noexcept;
  // The writes of the running statements were rolled back. If one of their functions ran the
  // ROLLBACK, their further writes would belong to no transaction, or to another one. Returns
  // whether any of them may write.
  bool RolledBack() noexcept;
  // Whether every statement that may write now was running when its writes were rolled back.
  bool IsRolledBack();
  // Whether a ROLLBACK or ROLLBACK TO executes. A statement that fails rolls back too.
  bool ExecutesRollback() const;
  // Whether the text of a running statement contains `word`, in any case, or is not available.
  bool AnyMentions(const char* word) const;
  // Whether each statement that executes now satisfies `asks`: the one that the program runs, and
  // those that run within it. A statement that waits with a row for the program does not execute.
  // If that is not certain, it must satisfy `asks` too.
  bool AllExecuting(const std::function<bool(const char* sql)>& asks) const;
  // Whether each running statement that may read one of our tables satisfies `asks`. False if none
  // is known.
  bool AllReaders(const std::function<bool(const char* sql)>& asks) const;
  // A new number for a scan (one xFilter).
  int64_t NextScan() { return ++scans_; }

 private:
  struct Seen {
    sqlite3_stmt* statement = nullptr;
    int runs = 0;
    size_t text = 0;  // hash of the text
    Statement known_as;
  };
  struct Plan {
    const char* text = nullptr;
    Statement statement;
  };
  // The running statements, the oldest first; known_as is empty for those that are not known.
  std::vector<Seen> ListRunning() const;
  // Whether a statement executes within another. `known` are some running statements.
  bool IsOneNested(const std::vector<sqlite3_stmt*>& known) const;
  bool Reads(const Seen& seen) const;  // one of our tables
  void Know(Seen& seen);

  sqlite3* db_;
  int64_t ids_ = 0;
  int64_t scans_ = 0;
  std::vector<Seen> running_;           // as last seen
  std::vector<Plan> plans_;             // of those
  bool rolled_back_ = false;            // some of them may be marked as rolled back
  std::vector<sqlite3_stmt*> readers_;  // statements that read our tables; some may be finalized
};

}  // namespace aztables
