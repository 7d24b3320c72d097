// BinaryOrderStream: the entities of one query in SQLite's order of keys (UTF-8 bytes). The service
// returns them in its own (UTF-16 code units). The two orders differ on few keys
// (order_conflict_range.h). If such a group lies within a page, the page's rows are sorted. If the
// group continues after the page, a separate query reads the group, and the pages leave it out. If
// the group is larger than a page, a query reads only the part that SQLite sorts first. A filter
// cannot name the first half of a surrogate pair. If a key with one is in a group that is larger
// than a page, the read fails. A key that the query fixes makes no group.
//
// Ownership: owns the main read, and the separate read of a group.
// Thread rule: the thread of the database connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "read/order_conflict_range.h"
#include "read/page_reader.h"

namespace aztables {

class BinaryOrderStream final : public RowStream {
 public:
  // Makes a reader of the same query with additional conditions.
  using Narrow = std::function<std::unique_ptr<PageReader>(Conjunction more)>;

  // `filter` is that of the query.
  BinaryOrderStream(std::unique_ptr<PageReader> read, Narrow narrow, const Conjunction& filter)
      : BinaryOrderStream(std::move(read), std::move(narrow), IsFixed(filter, "PartitionKey"),
                          IsFixed(filter, "RowKey")) {}

  Result<bool> Next() override;
  Cell At(size_t place) const override {
    return away_ ? away_->At(place) : read_->page().At(row_, place);
  }
  int64_t asked_at() const override { return away_ ? away_->asked_at() : read_->asked_at(); }
  Status Prefetch() override { return read_->Prefetch(); }

 private:
  BinaryOrderStream(std::unique_ptr<PageReader> read, Narrow narrow, bool one_partition,
                    bool one_row)
      : read_(std::move(read)),
        narrow_(std::move(narrow)),
        one_partition_(one_partition),
        one_row_(one_row) {}

  EntityKeyView KeyOfRow(size_t row) const {
    return {read_->page().At(row, EntityPage::kPartitionKey).view(),
            read_->page().At(row, EntityPage::kRowKey).view()};
  }
  static Status NoOrder(EntityKeyView key);
  Status CheckNoHalf(const OrderConflictRange& group, const std::vector<size_t>& rows) const;
  EntityKeyView last() const { return KeyOfRow(read_->page().size() - 1); }
  Result<bool> Load();
  Status Arrange();
  void Sort();
  void FindGroups();
  Result<bool> ReadWhole(const OrderConflictRange& group);
  Status ReadHeld();
  void ReadAside(const OrderConflictRange& group);
  bool WasRead(EntityKeyView key) const;
  bool ReadBefore(EntityKeyView key);

  std::unique_ptr<PageReader> read_;
  Narrow narrow_;
  bool one_partition_;         // PartitionKey is equal to one text
  bool one_row_;               // RowKey is equal to one text
  std::vector<size_t> order_;  // rows of the page, in output order
  size_t place_ = 0;           // index of the next row in order_
  size_t row_ = 0;             // index of the current row in the page
  // The groups that the pages are within, the widest first.
  std::vector<OrderConflictRange> groups_;
  std::vector<size_t> held_;  // rows of the page in groups_.back(), which is to be read whole
  // If set: returns only what this group's own read returns.
  std::optional<OrderConflictRange> only_;
  std::unique_ptr<BinaryOrderStream> away_;
};

}  // namespace aztables
