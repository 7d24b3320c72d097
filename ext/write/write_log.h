// WriteLog: what one transaction of one database connection has written to one remote table and not
// sent yet. Virtual tables over the same remote table share it; each write remembers the one that
// made it, so that savepoints, which SQLite keeps per virtual table, drop exactly their own.
//
// Nothing is overwritten: every write is kept by its sequence number, and what they come to is
// computed. So a savepoint can be gone back to, and a cursor sees the log as it was when it began
// (WriteSnapshot), whatever is written beside it.
//
// Ownership: a snapshot shares what it shows; it stays good when the log is cleared. What
// RollbackTo and Drop drop is gone for it too, as it is for a cursor of an ordinary table.
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
// SQLite's order of entities: that of the bytes of their keys, as they are shown. Keys that differ
// in lone surrogates alone (base/encoding.h) are shown as one, and still differ here.
int CompareEntityKeys(EntityKeyView a, EntityKeyView b);

// One UPDATE of a key: the entity `to` got the properties of `from`, which was deleted.
struct EntityMove {
  int64_t sequence = 0;
  int64_t owner = 0;
  EntityKey from;
  EntityKey to;
  bool was_there = true;  // `from` is the service's entity, not one that the transaction put there
};

class WriteSnapshot;

class WriteLog {
 public:
  WriteLog();

  // Appends what the virtual table `owner` does to an entity. kBudget where the log would hold more
  // than `max_bytes`; it is unchanged then.
  Status Add(int64_t owner, EntityKeyView key, EntityWrite write, size_t max_bytes);
  // The two writes of a moved key, or neither.
  Status Move(int64_t owner, EntityKeyView from, EntityWrite removal, EntityKeyView to,
              EntityWrite insert, size_t max_bytes);
  // Takes a move back, whatever was written since: `sequence` is that of the next write when it was
  // made. Nothing where the log does not hold it any more.
  void TakeBack(int64_t sequence);

  // What the writes to the entity come to; null where there are none. Good until the log changes.
  const EntityWrite* Find(EntityKeyView key) const;
  // What is known of an entity from what was written to it.
  Existence ExistenceOf(EntityKeyView key) const;
  bool empty() const { return contents_->entities.empty(); }
  size_t size() const { return contents_->entities.size(); }  // entities
  size_t bytes() const { return bytes_; }                     // roughly, in memory
  // Whether `owner` has written at `sequence` or later.
  bool HasWritesFrom(int64_t owner, int64_t sequence) const;
  // Whether without the writes of `owner` something else would have been pending at `sequence`.
  // True also for an entity that others have written to, too.
  bool DependsOn(int64_t owner, int64_t sequence) const;

  // An entity and what all writes to it come to, kNothing never among them.
  struct Item {
    int64_t sequence = 0;  // of the first write to it
    const EntityKey* key = nullptr;
    const EntityWrite* write = nullptr;
  };
  // All of them, in the order in which they were first written. Good until the log changes.
  std::vector<Item> Items() const;
  const std::vector<EntityMove>& moves() const { return contents_->moves; }

  // The log as it is now.
  WriteSnapshot Snapshot() const;
  // The log as it was when `sequence` was the next one.
  WriteSnapshot SnapshotAt(int64_t sequence) const;

  // The sequence number that the next write gets: a mark for TruncateTo(), which stays good while
  // others truncate.
  int64_t next_sequence() const { return next_sequence_; }
  // Drops what `owner` wrote from `sequence` on.
  void TruncateTo(int64_t sequence, int64_t owner);
  // Drops all that is written to the entities that `sent` names, and the moves of them: the service
  // has it. Snapshots go on showing it. REQUIRES: `sent` does not point into the log
  void Forget(const std::vector<EntityKey>& sent);
  void Clear();
  // ROLLBACK: drops all of it, for snapshots too.
  void Drop();

 private:
  friend class WriteSnapshot;

  // SQLite's order. No key in the log has a lone surrogate, so bytes are all that it has to
  // compare.
  struct KeyOrder {
    using is_transparent = void;
    bool operator()(EntityKeyView a, EntityKeyView b) const {
      const int order = a.partition_key.compare(b.partition_key);
      return order != 0 ? order < 0 : a.row_key < b.row_key;
    }
  };
  struct Version {
    int64_t sequence = 0;
    EntityWrite write;
  };
  // The writes to one entity; most entities are written once.
  struct Writes {
    Version first;
    struct More {
      std::vector<Version> versions;  // behind the first, by ascending sequence; one or more
      EntityWrite come;               // what all come to
    };
    std::unique_ptr<More> more;
    bool touched = false;  // some versions are dropped, and Settle() or Forget() goes on

    const EntityWrite& All() const { return more ? more->come : first.write; }
    int64_t last_sequence() const { return more ? more->versions.back().sequence : first.sequence; }
    Version& At(int64_t sequence);
    // What the versions come to, once more. Texts that were coalesced before coalesce again: no
    // failure is possible.
    void Coalesce(EntityReader& reader);
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
  // Makes of an entity whose dropped versions have sequence 0 what is left of it.
  void Settle(Entities::iterator entity);

  std::shared_ptr<Contents> contents_;
  std::shared_ptr<EntityReader> reader_ = std::make_shared<EntityReader>();
  size_t bytes_ = 0;
  int64_t next_sequence_ = 1;
};

// A log as it was at one moment.
class WriteSnapshot {
 public:
  WriteSnapshot() = default;  // of an empty log

  bool empty() const { return contents_ == nullptr || contents_->entities.empty(); }
  // What is written to the entity; null for nothing. Good until the next call and the log's next
  // change.
  Result<const EntityWrite*> Find(EntityKeyView key);
  // The first entity at `key` or behind it (only behind, where `behind` says so) that something is
  // written to.
  struct Item {
    EntityKeyView key;
    const EntityWrite* write;
  };
  Result<std::optional<Item>> Next(EntityKeyView key, bool behind);
  // How many entities are deleted, at most `most`.
  size_t CountDeleted(size_t most) const;

 private:
  friend class WriteLog;
  // What the versions up to sequence_ come to; null for nothing.
  Result<const EntityWrite*> Seen(const WriteLog::Writes& writes);

  std::shared_ptr<WriteLog::Contents> contents_;
  std::shared_ptr<EntityReader> reader_;
  int64_t sequence_ = 0;  // what was written at it or later is not seen
  EntityWrite scratch_;
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
  // Whether the log was so, as `was_so` says, at one of the savepoints.
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
