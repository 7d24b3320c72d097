// RowsRead: what the statements of a transaction that write have read of the rows they are about to
// change, by rowid: SQLite comes back with the rowid alone, after the cursor has moved on.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "aztables/write/write_log.h"

namespace aztables {

struct RowRead {
  int64_t statement = 0;  // that read it
  bool remote = false;    // the service has shown the entity; else it is the transaction's own
  std::string etag;       // as the service gave it
  bool torn = false;      // the statement has read another ETag, too: it changed meanwhile
  std::string entity;     // its properties as the row showed them, where an UPDATE needs them
  // Of UPDATE ... FROM alone, in which several rows may meet one entity; the last one counts.
  bool shown = false;                 // `entity` and `timestamp` are of this statement
  std::string timestamp;              // as the row showed it
  bool changed = false;               // the statement has changed the row before
  std::optional<EntityKey> moved_to;  // and its key to this one
};

class RowsRead {
 public:
  RowRead& At(int64_t rowid) { return rows_[rowid]; }
  // Null where the row was not read by a statement that writes.
  RowRead* Find(int64_t rowid) {
    const auto row = rows_.find(rowid);
    return row == rows_.end() ? nullptr : &row->second;
  }
  // The row with this rowid, which is forgotten.
  std::optional<RowRead> Take(int64_t rowid) {
    const auto row = rows_.find(rowid);
    if (row == rows_.end()) return std::nullopt;
    RowRead taken = std::move(row->second);
    rows_.erase(row);
    return taken;
  }
  void Clear() { rows_ = {}; }

 private:
  std::unordered_map<int64_t, RowRead> rows_;
};

}  // namespace aztables
