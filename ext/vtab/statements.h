// StatementTracker: which statement a request belongs to, and what that statement has spent. SQLite
// does not tell a virtual table; a running statement is known by its handle, by how often it was
// run, and by whether anything was prepared since it was last seen (a new statement may get the
// handle of a finalized one).
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "aztables/http/budget.h"
#include "sqlite_api.h"

namespace aztables {

class StatementTracker {
 public:
  explicit StatementTracker(sqlite3* db) : db_(db) {}

  // A statement that uses one of our tables is being prepared.
  void Prepared() { ++prepared_; }
  struct Statement {
    int64_t id = 0;  // 1, 2, 3, ... in the order in which statements first asked; 0: none runs
    std::shared_ptr<Spending> spending;
  };
  // The statement that calls.
  Statement Current();
  // Whether the text of a running statement has `word` in it, in any case.
  bool AnyMentions(const char* word) const;
  // A new number for a scan (one xFilter).
  int64_t NextScan() { return ++scans_; }

 private:
  struct Seen {
    sqlite3_stmt* statement;
    int runs;
    int64_t prepared;
    Statement known_as;
  };

  sqlite3* db_;
  int64_t prepared_ = 0;
  int64_t ids_ = 0;
  int64_t scans_ = 0;
  std::vector<Seen> running_;  // those that were busy at the last call
};

}  // namespace aztables
