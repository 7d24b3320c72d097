// OverlaidRead: the rows of one scan as the transaction sees them: what the service has, under what
// the transaction has pending, as it was when the scan began. Entities that the transaction
// inserted, changed and deleted are told apart by key alone, whatever the service was asked for.
//
// In SQLite's order of keys where the service keeps one. Timestamp and ETag are the service's: of
// a changed entity those that were read, of an inserted one NULL, also where
// it meets one.
//
// Ownership: cells live until the next Next().
// Thread rule: the thread of the database connection.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "odata/entity_page.h"
#include "odata/entity_reader.h"
#include "read/key_limits.h"
#include "read/ordered_read.h"
#include "write/write_log.h"

namespace aztables {

class OverlaidRead {
 public:
  struct Setting {
    WriteSnapshot pending;
    KeyLimits limits;             // of what is pending
    bool ordered = true;          // the remote entities come in SQLite's order of keys
    bool table_may_lack = false;  // a table that does not exist has no entities
    // Which statement an answer has come for last: to it the table does not lack any more.
    int64_t* answered = nullptr;
    int64_t statement = 0;
    EntityReader* reader = nullptr;
  };
  // `read` is null where the service has nothing to be asked for.
  OverlaidRead(std::unique_ptr<OrderedRead> read, const Projection& projection, Setting setting);

  // Moves to the next row, which is the first one at first; false at the end.
  Result<bool> Next();
  // A cell of the row, by its place in an EntityPage.
  Cell At(size_t place) const;
  // Its rows are collected by a statement that will change them; and there are no more.
  void Collects() {
    if (read_) read_->read().Collects();
  }
  void Finished() {
    if (read_) read_->read().Finished();
  }
  // As RowSource has it.
  int64_t asked_at() const { return read_ ? read_->asked_at() : 0; }
  // Starts to read the first page.
  Status Prefetch() { return read_ ? read_->read().Prefetch() : Status(); }
  // Whether the service has shown the entity of this row.
  bool remote() const { return over_remote_; }
  // Whether it is a row that the transaction has inserted, and the service has shown an entity.
  bool conflicts() const { return over_remote_ && inserted_; }

 private:
  // The remote row that comes next; false where there is none.
  Result<bool> PeekRemote();
  Result<std::optional<WriteSnapshot::Item>> PeekOwn();
  void Pass(EntityKeyView key);
  Result<bool> NextMixed();
  Status Show(EntityKeyView key, const EntityWrite& write, bool over_remote);
  const Cell& Remote(size_t place) const { return read_->At(place); }

  std::unique_ptr<OrderedRead> read_;
  Setting setting_;
  bool wants_entity_;
  bool row_used_ = true;     // the remote row was shown or passed by
  bool remote_end_ = false;  // of the pages

  // The next of the pending entities, once it was looked for: an empty optional is the end.
  std::optional<std::optional<EntityKey>> next_own_;
  EntityKey last_own_;  // the last of the pending entities that was passed
  bool passed_any_ = false;
  std::set<std::pair<std::string, std::string>> met_;  // own ones shown over the service's,
                                                       // where there is no order
  EntityPage own_;                                     // the properties of a pending entity
  bool show_own_ = false;                              // the row is own_, else the remote one
  bool over_remote_ = false;  // the row has a remote one, shown or under own_
  bool inserted_ = false;     // the row is a new one, whatever is under it
  bool whole_ = false;        // nothing of the remote one shows through but Timestamp and ETag
  std::string entity_;        // of an own row: its _entity
};

}  // namespace aztables
