// InterruptWatch: see interrupt.h.
#include "interrupt.h"

namespace aztables {

InterruptWatch::InterruptWatch(sqlite3* db, Budget budget)
    : db_(db), budget_(std::move(budget)), cancel_([this] { return Check(); }) {}

Status InterruptWatch::Check() {
  if (Interrupted()) return {Code::kInterrupt, "interrupted"};
  return budget_.CheckTime();
}

InterruptWatch::~InterruptWatch() { sqlite3_finalize(probe_); }

bool InterruptWatch::Interrupted() {
  if (probe_ == nullptr && !probe_failed_) {
    const int rc = sqlite3_prepare_v2(db_, "SELECT 1", -1, &probe_, nullptr);
    if (rc == SQLITE_INTERRUPT) return true;
    probe_failed_ = rc != SQLITE_OK;  // an authorizer may forbid it
  }
  if (probe_failed_) return false;
  const int rc = sqlite3_step(probe_);
  sqlite3_reset(probe_);
  return rc == SQLITE_INTERRUPT;
}

}  // namespace aztables
