// InterruptWatch: see interrupt.h.
#include "vtab/sqlite/interrupt.h"

namespace aztables {
namespace {

constexpr char kShortSql[] = "SELECT 1";
// About ten thousand steps, 0.1 ms: SQLite calls a progress handler after a number of steps of one
// statement. An authorizer that allows reads of some tables only allows this too: count(*) would
// read `n`.
constexpr char kLong[] =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 700) SELECT 1 FROM n "
    "WHERE i = 0";
constexpr std::chrono::milliseconds kALook{5};
constexpr std::chrono::milliseconds kAWait{40};

// When each probe ran last. A callback of SQLite may wait for many requests with a watch for each,
// all of them shorter than the time between two looks.
thread_local std::chrono::steady_clock::time_point looked_last;
thread_local std::chrono::steady_clock::time_point asked_last;

}  // namespace

InterruptWatch::InterruptWatch(sqlite3* db, Budget budget)
    : db_(db), budget_(std::move(budget)), cancel_([this] { return Check(); }) {}

Status InterruptWatch::Check() {
  // Callers ask again what ended their wait.
  interrupted_ = interrupted_ || Interrupted();
  if (interrupted_) return {Code::kInterrupt, "interrupted"};
  return budget_.CheckTime();
}

InterruptWatch::~InterruptWatch() {
  sqlite3_finalize(short_.statement);
  sqlite3_finalize(long_.statement);
}

bool InterruptWatch::Interrupted() {
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_last >= kAWait) {
    asked_last = now;
    if (IsStopped(long_, kLong)) return true;
  }
  // SQLite itself looks before and after each callback.
  if (now - looked_last < kALook) return false;
  looked_last = now;
  return IsStopped(short_, kShortSql);
}

bool InterruptWatch::IsStopped(Probe& probe, const char* sql) {
  if (probe.statement == nullptr && !probe.failed) {
    const int rc = sqlite3_prepare_v2(db_, sql, -1, &probe.statement, nullptr);
    if (rc == SQLITE_INTERRUPT) return true;
    probe.failed = rc != SQLITE_OK;
  }
  if (probe.failed) return false;
  const int rc = sqlite3_step(probe.statement);
  sqlite3_reset(probe.statement);
  return rc == SQLITE_INTERRUPT;
}

}  // namespace aztables
