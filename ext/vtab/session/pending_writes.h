// PendingWrites: what a transaction has written to one remote table and not sent yet, what its
// writing statements have read there, and which entities it knows to exist.
//
// Thread rule: the thread of the database connection.
#pragma once

#include "vtab/session/existing_keys.h"
#include "vtab/session/read_set.h"
#include "write/write_log.h"

namespace aztables {

class PendingWrites {
 public:
  // A virtual table joins or leaves the transaction. Returns whether the last one has left: then
  // everything is dropped.
  void Join() { ++tables_; }
  bool Leave() {
    if (--tables_ > 0) return false;
    log_.Clear();
    read_set_.Clear();
    shown_.Clear();
    refused_.Clear();
    return true;
  }
  bool any_joined() const { return tables_ > 0; }

  WriteLog& log() { return log_; }
  const WriteLog& log() const { return log_; }
  ReadSet& read_set() { return read_set_; }

  // The service has shown the entity. `conflicts`: the transaction has inserted it, too.
  void NoteShown(EntityKeyView key, bool conflicts) {
    shown_.Add(key.partition_key, key.row_key, conflicts);
  }
  // The service has no such entity, or one that the transaction has not read.
  void NoteGone(EntityKeyView key) { shown_.Remove(key.partition_key, key.row_key); }
  // An INSERT was refused before COMMIT, and left out.
  void NoteRefusedInsert(EntityKeyView key) { refused_.Add(key.partition_key, key.row_key, true); }

  bool WasShown(EntityKeyView key) const { return shown_.Contain(key.partition_key, key.row_key); }
  bool WasRefused(EntityKeyView key) const {
    return refused_.Contain(key.partition_key, key.row_key);
  }
  // Whether the entity is known to exist, from the transaction's writes and its reads.
  bool IsKnownToExist(EntityKeyView key) const {
    const Existence written = log_.ExistenceOf(key);
    return written == Existence::kUnknown ? WasShown(key) : written == Existence::kExists;
  }
  // Whether the transaction has inserted an entity that is known to exist.
  bool IsConflict(EntityKeyView key) const {
    const EntityWrite* const write = log_.Find(key);
    return write != nullptr && write->verb == WriteVerb::kInsert && WasShown(key);
  }

 private:
  int tables_ = 0;
  WriteLog log_;
  ReadSet read_set_;
  ExistingKeys shown_;  // since the first virtual table has joined
  ExistingKeys refused_;
};

}  // namespace aztables
