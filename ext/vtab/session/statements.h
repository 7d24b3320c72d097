// StatementTracker: which statement a request belongs to, and what that statement has spent. SQLite
// does not tell a virtual table; a running statement is known by its handle, its text and how often
// it was run, for as long as it is seen running (a new one may get the handle of a finalized one).
// The caller is the one that was not known yet, or else the one that was met last; who reads is
// among those that were seen being prepared with one of our tables. A plan, which is one
// statement's as long as it runs, keeps the answer.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/budget.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

class StatementTracker {
 public:
  explicit StatementTracker(sqlite3* db) : db_(db) {}

  // A statement that uses one of our tables is being prepared: forgets those that have ended.
  void Prepared();
  struct Statement {
    int64_t id = 0;  // 1, 2, 3, ... in the order in which statements first asked; 0: none runs
    std::shared_ptr<Spending> spending;
    bool writes = false;  // it may change something
  };
  // The statement that calls.
  Statement Current();
  // The statement that reads by this plan: `plan` is xFilter's idxStr, whose place in memory is the
  // statement's own.
  Statement OfPlan(const char* plan);
  // Whether the statement with this number still runs.
  bool Runs(int64_t id) const;
  // The statement has nothing more to send: another with its text and handle is another statement.
  void Ended(const Statement& statement);
  // The transaction has ended, and with it every statement that writes.
  void TransactionEnded();
  // What the statements that run have written was rolled back. Where a function of theirs ran the
  // ROLLBACK, what they write from now on would belong to no transaction, or to another. Whether
  // any of them may write.
  bool RolledBack();
  // Whether every statement that may write now ran when what it wrote was rolled back.
  bool IsRolledBack();
  // Whether a ROLLBACK or ROLLBACK TO executes. A statement that fails rolls back, too.
  bool ExecutesRollback() const;
  // Whether the text of a running statement has `word` in it, in any case, or cannot be had.
  bool AnyMentions(const char* word) const;
  // Whether each statement that executes at this moment satisfies `asks`: the one that the program
  // runs, and those that run within it. One that waits with a row for the program does not execute;
  // if that is not certain, it has to satisfy `asks`, too.
  bool AllExecuting(const std::function<bool(const char* sql)>& asks) const;
  // The texts of the running statements of which one reads one of our tables: those that were seen
  // being prepared with one. Empty: that is not known.
  std::vector<std::string> ReaderTexts() const;
  // A new number for a scan (one xFilter).
  int64_t NextScan() { return ++scans_; }

 private:
  struct Seen {
    sqlite3_stmt* statement = nullptr;
    int runs = 0;
    size_t text = 0;  // hash of it
    Statement known_as;
  };
  struct Plan {
    const char* text = nullptr;
    Statement statement;
  };
  static bool IsSame(const Seen& a, const Seen& b);
  // Those that run now, the oldest first; known_as of those that are not known is empty.
  std::vector<Seen> ListRunning() const;
  void NotePrepared();
  // Whether a statement executes within another. `known` are some that run.
  bool IsOneNested(const std::vector<sqlite3_stmt*>& known) const;
  bool Reads(const Seen& seen) const;  // one of our tables
  void Know(Seen& seen);

  sqlite3* db_;
  int64_t ids_ = 0;
  int64_t scans_ = 0;
  std::vector<Seen> running_;           // as they were last seen
  std::vector<Plan> plans_;             // of those
  bool rolled_back_ = false;            // some of them may be marked as rolled back
  std::vector<sqlite3_stmt*> readers_;  // that read our tables; some may be finalized
};

}  // namespace aztables
