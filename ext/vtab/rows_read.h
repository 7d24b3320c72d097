// RowsRead: what the statements of a transaction that write have read of the rows they are about to
// change, by rowid: SQLite comes back with the rowid alone, after the cursor has moved on.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace aztables {

struct RowRead {
  bool remote = false;  // the service has shown the entity; else it is the transaction's own
  std::string etag;     // as the service gave it
  std::string entity;   // its properties as the row showed them, where an UPDATE needs them
};

class RowsRead {
 public:
  RowRead& At(int64_t rowid) { return rows_[rowid]; }
  // The row with this rowid, which is forgotten: a statement changes a row once.
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
