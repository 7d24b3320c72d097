// Stores: see store.h. The thread with the first waiting write leads: it locks the file and runs
// all queued writes, its own and those of waiting threads.
#include "service/store/store.h"

#include <algorithm>

#include "platform/process.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

constexpr size_t kMostConnections = 16;
constexpr size_t kLargestGroup = 64;

Result<Ticks> LatestTimestamp(StoreConnection& connection) {
  StoreStatement statement = connection.Prepare("SELECT ticks FROM clock");
  const auto row = statement.Step();
  if (!row.ok()) return row.status();
  if (!*row) return Status::Error("the store is damaged: its clock is missing");
  return statement.Integer(0);
}

Status KeepTimestamp(StoreConnection& connection, Ticks latest) {
  return connection.Prepare("UPDATE clock SET ticks = ?1").BindInteger(1, latest).Run();
}

// Runs one write in its savepoint; OK also if the write was undone. Some failures, such as a full
// disk, make SQLite roll back the whole transaction. These fail the group.
Status RunOne(StoreTransaction& transaction, StoreWrite& write) {
  StoreConnection& connection = *transaction.connection;
  AZTABLES_RETURN_IF_ERROR(connection.Run("SAVEPOINT one"));
  const Ticks before = transaction.latest;
  if (Status done = write.run(transaction); !done.ok()) {
    transaction.latest = before;
    if (!connection.Run("ROLLBACK TO one").ok()) return done;
  }
  AZTABLES_RETURN_IF_ERROR(connection.Run("RELEASE one"));
  return write.after ? write.after(transaction) : Status();
}

Status RunAll(StoreTransaction& transaction, const std::vector<StoreWrite*>& group) {
  const auto latest = LatestTimestamp(*transaction.connection);
  if (!latest.ok()) return latest.status();
  transaction.latest = *latest;
  for (StoreWrite* write : group) {
    AZTABLES_RETURN_IF_ERROR(RunOne(transaction, *write));
  }
  if (transaction.latest != *latest) {
    AZTABLES_RETURN_IF_ERROR(KeepTimestamp(*transaction.connection, transaction.latest));
  }
  Status committed = transaction.connection->Run("COMMIT");
  if (committed.ok() || committed.code() == Code::kFull) return committed;
  // After a failed flush the writes may still be complete on the disk.
  Failure unclear = committed.failure();
  unclear.may_have_reached = true;
  return {committed.code(), std::move(unclear)};
}

}  // namespace

