// RowsRead: what the statements of a transaction that write have read of the rows they are about to
// change, by rowid: SQLite comes back with the rowid alone, after the cursor has moved on.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "write/write_log.h"

namespace aztables {

// What became of what was pending of a row, where it was sent after the statement had read the row
// and before it changed it.
enum class Fate : uint8_t {
  kNone,     // it is as it was read
  kRefused,  // the service did not take it, so neither does it take the change
  kGone,     // it was left out, as INSERT OR IGNORE and REPLACE do: there is no row to change
};

struct RowRead {
  bool read = false;  // once at least
  Fate fate = Fate::kNone;
  bool remote = false;     // the service has shown the entity; else it is the transaction's own
  bool conflicts = false;  // both: the INSERT of the row will fail
  std::string etag;        // as the service gave it
  int64_t read_at = 0;     // what EntityWrite::read_at is of it
  bool torn = false;       // the statement has read another ETag, too: it changed meanwhile
  std::string entity;      // its properties as the row showed them, where an UPDATE needs them
  // Of UPDATE ... FROM alone, in which several rows may meet one entity; the last one counts.
  bool shown = false;      // `entity`, `timestamp` and `shown_etag` are of this statement
  std::string timestamp;   // as the row showed it
  std::string shown_etag;  // too: what is sent meanwhile gives `etag` a new one
  bool changed = false;    // the statement has changed the row before
  int to_come = 0;         // how often it was asked for and has not come back to be changed
  bool again = false;      // and that was more than once
  std::optional<EntityKey> moved_to;  // and its key to this one
  int64_t moved_at = 0;               // what WriteLog::TakeBack() knows that by
};

class RowsRead {
 public:
  // The statement that writes reads, within those that began before it and still run, as `runs`
  // says of a statement's number. What others have read is forgotten.
  template <typename Runs>
  void Enter(int64_t statement, Runs runs) {
    while (!stack_.empty() && stack_.back().statement != statement &&
           !runs(stack_.back().statement)) {
      stack_.pop_back();
    }
    if (stack_.empty() || stack_.back().statement != statement)
      stack_.push_back({statement, {}, 0});
  }
  // The statement changes rows: those that it has called have ended.
  template <typename Runs>
  void Return(Runs runs) {
    while (stack_.size() > 1 && !runs(stack_.back().statement)) stack_.pop_back();
  }

  // Of the statement that was entered last. REQUIRES: there is one
  RowRead& At(int64_t rowid) { return stack_.back().rows[rowid]; }
  // Null where the row was not read by a statement that writes.
  RowRead* Find(int64_t rowid) { return stack_.empty() ? nullptr : FindIn(stack_.back(), rowid); }
  // An UPDATE has asked for the row; it has come back to be changed. UPDATE ... FROM asks for one
  // more than once where it meets several rows, before it changes the first.
  void Asked(RowRead& row) {
    if (++row.to_come < 2 || row.again) return;
    row.again = true;
    ++stack_.back().again;
  }
  void Came(int64_t rowid) {
    RowRead* const row = Find(rowid);
    if (row == nullptr || row->to_come == 0 || --row->to_come > 0 || !row->again) return;
    row->again = false;
    --stack_.back().again;
  }
  // Whether a row that the statement has changed may come back once more.
  bool AnyComesAgain() const { return !stack_.empty() && stack_.back().again > 0; }

  void Forget(int64_t rowid) {
    if (!stack_.empty()) stack_.back().rows.erase(rowid);
  }
  // Of every statement that has read it.
  template <typename Visit>
  void ForEach(int64_t rowid, Visit visit) {
    for (OfStatement& of : stack_) {
      if (RowRead* const row = FindIn(of, rowid)) visit(*row);
    }
  }
  void Clear() { stack_ = {}; }

 private:
  struct OfStatement {
    int64_t statement;
    std::unordered_map<int64_t, RowRead> rows;
    int64_t again = 0;  // of the rows, which come more than once
  };
  static RowRead* FindIn(OfStatement& of, int64_t rowid) {
    const auto row = of.rows.find(rowid);
    return row == of.rows.end() ? nullptr : &row->second;
  }

  std::vector<OfStatement>
      stack_;  // a statement that a function calls ends before its caller goes on
};

}  // namespace aztables
