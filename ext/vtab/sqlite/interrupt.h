// InterruptWatch: whether sqlite3_interrupt() was called while a statement waits. SQLite before
// 3.41 has no function for that. While the flag is set, a trivial statement on the same connection
// fails with SQLITE_INTERRUPT. Such a statement also calls a progress handler. If a budget's time
// ends, the wait ends too.
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
    sqlite3_stmt* statement = nullptr;  // prepared at the first check
    bool failed = false;                // an authorizer may forbid it
  };

  Status Check();
  bool Interrupted();
  bool IsStopped(Probe& probe, const char* sql);

  sqlite3* db_;
  Budget budget_;
  Probe short_;               // for every look
  Probe long_;                // for every wait
  bool interrupted_ = false;  // stays true, since looks are rare
  Cancel cancel_;
};

}  // namespace aztables
