// WriteLog: the writes of one transaction of one database connection to one remote table that are
// not sent yet. Virtual tables over the same remote table share it. Each write stores its virtual
// table, because SQLite keeps savepoints per virtual table. So a savepoint drops exactly its own
// writes.
//
// No write is overwritten: every write is kept by its sequence number, and the coalesced writes are
// computed. So the log can be rolled back to a savepoint. A cursor sees the log as it was when the
// cursor began (WriteSnapshot), regardless of later writes.
//
// Ownership: a snapshot shares the writes that it shows, and stays valid when the log is cleared.
// Writes that TruncateTo and Drop remove disappear from the snapshot too, as from a cursor of an
// ordinary table.
// Thread rule: the thread of the database connection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "odata/entity_reader.h"
#include "write/entity_versions.h"
#include "write/entity_write.h"

namespace aztables {

struct EntityKey {
  std::string partition_key;
  std::string row_key;
};
struct EntityKeyView {
  std::string_view partition_key;
  std::string_view row_key;

  EntityKeyView(std::string_view pk, std::string_view rk) : partition_key(pk), row_key(rk) {}
  EntityKeyView(const EntityKey& key)  // NOLINT(google-explicit-constructor)
      : partition_key(key.partition_key), row_key(key.row_key) {}
};
// SQLite's order of entities: the order of the bytes of their keys as SQLite sees them. Keys that
// differ only in lone surrogates (base/encoding.h) look the same to SQLite, but still differ here.
int CompareEntityKeys(EntityKeyView a, EntityKeyView b);

// One UPDATE of a key: the entity `to` got the properties of `from`, which was deleted.
struct EntityMove {
  int64_t sequence = 0;
  int64_t owner = 0;
  EntityKey from;
  EntityKey to;
  bool was_there = true;  // `from` is the service's entity, not one that this transaction wrote
};

class WriteSnapshot;

class WriteLog {
 public:
  WriteLog();

  // Appends a write of the virtual table `owner` to an entity. kBudget if the log would hold more
  // than `max_bytes`; the log is unchanged then.
  Status Add(int64_t owner, EntityKeyView key, EntityWrite write, size_t max_bytes);
  // Appends both writes of a moved key, or neither.
  Status Move(int64_t owner, EntityKeyView from, EntityWrite removal, EntityKeyView to,
              EntityWrite insert, size_t max_bytes);
  // Undoes a move, regardless of later writes. `sequence` is the number of the next write when the
  // move was made. Does nothing if the log no longer holds the move.
  void TakeBack(int64_t sequence);

  // The coalesced write to the entity; null if there are none. Valid until the log changes.
  const EntityWrite* Find(EntityKeyView key) const;
  // The existence of an entity that follows from the writes to it.
  Existence ExistenceOf(EntityKeyView key) const;
  bool empty() const { return contents_->entities.empty(); }
  size_t size() const { return contents_->entities.size(); }  // entities
  size_t bytes() const { return bytes_; }                     // roughly, in memory
  // Whether `owner` has written at `sequence` or later.
  bool HasWritesFrom(int64_t owner, int64_t sequence) const;
  // Whether the pending writes at `sequence` would have been different without the writes of
  // `owner`. Also true if both `owner` and others have written to an entity.
  bool DependsOn(int64_t owner, int64_t sequence) const;

  // An entity and its coalesced write, which is never kNothing.
  struct Item {
    int64_t sequence = 0;  // of the first write to it
    const EntityKey* key = nullptr;
    const EntityWrite* write = nullptr;
  };
  // All items, in the order of their first writes. Valid until the log changes.
  std::vector<Item> Items() const;
  const std::vector<EntityMove>& moves() const { return contents_->moves; }

  // The log as it is now.
  WriteSnapshot Snapshot() const;
  // The log as it was when `sequence` was the next one.
  WriteSnapshot SnapshotAt(int64_t sequence) const;

