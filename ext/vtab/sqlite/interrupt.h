// InterruptWatch: whether sqlite3_interrupt() was called while a statement waits. SQLite
// before 3.41 has no routine that says so; a trivial statement on the same connection fails with
// SQLITE_INTERRUPT while the flag is set, and lets a progress handler have its say. The end of a
// budget's time ends the wait as well.
//
// Thread rule: the thread of the database connection, inside a running statement.
#pragma once

#include <chrono>

#include "base/cancel.h"
#include "http/budget.h"
#include "vtab/sqlite/sqlite_api.h"

namespace aztables {

// A Cancel for one callback of SQLite: do not keep it longer.
class InterruptWatch {
 public:
  explicit InterruptWatch(sqlite3* db, Budget budget = {});
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  const Cancel& cancel() const { return cancel_; }

 private:
  struct Probe {
    sqlite3_stmt* statement = nullptr;  // prepared at the first question
    bool failed = false;                // an authorizer may forbid it
  };

  Status Check();
  bool Interrupted();
  bool IsStopped(Probe& probe, const char* sql);

  sqlite3* db_;
  Budget budget_;
  Probe short_;  // for every question
  Probe long_;   // for every wait
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
  Cancel cancel_;
};

}  // namespace aztables
