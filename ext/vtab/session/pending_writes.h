// PendingWrites: what a transaction has written to one remote table and not sent yet, what its
// writing statements have read there, and which entities it knows to exist.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <string>
#include <unordered_set>

#include "vtab/session/key_text.h"
#include "vtab/session/read_set.h"
#include "write/write_log.h"

namespace aztables {

// The entities that the service has returned to a transaction since it began to write to their
// remote table. An INSERT of one of them fails at once, as in an ordinary table. If an entity is
// not in the set, the COMMIT finds the conflict. An entity that the transaction has inserted before
// is a known conflict: its row may not be changed.
class ExistingKeys {
 public:
  // From this size on, only conflicts are added.
  static constexpr size_t kMost = 100'000;

  // `conflicts`: the transaction has inserted the entity itself; such an entity is always added.
  void Add(EntityKeyView key, bool conflicts = false) {
    if (conflicts || keys_.size() < kMost) keys_.insert(KeyText(key));
  }
  void Remove(EntityKeyView key) {
    if (!keys_.empty()) keys_.erase(KeyText(key));
  }
  bool Contain(EntityKeyView key) const { return !keys_.empty() && keys_.count(KeyText(key)) > 0; }
  void Clear() { keys_ = {}; }

 private:
  std::unordered_set<std::string> keys_;
};

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
  void NoteShown(EntityKeyView key, bool conflicts) { shown_.Add(key, conflicts); }
  // The service has no such entity, or one that the transaction has not read.
  void NoteGone(EntityKeyView key) { shown_.Remove(key); }
  // An INSERT was refused before COMMIT, and left out.
  void NoteRefusedInsert(EntityKeyView key) { refused_.Add(key, true); }

  bool WasShown(EntityKeyView key) const { return shown_.Contain(key); }
  bool WasRefused(EntityKeyView key) const { return refused_.Contain(key); }
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
