// OrderedRead: the entities of one query, one after another. With `narrow` they are in SQLite's
// order of keys (UTF-8 bytes), although the service returns them in its own (UTF-16 code units).
// The two orders differ on few keys (key_group.h). If such a group lies within a page, the page's
// rows are sorted. If the group continues after the page, a separate query reads the group, and the
// pages leave it out. If the group is larger than a page, a query reads only the part that SQLite
// sorts first. A filter cannot name the first half of a surrogate pair. If a key with one is in a
// group that is larger than a page, the read fails.
//
// Ownership: owns the main read, and the separate read of a group.
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
  // Makes a read of the same query with additional conditions.
  using Narrow = std::function<std::unique_ptr<PageSource>(Conjunction more)>;

  // Without `narrow` the entities keep the service's order.
  OrderedRead(std::unique_ptr<PageSource> read, Narrow narrow)
      : read_(std::move(read)), narrow_(std::move(narrow)) {}

  // Moves to the next entity; false at the end.
  Result<bool> Next();
  // A cell of the entity, valid until the next Next().
  const Cell& At(size_t place) const {
    return away_ ? away_->At(place) : read_->page().At(row_, place);
  }
  EntityKeyView key() const {
    return KeyAt(At(EntityPage::kPartitionKey), At(EntityPage::kRowKey));
  }
  // See PageSource; for the current entity.
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
  std::vector<size_t> order_;     // rows of the page, in output order; unused without `narrow_`
  size_t place_ = 0;              // index of the next row in order_ or in the page
  size_t row_ = 0;                // index of the current row in the page
  std::vector<KeyGroup> groups_;  // the groups that the pages are within, the widest first
  std::vector<size_t> held_;      // rows of the page in groups_.back(), which is to be read whole
  std::optional<KeyGroup> only_;  // if set: returns only what this group's own read returns
  std::unique_ptr<OrderedRead> away_;
};

}  // namespace aztables
