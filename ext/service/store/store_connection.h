// StoreConnection: one SQLite connection to a store, its schema and its prepared statements.
//
//   tables(id, account, name, policies, generation)
//                                         one row per table; name as created, unique in any case;
//                                         generation: how many of that name were deleted before
//   deleted(account, name, generations)   how many tables of a name were deleted
//   services(account, properties)         what Set Table Service Properties kept
//   clock(ticks)                          the last Timestamp given: the next one is above it
//   e<id>(pk, rk, ticks, record)          the entities of a table, clustered by their keys
//                                         (stored_key.h); record.h; ticks are Timestamp and ETag
//
// Errors: storage errors: full disk, read-only file, damaged file, busy (another process writes).
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/cancel.h"
#include "base/status.h"
#include "service/store/sqlite_api.h"
#include "service/store/store_file.h"

namespace aztables {

// The storage error for the failure `rc` of `db` (store_failure.cc).
Status StoreFailure(sqlite3* db, int rc);

// A prepared statement that its connection keeps.
struct KeptStatement {
  sqlite3_stmt* statement = nullptr;
  bool in_use = false;
};

// A kept statement in use. Its destructor resets it and gives it back.
class StoreStatement {
 public:
  StoreStatement(sqlite3* db, KeptStatement* kept)
      : db_(db), kept_(kept), statement_(kept->statement) {
    kept->in_use = true;
  }
  // A statement that could not be prepared: Step() returns `failure`.
  explicit StoreStatement(Status failure) : failure_(std::move(failure)) {}
  ~StoreStatement();
  StoreStatement(const StoreStatement&) = delete;
  StoreStatement& operator=(const StoreStatement&) = delete;

  // Texts and blobs are not copied: they outlive the statement's use.
  StoreStatement& BindInteger(int index, int64_t value);
  StoreStatement& BindText(int index, std::string_view text);
  StoreStatement& BindBlob(int index, std::string_view bytes);
  // Whether there is another row.
  Result<bool> Step();
  // Step() for a statement without rows.
  Status Run();
  // The extended SQLite error code of Step() or Run(), which identifies constraints.
  int error() const { return error_; }

  // Values of the current row; valid until the next Step().
  int64_t Integer(int column) const;
  std::string_view Bytes(int column) const;

 private:
  sqlite3* db_ = nullptr;
  KeptStatement* kept_ = nullptr;  // null if the statement could not be prepared
  sqlite3_stmt* statement_ = nullptr;
  Status failure_;
  int error_ = 0;
};

class StoreConnection {
 public:
  // Opens `path`. A missing or empty file becomes a store if `create` is set; else it is kNotFound.
  // Any other file that is not a store is an error.
  static Result<std::unique_ptr<StoreConnection>> Open(const std::string& path, bool create,
                                                       const Cancel& cancel);
  ~StoreConnection();
  StoreConnection(const StoreConnection&) = delete;
  StoreConnection& operator=(const StoreConnection&) = delete;

  // The statement for `sql`, prepared once. Its Step() returns the error of preparing it.
  // REQUIRES: it is not in use
  StoreStatement Prepare(std::string_view sql);
  // One or more statements; keeps none of them.
  Status Execute(std::string_view sql);
  // BEGIN, COMMIT and the like: a kept statement.
  Status Run(std::string_view sql) { return Prepare(sql).Run(); }

  // Until the next call, waits for another writer obey `cancel`, which outlives them, and last at
  // most kLongestWait.
  void SetCancel(const Cancel* cancel);
  static constexpr std::chrono::seconds kLongestWait{30};

  // Leaves the file alone for good. A child after fork() must not close its parent's connections.
  void Abandon() { db_ = nullptr; }

  // Prepares the connection for its next user: ends the transaction and forgets `cancel`.
  void Settle();

  // The opened file; nothing for ":memory:".
  const std::optional<FileId>& file() const { return file_; }

 private:
  StoreConnection() = default;
  Status Configure(bool create);
  Status CheckOwnStore(bool& empty);
  Status CheckJournal();
  Status CreateSchema();
  static int Busy(void* self, int times);

  std::string path_;
  std::optional<FileId> file_;
  sqlite3* db_ = nullptr;
  const Cancel* cancel_ = nullptr;
  std::chrono::steady_clock::time_point wait_ends_;
  struct SqlHash {
    using is_transparent = void;
    size_t operator()(std::string_view sql) const { return std::hash<std::string_view>()(sql); }
  };
  std::unordered_map<std::string, KeptStatement, SqlHash, std::equal_to<>> statements_;
};

}  // namespace aztables
