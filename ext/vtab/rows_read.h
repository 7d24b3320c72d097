// RowsRead: what the statements of a transaction that write have read of the rows they are about to
// change, by rowid: SQLite comes back with the rowid alone, after the cursor has moved on.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "aztables/write/write_log.h"

namespace aztables {

// What became of what was pending of a row, where it was sent after the statement had read the row
// and before it changed it.
enum class Fate : uint8_t {
  kNone,     // it is as it was read
  kRefused,  // the service did not take it, so neither does it take the change
  kGone,     // it was left out, as INSERT OR IGNORE and REPLACE do: there is no row to change
};

struct RowRead {
  int64_t statement = 0;  // that read it
  Fate fate = Fate::kNone;
  bool remote = false;  // the service has shown the entity; else it is the transaction's own
  std::string etag;     // as the service gave it
  bool torn = false;    // the statement has read another ETag, too: it changed meanwhile
  std::string entity;   // its properties as the row showed them, where an UPDATE needs them
  // Of UPDATE ... FROM alone, in which several rows may meet one entity; the last one counts.
  bool shown = false;                 // `entity` and `timestamp` are of this statement
  std::string timestamp;              // as the row showed it
  bool changed = false;               // the statement has changed the row before
  std::optional<EntityKey> moved_to;  // and its key to this one
};

class RowsRead {
 public:
  // A statement that writes begins to read. `runs` says of a statement if it still does: when none
  // does, what they read is forgotten.
  template <typename Runs>
  void Begin(int64_t statement, Runs runs) {
    if (std::find(statements_.begin(), statements_.end(), statement) != statements_.end()) return;
    if (std::none_of(statements_.begin(), statements_.end(), runs)) Clear();
    statements_.push_back(statement);
  }
  RowRead& At(int64_t rowid) { return rows_[rowid]; }
  // Null where the row was not read by a statement that writes.
  RowRead* Find(int64_t rowid) {
    const auto row = rows_.find(rowid);
    return row == rows_.end() ? nullptr : &row->second;
  }
  void Forget(int64_t rowid) { rows_.erase(rowid); }
  void Clear() {
    rows_ = {};
    statements_.clear();
  }

 private:
  std::unordered_map<int64_t, RowRead> rows_;
  std::vector<int64_t> statements_;  // that have read them
};

}  // namespace aztables
