// PendingMergeStream: the rows of one query as the transaction sees them: the service's entities,
// overlaid with the transaction's pending writes as of the start of the scan. Inserted, changed and
// deleted entities are identified by key alone, for every query.
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
#include "read/key_predicate.h"
#include "read/row_stream.h"
#include "write/write_log.h"

namespace aztables {

class PendingMergeStream final : public RowStream {
 public:
  struct Setting {
    WriteSnapshot pending;
    KeyPredicate keys;        // of the pending entities
    bool ordered = true;      // the remote entities come in SQLite's order of keys
    bool descending = false;  // in the reverse of that order
    EntityReader* reader = nullptr;
  };
  // `read` is null if the query needs nothing from the service.
  PendingMergeStream(std::unique_ptr<RowStream> read, const Projection& projection,
                     Setting setting);

  Result<bool> Next() override;
  Cell At(size_t place) const override;
  int64_t asked_at() const override { return read_ ? read_->asked_at() : 0; }
  bool remote() const override { return over_remote_; }
  bool conflicts() const override { return over_remote_ && inserted_; }
  Status Prefetch() override { return read_ ? read_->Prefetch() : Status(); }

 private:
  // Moves to the next remote row if the last one was used; false at the end.
  Result<bool> PeekRemote();
  Result<std::optional<WriteSnapshot::Item>> PeekOwn();
  // The next pending entity after those that were passed.
  Result<std::optional<WriteSnapshot::Item>> FollowingOwn();
  void Pass(EntityKeyView key);
  Status Show(EntityKeyView key, const EntityWrite& write, bool over_remote);

  std::unique_ptr<RowStream> read_;
  Setting setting_;
  bool wants_entity_;
  bool row_used_ = true;     // the remote row was shown or skipped
  bool remote_end_ = false;  // all remote rows were read

  // The next pending entity, once it was looked up. An empty inner optional is the end.
  std::optional<std::optional<EntityKey>> next_own_;
  EntityKey last_own_;  // the last of the pending entities that was passed
  bool passed_any_ = false;
  // Without an order: pending entities that the service returned too.
  std::set<std::pair<std::string, std::string>> met_;
  EntityPage own_;            // the properties of a pending entity
  bool show_own_ = false;     // the row is own_, else the remote one
  bool over_remote_ = false;  // the service returned an entity for the row, shown or under own_
  bool inserted_ = false;     // the transaction inserted the row, even over a remote one
  bool whole_ = false;        // only Timestamp and ETag of the remote entity show through
  std::string entity_;        // _entity of a pending row
};

}  // namespace aztables
