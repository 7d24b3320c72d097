// RowsRead: what the statements of a transaction that write have read of the rows they are about to
// change, by rowid: SQLite comes back with the rowid alone, after the cursor has moved on.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
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
  // Null where the row was not read by a statement that writes.
  const RowRead* Find(int64_t rowid) const {
    const auto row = rows_.find(rowid);
    return row == rows_.end() ? nullptr : &row->second;
  }
  void Clear() { rows_ = {}; }

 private:
  std::unordered_map<int64_t, RowRead> rows_;
};

}  // namespace aztables
