// OrderedRead: the entities of one query, one after another; where it is asked for, in SQLite's
// order of keys (UTF-8 bytes), although the service gives them in its own (UTF-16 code units). The
// two differ on few keys (key_group.h). Where such a group lies within a page, the page's rows are
// sorted; where it goes on behind the page, what SQLite has first in it is read by a query of its
// own, and left out when the pages bring it. Keys with lone surrogates are sorted within a page. If
// their group goes on behind the page, a query of its own reads the group; more than a page of it
// is an error.
//
// Ownership: owns the read, and the one that it goes away for.
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "key_group.h"
#include "page_source.h"

namespace aztables {

class OrderedRead {
 public:
  // Makes a read of the same query with more conditions.
  using Narrow = std::function<std::unique_ptr<PageSource>(Conjunction more)>;

  // Without `narrow` the entities come as the service gives them.
  OrderedRead(std::unique_ptr<PageSource> read, Narrow narrow)
      : read_(std::move(read)), narrow_(std::move(narrow)) {}

  // Moves to the next entity; false at the end.
  Result<bool> Next();
  // A cell of the entity, good until the next Next().
  const Cell& At(size_t place) const {
    return away_ ? away_->At(place) : read_->page().At(row_, place);
  }
  EntityKeyView key() const {
    return KeyAt(At(EntityPage::kPartitionKey), At(EntityPage::kRowKey));
  }
  PageSource& read() { return *read_; }

 private:
  static EntityKeyView KeyAt(const Cell& partition_key, const Cell& row_key) {
    return {partition_key.view(), row_key.view()};
  }
  EntityKeyView KeyOfRow(size_t row) const {
    return KeyAt(read_->page().At(row, EntityPage::kPartitionKey),
                 read_->page().At(row, EntityPage::kRowKey));
  }
  static Status NoOrder(EntityKeyView key);
  Status Arrange();
  void FindGroups(EntityKeyView last);
  void ReadAside(const KeyGroup& group);
  bool WasRead(EntityKeyView key) const;
  bool ReadBefore(EntityKeyView key);

  std::unique_ptr<PageSource> read_;
  Narrow narrow_;
  std::vector<size_t> order_;  // rows of the page, as they are given out; unused without `narrow_`
  size_t place_ = 0;           // the next one, in order_ or in the page
  size_t row_ = 0;             // of the page: the one that was given out
  std::vector<KeyGroup> groups_;  // that the pages are within, the widest first
  std::optional<KeyGroup> lone_;  // has lone surrogates, goes on behind the page, is read after it
  std::optional<KeyGroup> only_;  // gives out nothing but what this group's own read does
  std::unique_ptr<OrderedRead> away_;
};

}  // namespace aztables
