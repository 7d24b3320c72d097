// StatementTracker: see statements.h.
#include "vtab/session/statements.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <string_view>

#include "vtab/trust/direct_use.h"

namespace aztables {

std::vector<StatementTracker::Seen> StatementTracker::ListRunning() const {
  std::vector<Seen> running;
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    if (sqlite3_stmt_busy(s) == 0) continue;
    const char* const sql = sqlite3_sql(s);
    Seen seen;
    seen.statement = s;
    seen.runs = sqlite3_stmt_status(s, SQLITE_STMTSTATUS_RUN, 0);
    seen.text = std::hash<std::string_view>()(sql != nullptr ? sql : "");
    const auto known = std::find_if(running_.begin(), running_.end(), [&](const Seen& earlier) {
      return earlier.statement == s && earlier.runs == seen.runs && earlier.text == seen.text;
    });
    if (known != running_.end()) seen.known_as = known->known_as;
    running.push_back(std::move(seen));
  }
  std::reverse(running.begin(), running.end());  // SQLite lists the newest first
  return running;
}

void StatementTracker::Prepared() {
  std::vector<sqlite3_stmt*> readers;
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    const bool known = std::find(readers_.begin(), readers_.end(), s) != readers_.end();
    // A statement has no text until it is prepared.
    if (known || sqlite3_sql(s) == nullptr) readers.push_back(s);
  }
  readers_ = std::move(readers);
  running_ = ListRunning();
  std::erase_if(running_, [](const Seen& seen) { return seen.known_as.id == 0; });
}

bool StatementTracker::Reads(const Seen& seen) const {
  return std::find(readers_.begin(), readers_.end(), seen.statement) != readers_.end();
}

// SQLite counts a run when it begins. So a count of 0 marks a running statement, and the mark ends
// with the run: a later statement may get the same handle.
bool StatementTracker::RolledBack() noexcept {
  bool any = false;
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    if (sqlite3_stmt_busy(s) == 0 || sqlite3_stmt_readonly(s) != 0) continue;
    const int runs = sqlite3_stmt_status(s, SQLITE_STMTSTATUS_RUN, 1);
    for (Seen& seen : running_) {
      if (seen.statement == s && seen.runs == runs) seen.runs = 0;
    }
    any = true;
  }
  rolled_back_ = rolled_back_ || any;
  return any;
}

bool StatementTracker::IsRolledBack() {
  if (!rolled_back_) return false;
  bool marked = false;
  bool unmarked = false;
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    if (sqlite3_stmt_busy(s) == 0 || sqlite3_stmt_readonly(s) != 0) continue;
    (sqlite3_stmt_status(s, SQLITE_STMTSTATUS_RUN, 0) == 0 ? marked : unmarked) = true;
  }
  rolled_back_ = marked;
  return marked && !unmarked;
}

bool StatementTracker::ExecutesRollback() const {
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    const char* const sql = sqlite3_sql(s);
    if (sqlite3_stmt_busy(s) != 0 && sql != nullptr && BeginsWith(sql, "rollback")) return true;
  }
  return false;
}

void StatementTracker::Know(Seen& seen) {
  if (seen.known_as.id != 0) return;
  const bool writes = sqlite3_stmt_readonly(seen.statement) == 0;
  seen.known_as = {++ids_, std::make_shared<Spending>(), writes};
}

StatementTracker::Statement StatementTracker::Current() {
  running_ = ListRunning();
  Statement newest;
  for (Seen& seen : running_) {
    Know(seen);
    if (seen.known_as.id > newest.id) newest = seen.known_as;
  }
  if (!newest.spending) newest.spending = std::make_shared<Spending>();
  return newest;
}

bool StatementTracker::Runs(int64_t id) const {
  const std::vector<Seen> running = ListRunning();
  return std::any_of(running.begin(), running.end(),
                     [&](const Seen& seen) { return seen.known_as.id == id; });
}

