// StatementTracker: see statements.h.
#include "statements.h"

#include <algorithm>
#include <string>

namespace aztables {

StatementTracker::Statement StatementTracker::Current() {
  std::vector<Seen> busy;
  Statement newest;
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    if (sqlite3_stmt_busy(s) == 0) continue;
    const int runs = sqlite3_stmt_status(s, SQLITE_STMTSTATUS_RUN, 0);
    const auto known = std::find_if(running_.begin(), running_.end(), [&](const Seen& seen) {
      return seen.statement == s && seen.runs == runs && seen.prepared == prepared_;
    });
    Statement statement =
        known != running_.end() ? known->known_as : Statement{++ids_, std::make_shared<Spending>()};
    busy.push_back({s, runs, prepared_, statement});
    if (statement.id > newest.id) newest = std::move(statement);
  }
  running_ = std::move(busy);
  if (!newest.spending) newest.spending = std::make_shared<Spending>();
  return newest;
}

bool StatementTracker::AnyMentions(const char* word) const {
  const std::string pattern = "%" + std::string(word) + "%";
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    const char* const sql = sqlite3_stmt_busy(s) != 0 ? sqlite3_sql(s) : nullptr;
    if (sql != nullptr && sqlite3_strlike(pattern.c_str(), sql, 0) == 0) return true;
  }
  return false;
}

}  // namespace aztables
