// BinaryOrderStream: see binary_order_stream.h.
#include "read/binary_order_stream.h"

#include <algorithm>
#include <utility>

#include "model/limits.h"

namespace aztables {

Result<bool> BinaryOrderStream::Next() {
  for (;;) {
    if (away_) {
      auto more = away_->Next();
      if (!more.ok() || *more) return more;
      away_.reset();
    }
    if (place_ < order_.size()) {
      if (ReadBefore(KeyOfRow(order_[place_]))) continue;
      row_ = order_[place_++];
      return true;
    }
    if (!held_.empty()) {
      if (ReadBefore(groups_.back().Beginning())) continue;
      AZTABLES_RETURN_IF_ERROR(ReadHeld());
      continue;
    }
    auto more = Load();
    if (!more.ok() || !*more) return more;
  }
}

Result<bool> BinaryOrderStream::Load() {
  place_ = 0;
  order_.clear();
  auto more = read_->NextPage();
  if (more.ok() && *more) AZTABLES_RETURN_IF_ERROR(Arrange());
  return more;
}

// Reads the group in a query of its own. False if the group does not fit in one page.
Result<bool> BinaryOrderStream::ReadWhole(const OrderConflictRange& group) {
  ReadAside(group);
  const auto more = away_->Load();
  if (!more.ok()) return more.status();
  if (!*more) away_.reset();
  if (!*more || away_->read_->at_end()) return true;
  for (const auto* rows : {&away_->order_, &away_->held_}) {
    AZTABLES_RETURN_IF_ERROR(away_->CheckNoHalf(group, *rows));
  }
  away_.reset();
  return false;
}

// Reads the page's last group in a query of its own if the group fits in one page. Otherwise
// returns the page's rows of the group here.
Status BinaryOrderStream::ReadHeld() {
  OrderConflictRange& group = groups_.back();
  // A group that fills this page continues after it.
  if (held_.size() < kMaxPageEntities) {
    const auto whole = ReadWhole(group);
    if (!whole.ok()) return whole.status();
    if (*whole) {
      held_.clear();
      return {};
    }
  }
  order_ = std::exchange(held_, {});
  AZTABLES_RETURN_IF_ERROR(CheckNoHalf(group, order_));
  group.whole = false;
  std::erase_if(order_, [&](size_t row) { return group.ReadsAside(KeyOfRow(row)); });
  place_ = 0;
  FindGroups();
  Sort();
  return {};
}

void BinaryOrderStream::ReadAside(const OrderConflictRange& group) {
  away_.reset(new BinaryOrderStream(narrow_(group.Filter()), narrow_, one_partition_, one_row_));
  away_->only_ = group;
}

// Whether another read returns the entity.
bool BinaryOrderStream::WasRead(EntityKeyView key) const {
  if (only_ && !only_->ReadsAside(key)) return true;
  return std::any_of(groups_.begin(), groups_.end(),
                     [&](const OrderConflictRange& group) { return group.ReadsAside(key); });
}

// Starts to read the entities that SQLite sorts before `key` and the service after this page. False
// if there are none, or if they were read.
bool BinaryOrderStream::ReadBefore(EntityKeyView key) {
  for (OrderConflictRange& group : groups_) {
    if (group.whole || group.read_high || !group.HasSurrogate(key)) continue;
    group.read_high = true;
    ReadAside(group);
    return true;
  }
  return false;
}

// Finds the widest group that begins in this page and continues after it. It must have rows here
// that SQLite sorts after other rows of the group. The other groups of the last row are within it.
void BinaryOrderStream::FindGroups() {
  bool within = !only_;  // the other read handles the groups that contain this read
  for (OrderConflictRange& group : GroupsOf(last())) {
    if (group.of_rows ? one_row_ : one_partition_) continue;
    if (!within) {
      within = group.IsSame(*only_);
      continue;
    }
    const bool known =
        std::any_of(groups_.begin(), groups_.end(),
                    [&](const OrderConflictRange& other) { return other.IsSame(group); });
    if (known) continue;
    const auto begin = std::find_if(order_.begin(), order_.end(), [&](size_t row) {
      const EntityKeyView key = KeyOfRow(row);
      return group.Has(key) && !group.HasHigh(key);
    });
    if (begin == order_.end()) continue;
    group.whole = true;
    groups_.push_back(std::move(group));
    const auto held = std::stable_partition(order_.begin(), order_.end(), [this](size_t row) {
      return !groups_.back().Has(KeyOfRow(row));
    });
    held_.assign(held, order_.end());
    order_.erase(held, order_.end());
    return;
  }
}

Status BinaryOrderStream::NoOrder(EntityKeyView key) {
  return Status::Error("the entity " + DescribeEntity(key.partition_key, key.row_key) +
                       " cannot be sorted: its key has half of a surrogate pair, and the entities "
                       "with the same prefix fill more than one page; COMMIT any pending writes to "
                       "the table, and write ORDER BY +PartitionKey, +RowKey");
}

Status BinaryOrderStream::CheckNoHalf(const OrderConflictRange& group,
                                      const std::vector<size_t>& rows) const {
  for (const size_t row : rows) {
    const EntityKeyView key = KeyOfRow(row);
    if (group.HasHalf(key)) return NoOrder(key);
  }
  return {};
}

Status BinaryOrderStream::Arrange() {
  const size_t size = read_->page().size();
  for (size_t row = 0; row < size; ++row) {
    if (!WasRead(KeyOfRow(row))) order_.push_back(row);
  }
  for (const OrderConflictRange& group : groups_)
    AZTABLES_RETURN_IF_ERROR(CheckNoHalf(group, order_));
  // SQLite may sort a half after rows of the next pages.
  if (only_ && !only_->whole && !read_->at_end()) {
    AZTABLES_RETURN_IF_ERROR(CheckNoHalf(*only_, order_));
  }
  // The pages have left each group that does not contain the last row.
  std::erase_if(groups_, [&](const OrderConflictRange& group) { return !group.Has(last()); });
  if (!read_->at_end()) FindGroups();
  Sort();
  return {};
}

void BinaryOrderStream::Sort() {
  const auto less = [this](size_t a, size_t b) {
    return CompareEntityKeys(KeyOfRow(a), KeyOfRow(b)) < 0;
  };
  if (!std::is_sorted(order_.begin(), order_.end(), less)) {
    std::sort(order_.begin(), order_.end(), less);
  }
}

}  // namespace aztables
