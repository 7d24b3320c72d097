// InterruptWatch: whether sqlite3_interrupt() was called while a statement waits. SQLite
// before 3.41 has no routine that says so; a trivial statement on the same connection fails with
// SQLITE_INTERRUPT while the flag is set, and lets a progress handler have its say.
//
// Thread rule: the thread of the database connection, inside a running statement.
#pragma once

#include "aztables/base/cancel.h"
#include "sqlite_api.h"

namespace aztables {

// A Cancel for one callback of SQLite: do not keep it longer.
class InterruptWatch {
 public:
  explicit InterruptWatch(sqlite3* db);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  const Cancel& cancel() const { return cancel_; }

 private:
  bool Interrupted();

  sqlite3* db_;
  sqlite3_stmt* probe_ = nullptr;  // prepared at the first question
  bool probe_failed_ = false;
  Cancel cancel_;
};

}  // namespace aztables
