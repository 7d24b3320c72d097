// WriteLog: what one transaction of one database connection has written to one remote table and not
// sent yet, in the order of the statements. Virtual tables over the same remote table share it;
// each operation remembers the one that wrote it, so that savepoints, which SQLite keeps per
// virtual table, drop exactly their own.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "aztables/base/status.h"
#include "aztables/model/edm.h"
#include "aztables/table/service_client.h"

namespace aztables {

// The most bytes of unsent entities that a log holds.
inline constexpr size_t kMaxPendingBytes = size_t{256} * 1024 * 1024;

class WriteLog {
 public:
  struct Operation {
    int64_t owner = 0;     // the virtual table that wrote it
    int64_t sequence = 0;  // ascending
    InsertOperation insert;
  };

  // Appends an insert. kAlreadyExists if this transaction has inserted the entity before, kTooBig
  // beyond kMaxPendingBytes; the log is unchanged then. REQUIRES: CheckEntity(entity).ok()
  Status Insert(int64_t owner, const Entity& entity);

  // The sequence number that the next operation gets: a mark for TruncateTo(), which stays good
  // while others truncate.
  int64_t next_sequence() const { return next_sequence_; }
  // Drops what `owner` wrote from `sequence` on.
  void TruncateTo(int64_t sequence, int64_t owner);
  void Clear();

  const std::vector<Operation>& operations() const { return operations_; }

 private:
  static std::string KeyOf(std::string_view partition_key, std::string_view row_key);
  void Forget(const InsertOperation& insert);

  std::vector<Operation> operations_;
  std::unordered_set<std::string> keys_;  // of all operations
  size_t bytes_ = 0;
  int64_t next_sequence_ = 1;
};

// The savepoints of one virtual table over a log: the calls of SQLite's xSavepoint, xRelease and
// xRollbackTo. A virtual table that joins a transaction late is told of the innermost savepoint
// only.
class SavepointMarks {
 public:
  void Savepoint(int number, int64_t next_sequence);
  void Release(int number);
  // The mark to go back to; savepoint `number` stays open. Nothing if none was set at or above it.
  std::optional<int64_t> RollbackTo(int number);
  void Clear() { marks_.clear(); }

 private:
  struct Mark {
    int number;
    int64_t sequence;
  };
  std::vector<Mark> marks_;  // by ascending number
};

}  // namespace aztables