  // The sequence number of the next write: a mark for TruncateTo(). It stays valid if others
  // truncate.
  int64_t next_sequence() const { return next_sequence_; }
  // Drops the writes of `owner` from `sequence` on.
  void TruncateTo(int64_t sequence, int64_t owner);
  // Drops all writes to the entities in `sent`, and their moves, because the service has them.
  // Snapshots still show them. REQUIRES: `sent` does not point into the log
  void Forget(const std::vector<EntityKey>& sent);
  void Clear() noexcept;
  // ROLLBACK: drops all writes, for snapshots too.
  void Drop() noexcept;

 private:
  friend class WriteSnapshot;

  // SQLite's order. No key in the log has a lone surrogate, so comparing bytes is enough.
  struct KeyOrder {
    using is_transparent = void;
    bool operator()(EntityKeyView a, EntityKeyView b) const {
      const int order = a.partition_key.compare(b.partition_key);
      return order != 0 ? order < 0 : a.row_key < b.row_key;
    }
  };
  struct Writes {
    EntityVersions versions;
    bool touched = false;  // some versions are dropped, until TruncateTo() or Forget() has finished
  };
  using Entities = std::map<EntityKey, Writes, KeyOrder>;
  // One for each version, by ascending sequence.
  struct Entry {
    int64_t sequence = 0;
    int64_t owner = 0;
    Entities::iterator entity;
  };
  struct Contents {
    Entities entities;
    std::vector<Entry> entries;
    std::vector<EntityMove> moves;

    std::shared_ptr<Contents> Copy() const;
  };

  static size_t BytesOf(EntityKeyView key, const EntityWrite& write);
  Status Append(int64_t owner, EntityKeyView key, EntityWrite write);

  std::shared_ptr<Contents> contents_;
  std::shared_ptr<Contents> empty_;  // for Clear(), which cannot fail; made by the first write
  std::shared_ptr<EntityReader> reader_ = std::make_shared<EntityReader>();
  size_t bytes_ = 0;
  int64_t next_sequence_ = 1;
};

// A log as it was at one moment.
class WriteSnapshot {
 public:
  WriteSnapshot() = default;  // of an empty log

  bool empty() const { return contents_ == nullptr || contents_->entities.empty(); }
  // The coalesced write to the entity; null if there is none. Valid until the next call and the
  // log's next change.
  Result<const EntityWrite*> Find(EntityKeyView key);
  // The first written entity at or after `key`, or only after `key` if `after`.
  struct Item {
    EntityKeyView key;
    const EntityWrite* write;
  };
  Result<std::optional<Item>> Next(EntityKeyView key, bool after);
  // The last written entity before `key`; without `key`, the last of all.
  Result<std::optional<Item>> Previous(const std::optional<EntityKey>& key);
  // The number of entities that the log now deletes, at most `most`.
  size_t CountDeleted(size_t most) const;

 private:
  friend class WriteLog;
  // The coalesced versions before sequence_; null if there are none.
  Result<const EntityWrite*> Seen(const EntityVersions& versions);

  std::shared_ptr<WriteLog::Contents> contents_;
  std::shared_ptr<EntityReader> reader_;
  int64_t sequence_ = 0;  // writes from it on are not seen
  EntityWrite scratch_;
};

// The savepoints of one virtual table over a log: the calls of SQLite's xSavepoint, xRelease and
// xRollbackTo. If a virtual table joins a transaction late, SQLite reports only the innermost
// savepoint.
class SavepointMarks {
 public:
  void Savepoint(int number, int64_t next_sequence);
  void Release(int number);
  // The mark to roll back to; savepoint `number` stays open. Nothing if no mark was set at or above
  // it.
  std::optional<int64_t> RollbackTo(int number);
  void Clear() { marks_.clear(); }
  // Whether `was_so` is true for the log at one of the savepoints.
  template <typename WasSo>
  bool Any(WasSo was_so) const {
    return std::any_of(marks_.begin(), marks_.end(),
                       [&](const Mark& mark) { return was_so(mark.sequence); });
  }

 private:
  struct Mark {
    int number;
    int64_t sequence;
  };
  std::vector<Mark> marks_;  // by ascending number
};

}  // namespace aztables