// A borrowed connection, or the right to open one. Its destructor gives it back.
struct Store::Lease {
  Lease(Store* from, std::unique_ptr<StoreConnection> idle)
      : store(from), connection(std::move(idle)) {}
  ~Lease() { store->GiveBack(std::move(connection)); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Store* const store;
  std::unique_ptr<StoreConnection> connection;
};

Store::Store(std::string path, const Clock* clock)
    : path_(std::move(path)),
      in_memory_(path_ == ":memory:"),
      clock_(clock),
      no_memory_(ToStatus(errors::kOutOfMemory)),
      forks_(ForkCount()) {
  idle_.reserve(kMostConnections);
}

Store::~Store() {
  if (forks_ == ForkCount() || in_memory_) return;
  for (const auto& connection : idle_) connection->Abandon();
}

// Whether the file is the one that was opened. A deleted file becomes a new store. REQUIRES: mutex_
Status Store::CheckFile() {
  if (in_memory_) return {};
  const auto now = IdOfFile(path_);
  if (!now) {
    idle_.clear();
    file_.reset();
  }
  return file_ && now != file_ ? ToStatus(errors::kReplacedStore) : Status();
}

Result<std::unique_ptr<StoreConnection>> Store::Borrow(const Cancel& cancel) {
  if (!in_memory_ && forks_ != ForkCount()) {
    return Status::Error(
        "it was opened before fork(): open the database connection again in the child");
  }
  const size_t most = in_memory_ ? 1 : kMostConnections;
  std::unique_lock lock(mutex_);
  AZTABLES_RETURN_IF_ERROR(CheckFile());
  while (idle_.empty() && lent_ >= most) {
    changed_.wait_for(lock, Cancel::kSlice);
    AZTABLES_RETURN_IF_ERROR(cancel.Check());
    AZTABLES_RETURN_IF_ERROR(CheckFile());
  }
  std::unique_ptr<StoreConnection> connection;
  if (!idle_.empty()) {
    connection = std::move(idle_.back());
    idle_.pop_back();
  }
  ++lent_;
  return connection;
}

Status Store::Use(bool create, const Cancel& cancel, const Usage& use) {
  auto borrowed = Borrow(cancel);
  if (!borrowed.ok()) return borrowed.status();
  Lease lease(this, std::move(*borrowed));
  if (!lease.connection) {
    auto opened = StoreConnection::Open(path_, create, cancel);
    if (opened.status().code() == Code::kNotFound) {
      auto nothing = StoreConnection::Open(":memory:", true, cancel);
      return nothing.ok() ? use(**nothing, false) : nothing.status();
    }
    if (!opened.ok()) return opened.status();
    lease.connection = std::move(*opened);
    const std::lock_guard lock(mutex_);
    if (file_ != lease.connection->file()) idle_.clear();
    file_ = lease.connection->file();
  }
  lease.connection->SetCancel(&cancel);
  return use(*lease.connection, true);
}

void Store::GiveBack(std::unique_ptr<StoreConnection> connection) {
  const std::lock_guard lock(mutex_);
  --lent_;
  if (connection && connection->file() == file_) {
    connection->Settle();
    idle_.push_back(std::move(connection));
  }
  changed_.notify_all();
}

Status Store::Check(bool create, const Cancel& cancel) {
  return Use(create, cancel, [](StoreConnection&, bool) { return Status(); });
}

Status Store::Read(const Cancel& cancel, const std::function<Status(StoreConnection&)>& read) {
  return Use(false, cancel, [&read](StoreConnection& connection, bool) -> Status {
    AZTABLES_RETURN_IF_ERROR(connection.Run("BEGIN"));
    const Status status = read(connection);
    Status ended = connection.Run("COMMIT");
    return status.ok() ? ended : status;
  });
}

bool Store::AllDone(std::span<StoreWrite* const> writes) const {
  return std::all_of(writes.begin(), writes.end(), [](const StoreWrite* write) {
    return write->state == StoreWrite::State::kDone;
  });
}

// Removes the writes that have not started from the queue, and waits for those that another thread
// runs. `lock` holds mutex_.
void Store::Withdraw(std::span<StoreWrite* const> writes, std::unique_lock<std::mutex>& lock) {
  for (StoreWrite* write : writes) {
    if (write->state != StoreWrite::State::kQueued) continue;
    std::erase(queue_, write);
    write->state = StoreWrite::State::kNew;
  }
  changed_.wait(lock, [&] {
    return std::none_of(writes.begin(), writes.end(), [](const StoreWrite* write) {
      return write->state == StoreWrite::State::kRunning;
    });
  });
}

// One call of Write(). Its destructor removes the writes from the queue and from a running group,
// and gives up the lead.
class Store::Turn {
 public:
  Turn(Store* store, std::span<StoreWrite* const> writes) : store_(store), writes_(writes) {}
  ~Turn() {
    std::unique_lock lock(store_->mutex_);
    store_->Withdraw(writes_, lock);
    if (leads_) store_->leading_ = false;
    store_->changed_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // REQUIRES: mutex_
  void SetLead(bool leads) { store_->leading_ = leads_ = leads; }

 private:
  Store* store_;
  std::span<StoreWrite* const> writes_;
  bool leads_ = false;
};

Status Store::Write(std::span<StoreWrite* const> writes, const Cancel& cancel) {
  Turn turn(this, writes);
  std::unique_lock lock(mutex_);
  for (StoreWrite* write : writes) {
    queue_.push_back(write);
    write->state = StoreWrite::State::kQueued;
  }
  Status status;
  while (!AllDone(writes)) {
    if (!leading_) {
      turn.SetLead(true);
      lock.unlock();
      status = Lead(cancel);
      lock.lock();
      turn.SetLead(false);
      changed_.notify_all();
    } else {
      changed_.wait_for(lock, Cancel::kSlice);
      status = cancel.Check();
    }
    if (status.ok()) continue;
    Withdraw(writes, lock);
    return AllDone(writes) ? Status() : status;
  }
  return {};
}

// Takes the front of the queue, in order. Without `with_creating` the writes that create a store
// stay: writes to a missing store leave no trace. REQUIRES: not mutex_
std::vector<StoreWrite*> Store::TakeQueue(bool with_creating) {
  const std::lock_guard lock(mutex_);
  std::vector<StoreWrite*> group;
  for (StoreWrite* write : queue_) {
    if (group.size() == kLargestGroup) break;
    if (!write->creates || with_creating) group.push_back(write);
  }
  for (StoreWrite* write : group) {
    std::erase(queue_, write);
    write->state = StoreWrite::State::kRunning;
  }
  return group;
}

// Runs one group. On error there was no lock, and no write was taken from the queue.
Status Store::Lead(const Cancel& cancel) {
  bool create = false;
  {
    const std::lock_guard lock(mutex_);
    create = std::any_of(queue_.begin(), queue_.end(),
                         [](const StoreWrite* write) { return write->creates; });
  }
  return Use(create, cancel, [&](StoreConnection& connection, bool exists) -> Status {
    if (Status locked = connection.Run("BEGIN IMMEDIATE"); !locked.ok()) {
      AZTABLES_RETURN_IF_ERROR(cancel.Check());
      return locked;
    }
    RunGroup(connection, TakeQueue(exists));
    return {};
  });
}

// A running group. Its destructor marks its writes as done, even after an exception for lack of
// memory.
class Store::Group {
 public:
  Group(Store* store, const std::vector<StoreWrite*>& writes)
      : store_(store), writes_(writes), status_(store->no_memory_) {}
  ~Group() {
    const std::lock_guard lock(store_->mutex_);
    for (StoreWrite* write : writes_) {
      write->failure = status_;
      write->state = StoreWrite::State::kDone;
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  void SetStatus(Status status) { status_ = std::move(status); }

 private:
  Store* store_;
  const std::vector<StoreWrite*>& writes_;
  Status status_;
};

void Store::RunGroup(StoreConnection& connection, const std::vector<StoreWrite*>& writes) {
  Group group(this, writes);
  StoreTransaction transaction{.connection = &connection,
                               .now = kUnixEpochTicks + clock_->NowTicks()};
  Status status = RunAll(transaction, writes);
  if (!status.ok()) static_cast<void>(connection.Run("ROLLBACK"));
  group.SetStatus(std::move(status));
}

}  // namespace aztables