StatementTracker::Statement StatementTracker::OfPlan(const char* plan) {
  running_ = ListRunning();
  std::erase_if(plans_, [this](const Plan& known) {
    return std::none_of(running_.begin(), running_.end(),
                        [&](const Seen& seen) { return seen.known_as.id == known.statement.id; });
  });
  for (const Plan& known : plans_) {
    if (known.text == plan) return known.statement;
  }
  Statement newest;
  for (const bool reads : {false, true}) {
    for (Seen& seen : running_) {
      if (Reads(seen) != reads) continue;
      Know(seen);
      if (reads && seen.known_as.id > newest.id) newest = seen.known_as;
    }
  }
  plans_.push_back({plan, newest.id > 0 ? newest : Current()});
  return plans_.back().statement;
}

void StatementTracker::Ended(const Statement& statement) {
  std::erase_if(running_, [&](const Seen& seen) { return seen.known_as.id == statement.id; });
}

void StatementTracker::TransactionEnded() noexcept {
  try {
    running_ = ListRunning();
  } catch (const std::bad_alloc&) {
    running_.clear();  // those that still run become new statements
  }
  std::erase_if(running_, [](const Seen& seen) {
    return seen.known_as.id == 0 || sqlite3_stmt_readonly(seen.statement) == 0;
  });
}

namespace {

bool Asks(sqlite3_stmt* statement, const std::function<bool(const char*)>& asks) {
  const char* const sql = sqlite3_sql(statement);
  return sql != nullptr && asks(sql);
}

// SQLite changes an expanded text ("-- " before each line) while one statement executes within
// another. A statement that cannot be checked counts as nested.
bool IsNested(sqlite3_stmt* probe) {
  char* const text = probe != nullptr ? sqlite3_expanded_sql(probe) : nullptr;
  const bool single = text != nullptr && std::strcmp(text, sqlite3_sql(probe)) == 0;
  sqlite3_free(text);
  return !single;
}

// A text that is cheap to expand and has no parameters.
bool IsShort(sqlite3_stmt* statement) {
  constexpr size_t kShort = 500;
  const char* const sql = sqlite3_sql(statement);
  return sql != nullptr && strnlen(sql, kShort) < kShort &&
         sqlite3_bind_parameter_count(statement) == 0;
}

}  // namespace

bool StatementTracker::IsOneNested(const std::vector<sqlite3_stmt*>& known) const {
  const auto probe = std::find_if(known.begin(), known.end(), IsShort);
  if (probe != known.end()) return IsNested(*probe);
  sqlite3_stmt* own = nullptr;
  sqlite3_prepare_v2(db_, "SELECT 1", -1, &own, nullptr);
  const bool nested = IsNested(own);
  sqlite3_finalize(own);
  return nested;
}

// A running statement that has returned no row executes. One that has returned a row waits, or
// executes again: only old versions of SQLite show which. It certainly waits if it is not the one
// that executes.
bool StatementTracker::AllExecuting(const std::function<bool(const char*)>& asks) const {
  bool any = false;
  std::vector<sqlite3_stmt*> with_row;
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    if (sqlite3_stmt_busy(s) == 0) continue;
    if (sqlite3_data_count(s) > 0) {
      with_row.push_back(s);
      continue;
    }
    if (!Asks(s, asks)) return false;
    any = true;
  }
  if (with_row.empty() || (any && !IsOneNested(with_row))) return any;
  return std::all_of(with_row.begin(), with_row.end(),
                     [&](sqlite3_stmt* s) { return Asks(s, asks); });
}

// SQLite prepares a statement again if the schema has changed, under another handle.
bool StatementTracker::AllReaders(const std::function<bool(const char*)>& asks) const {
  bool any = false;
  for (const Seen& seen : ListRunning()) {
    const bool again = sqlite3_stmt_status(seen.statement, SQLITE_STMTSTATUS_REPREPARE, 0) > 0;
    if (!again && !Reads(seen)) continue;
    if (!Asks(seen.statement, asks)) return false;
    any = true;
  }
  return any;
}

bool StatementTracker::AnyMentions(const char* word) const {
  const std::string pattern = "%" + std::string(word) + "%";
  for (sqlite3_stmt* s = sqlite3_next_stmt(db_, nullptr); s; s = sqlite3_next_stmt(db_, s)) {
    if (sqlite3_stmt_busy(s) == 0) continue;
    const char* const sql = sqlite3_sql(s);
    if (sql == nullptr || sqlite3_strlike(pattern.c_str(), sql, 0) == 0) return true;
  }
  return false;
}

}  // namespace aztables
