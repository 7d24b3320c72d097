// StatementTracker: see statements.h.
#include "statements.h"

#include <algorithm>

namespace aztables {

int64_t StatementTracker::Current() {
  std::vector<Seen> busy;
  int64_t newest = 0;
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    if (sqlite3_stmt_busy(s) == 0) continue;
    const int runs = sqlite3_stmt_status(s, SQLITE_STMTSTATUS_RUN, 0);
    const auto known = std::find_if(running_.begin(), running_.end(), [&](const Seen& seen) {
      return seen.statement == s && seen.runs == runs && seen.prepared == prepared_;
    });
    const int64_t id = known != running_.end() ? known->id : ++ids_;
    busy.push_back({s, runs, prepared_, id});
    newest = std::max(newest, id);
  }
  running_ = std::move(busy);
  return newest;
}

}  // namespace aztables
