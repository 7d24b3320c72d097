// ReadSet: what a transaction's writing statements have read of the rows that they will change, by
// rowid. SQLite returns with the rowid alone, after the cursor has moved on.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "vtab/session/statements.h"
#include "write/write_log.h"

namespace aztables {

struct RowRead {
  bool read = false;       // at least once
  bool remote = false;     // the service returned the entity; else only the transaction has it
  bool conflicts = false;  // both: the INSERT of the row will fail
  std::string etag;        // as the service returned it
  int64_t read_at = 0;     // the value for EntityWrite::read_at
  bool version_conflict = false;  // the statement has also read another ETag
  std::string entity;             // its properties as the row showed them, if an UPDATE needs them
  // Only for UPDATE ... FROM, in which several rows may match one entity; the last one counts.
  bool shown = false;                 // `entity` and `timestamp` are of this statement
  std::string timestamp;              // as the row showed it
  bool changed = false;               // the statement has changed the row before
  bool replaced = false;              // UPDATE OR REPLACE has put another entity in its place
  int to_come = 0;                    // how often it was requested and has not yet been changed
  bool again = false;                 // it was requested more than once
  std::optional<EntityKey> moved_to;  // the statement has changed its key to this one
  int64_t moved_at = 0;               // the number of that move for WriteLog::TakeBack()

  // Whether the statement will change the row.
  bool Awaited() const { return !changed && !replaced; }
};

class ReadSet {
 public:
  // The writing statement reads, within the earlier statements that still run. What other
  // statements have read is forgotten.
  void Enter(int64_t statement, const StatementTracker& statements) {
    while (!stack_.empty() && stack_.back().statement != statement &&
           !statements.Runs(stack_.back().statement)) {
      stack_.pop_back();
    }
    if (stack_.empty() || stack_.back().statement != statement)
      stack_.push_back({statement, {}, 0});
  }
  // A statement changes rows: the statements that it called have ended. `collected`: it has read
  // the rows.
  void Return(bool collected, const StatementTracker& statements) {
    const size_t least = collected ? 1 : 0;
    while (stack_.size() > least && !statements.Runs(stack_.back().statement)) stack_.pop_back();
  }

  // For the statement that was entered last. REQUIRES: there is one
  RowRead& At(int64_t rowid) { return stack_.back().rows[rowid]; }
  // Null if no writing statement has read the row.
  RowRead* Find(int64_t rowid) {
    if (stack_.empty()) return nullptr;
    const auto row = stack_.back().rows.find(rowid);
    return row == stack_.back().rows.end() ? nullptr : &row->second;
  }
  // The same, if the statement was entered last.
  const RowRead* FindOf(int64_t statement, int64_t rowid) const {
    if (stack_.empty() || stack_.back().statement != statement) return nullptr;
    const auto row = stack_.back().rows.find(rowid);
    return row == stack_.back().rows.end() ? nullptr : &row->second;
  }
  // An UPDATE has requested the row, and later changes it. If UPDATE ... FROM matches several rows,
  // it requests the row more than once before it changes the first.
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
  // Whether a row that the statement has changed may occur again.
  bool AnyComesAgain() const { return !stack_.empty() && stack_.back().again > 0; }

  void Forget(int64_t rowid) {
    if (!stack_.empty()) stack_.back().rows.erase(rowid);
  }
  // Whether a statement has read the row and has not changed it yet.
  bool IsAwaited(int64_t rowid) const {
    return std::any_of(stack_.begin(), stack_.end(), [&](const OfStatement& of) {
      const auto row = of.rows.find(rowid);
      return row != of.rows.end() && row->second.Awaited();
    });
  }
  // How many rows the statement that was entered last has read and has not changed yet.
  int64_t CountAwaited() const {
    if (stack_.empty()) return 0;
    const auto& rows = stack_.back().rows;
    return std::count_if(rows.begin(), rows.end(),
                         [](const auto& row) { return row.second.Awaited(); });
  }
  void Clear() { stack_ = {}; }

 private:
  struct OfStatement {
    int64_t statement;
    std::unordered_map<int64_t, RowRead> rows;
    int64_t again = 0;  // how many rows occur more than once
  };

  // A statement that a function calls ends before its caller continues.
  std::vector<OfStatement> stack_;
};

}  // namespace aztables
