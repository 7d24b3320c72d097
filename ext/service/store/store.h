// Store: one file (or memory) of tables and entities, for any number of threads. It lends SQLite
// connections to readers and runs writes: writes that wait together are one SQLite transaction,
// each in a savepoint of its own, and share one flush to the disk.
//
// What a write or a table's creation acknowledged is on the disk. A file that does not exist is a
// store without tables until something creates it; no read does.
// Errors: storage errors, see store_connection.h.
// Thread rule: any thread. In a child after fork() a file is refused: its locks are the parent's,
// and what the parent has open is left alone.
#pragma once

#include <sys/types.h>

#include <condition_variable>
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

// A write transaction under way.
struct StoreTransaction {
  StoreConnection* connection = nullptr;
  Ticks now = 0;     // when it began
  Ticks latest = 0;  // the last Timestamp given

  // The Timestamp of the next write: above all that were ever given in this store.
  Ticks NextTimestamp() { return latest = now > latest ? now : latest + 1; }
};

// One write of a group. `run` does it; an error undoes it, and it alone. Where the group as a whole
// failed, `failure` says why, and nothing of it was done.
struct StoreWrite {
  std::function<Status(StoreTransaction&)> run;
  bool creates = false;  // whether it creates a store that does not exist
  Status failure;

  enum class State : uint8_t { kNew, kQueued, kRunning, kDone };
  State state = State::kNew;  // the store's own, under its mutex
};

class Store {
 public:
  // `clock` outlives the store.
  Store(std::string path, const Clock* clock);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Opens the file, so that what is wrong with it shows; creates it with `create`. OK where it does
  // not exist.
  Status Check(bool create, const Cancel& cancel);

  // Calls `read` with a connection in a transaction: all that it reads is of one moment.
  Status Read(const Cancel& cancel, const std::function<Status(StoreConnection&)>& read);

  // Runs the writes, in their order. An error (of `cancel`, or no lock on the store could be had)
  // means that those that are not kDone were not run.
  Status Write(std::span<StoreWrite* const> writes, const Cancel& cancel);

 private:
  // A connection lent to the thread that asked.
  class Lease;
  Result<Lease> Acquire(bool create, const Cancel& cancel);
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
  const Status no_memory_;  // made while there is some

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<StoreConnection>> idle_;
  std::optional<FileId> file_;  // that the idle connections have open
  size_t lent_ = 0;
  const pid_t owner_;  // the process whose connections these are
  std::deque<StoreWrite*> queue_;
  bool leading_ = false;
};

}  // namespace aztables
