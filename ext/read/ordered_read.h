// OrderedRead: the entities of one query, one after another; where it is asked for, in SQLite's
// order of keys (UTF-8 bytes), although the service gives them in its own (UTF-16 code units). The
// two differ on few keys (key_group.h). If such a group lies within a page, the page's rows are
// sorted. If it goes on behind the page, a query of its own reads the group, and the pages leave it
// out. If that is more than a page, a query reads what SQLite has first in it instead. No query can
// name the first half of a surrogate pair; one in a group of more than a page is an error.
//
// Ownership: owns the read, and the one that it goes away for.
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "read/key_group.h"
#include "read/page_source.h"

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
  // As PageSource has it, of the entity.
  int64_t asked_at() const { return away_ ? away_->asked_at() : read_->asked_at(); }
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
  Status CheckNoHalf(const KeyGroup& group, const std::vector<size_t>& rows) const;
  EntityKeyView last() const { return KeyOfRow(read_->page().size() - 1); }
  Result<bool> Load();
  Status Arrange();
  void Sort();
  void FindGroups();
  Status ReadHeld();
  void ReadAside(const KeyGroup& group);
  bool WasRead(EntityKeyView key) const;
  bool ReadBefore(EntityKeyView key);

  std::unique_ptr<PageSource> read_;
  Narrow narrow_;
  std::vector<size_t> order_;  // rows of the page, as they are given out; unused without `narrow_`
  size_t place_ = 0;           // the next one, in order_ or in the page
  size_t row_ = 0;             // of the page: the one that was given out
  std::vector<KeyGroup> groups_;  // that the pages are within, the widest first
  std::vector<size_t> held_;      // rows of the page in groups_.back(), which is to be read whole
  std::optional<KeyGroup> only_;  // gives out nothing but what this group's own read does
  std::unique_ptr<OrderedRead> away_;
};

}  // namespace aztables
