// StatementTracker: which statement a request belongs to. SQLite does not tell a virtual table; a
// running statement is known by its handle, by how often it was run, and by whether anything was
// prepared since it was last seen (a new statement may get the handle of a finalized one).
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <vector>

#include "sqlite_api.h"

namespace aztables {

class StatementTracker {
 public:
  explicit StatementTracker(sqlite3* db) : db_(db) {}

  // A statement that uses one of our tables is being prepared.
  void Prepared() { ++prepared_; }
  // The id of the statement that calls: 1, 2, 3, ... in the order in which statements first asked.
  int64_t Current();
  // A new number for a scan (one xFilter).
  int64_t NextScan() { return ++scans_; }

 private:
  struct Seen {
    sqlite3_stmt* statement;
    int runs;
    int64_t prepared;
    int64_t id;
  };

  sqlite3* db_;
  int64_t prepared_ = 0;
  int64_t ids_ = 0;
  int64_t scans_ = 0;
  std::vector<Seen> running_;  // those that were busy at the last call
};

}  // namespace aztables
