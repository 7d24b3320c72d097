// OverlaidRead: the rows of one scan as the transaction sees them. They are the service's entities,
// overlaid with the transaction's pending writes as of the start of the scan. Inserted, changed and
// deleted entities are identified by key alone, whatever the query asks for.
//
// Rows are in SQLite's order of keys if the remote entities are. Timestamp and ETag are the
// service's. A changed entity shows the values that were read. An inserted entity shows NULL, even
// if the service has an entity with its key.
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
    KeyLimits limits;             // of the pending entities
    bool ordered = true;          // the remote entities come in SQLite's order of keys
    bool table_may_lack = false;  // a table that does not exist counts as empty
    // The last statement that received a page. For that statement the table exists.
    int64_t* answered = nullptr;
    int64_t statement = 0;
    EntityReader* reader = nullptr;
  };
  // `read` is null if the scan needs nothing from the service.
  OverlaidRead(std::unique_ptr<OrderedRead> read, const Projection& projection, Setting setting);

  // Moves to the next row, at first to the first one; false at the end.
  Result<bool> Next();
  // A cell of the row, by its place in an EntityPage.
  Cell At(size_t place) const;
  // Collects(): a statement collects the rows to change them. Finished(): there are no more rows.
  void Collects() {
    if (read_) read_->read().Collects();
  }
  void Finished() {
    if (read_) read_->read().Finished();
  }
  // See RowSource.
  int64_t asked_at() const { return read_ ? read_->asked_at() : 0; }
  // Starts to read the first page.
  Status Prefetch() { return read_ ? read_->read().Prefetch() : Status(); }
  // Whether the service returned an entity for this row.
  bool remote() const { return over_remote_; }
  // Whether the transaction inserted this row, and the service returned an entity with its key.
  bool conflicts() const { return over_remote_ && inserted_; }

 private:
  // Moves to the next remote row if the last one was used; false at the end.
  Result<bool> PeekRemote();
  Result<std::optional<WriteSnapshot::Item>> PeekOwn();
  void Pass(EntityKeyView key);
  Result<bool> NextMixed();
  Status Show(EntityKeyView key, const EntityWrite& write, bool over_remote);
  const Cell& Remote(size_t place) const { return read_->At(place); }

  std::unique_ptr<OrderedRead> read_;
  Setting setting_;
  bool wants_entity_;
  bool row_used_ = true;     // the remote row was shown or skipped
  bool remote_end_ = false;  // all remote rows were read

  // The next pending entity, once it was looked up. An empty inner optional is the end.
  std::optional<std::optional<EntityKey>> next_own_;
  EntityKey last_own_;  // the last of the pending entities that was passed
  bool passed_any_ = false;
  std::set<std::pair<std::string, std::string>>
      met_;                   // without an order: pending entities that the service returned too
  EntityPage own_;            // the properties of a pending entity
  bool show_own_ = false;     // the row is own_, else the remote one
  bool over_remote_ = false;  // the service returned an entity for the row, shown or under own_
  bool inserted_ = false;     // the transaction inserted the row, whatever is under it
  bool whole_ = false;        // only Timestamp and ETag of the remote entity show through
  std::string entity_;        // _entity of a pending row
};

}  // namespace aztables
