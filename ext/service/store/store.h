// Store: tables and entities in one file, or in memory, for any number of threads. It lends SQLite
// connections to readers and runs writes. Writes that wait together are one SQLite transaction with
// one flush to the disk; each has its own savepoint.
//
// Acknowledged writes are on the disk. A missing file is an empty store until a write creates it;
// reads never do.
// Errors: storage errors, see store_connection.h.
// Thread rule: any thread. A child after fork() cannot use a store in a file, since its locks
// belong to the parent. It leaves the parent's connections alone.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/status.h"
#include "model/datetime.h"
#include "service/store/store_connection.h"

namespace aztables {

// A running write transaction.
struct StoreTransaction {
  StoreConnection* connection = nullptr;
  Ticks now = 0;     // its start
  Ticks latest = 0;  // the last Timestamp given

  // The Timestamp of the next write, above all earlier ones of this store.
  Ticks NextTimestamp() { return latest = now > latest ? now : latest + 1; }
};

// One write of a group. An error of `run` undoes this write only. If the whole group failed,
// `failure` is the reason, and nothing was changed.
struct StoreWrite {
  std::function<Status(StoreTransaction&)> run;
  // Runs after that, also if it was undone; may be null. Its error fails the group.
  std::function<Status(StoreTransaction&)> after;
  bool creates = false;  // whether it creates a missing store
  Status failure;

  enum class State : uint8_t { kNew, kQueued, kRunning, kDone };
  State state = State::kNew;  // for the store only, under its mutex
};

class Store {
 public:
  // `clock` outlives the store.
  Store(std::string path, const Clock* clock);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Opens the file to find errors; creates it if `create` is set. OK if it does not exist.
  Status Check(bool create, const Cancel& cancel);

  // Calls `read` with a connection in a transaction, so all reads see the same snapshot.
  Status Read(const Cancel& cancel, const std::function<Status(StoreConnection&)>& read);

  // Runs the writes in order. After an error (of `cancel` or of the lock) the writes that are not
  // kDone did not run.
  Status Write(std::span<StoreWrite* const> writes, const Cancel& cancel);

 private:
  // Calls `use` with a connection. If the store does not exist and `create` is not set, it is a
  // connection to an empty store in memory.
  using Usage = std::function<Status(StoreConnection& connection, bool exists)>;
  Status Use(bool create, const Cancel& cancel, const Usage& use);
  // An idle connection; null: the caller may open one.
  Result<std::unique_ptr<StoreConnection>> Borrow(const Cancel& cancel);
  struct Lease;
  void GiveBack(std::unique_ptr<StoreConnection> connection);
  Status CheckFile();

  class Turn;
  bool AllDone(std::span<StoreWrite* const> writes) const;
  void Withdraw(std::span<StoreWrite* const> writes, std::unique_lock<std::mutex>& lock);
  Status Lead(const Cancel& cancel);
  std::vector<StoreWrite*> TakeQueue(bool with_creating);
  class Group;
  void RunGroup(StoreConnection& connection, const std::vector<StoreWrite*>& writes);

  const std::string path_;
  const bool in_memory_;
  const Clock* const clock_;
  const Status no_memory_;  // made in advance

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<StoreConnection>> idle_;
  std::optional<FileId> file_;  // of the idle connections
  size_t lent_ = 0;
  const uint64_t forks_;  // ForkCount() of the process that owns the connections
  std::deque<StoreWrite*> queue_;
  bool leading_ = false;
};

}  // namespace aztables
