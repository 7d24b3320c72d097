// OrderedRead: see ordered_read.h.
#include "ordered_read.h"

#include <algorithm>

#include "aztables/base/encoding.h"
#include "aztables/model/limits.h"

namespace aztables {

Result<bool> OrderedRead::Next() {
  for (;;) {
    if (away_) {
      auto more = away_->Next();
      if (!more.ok() || *more) return more;
      away_.reset();
    }
    const size_t count = narrow_ ? order_.size() : read_->page().size();
    if (place_ < count) {
      const size_t row = narrow_ ? order_[place_] : place_;
      if (KeyGroup* const group = narrow_ ? GroupToRead(KeyOfRow(row)) : nullptr) {
        group->read_high = true;
        away_ = std::make_unique<OrderedRead>(narrow_(group->HighFilter()), narrow_);
        away_->only_ = *group;
        continue;
      }
      row_ = row;
      ++place_;
      return true;
    }
    place_ = 0;
    order_.clear();
    auto more = read_->NextPage();
    if (!more.ok() || !*more) return more;
    if (narrow_) AZTABLES_RETURN_IF_ERROR(Arrange());
  }
}

// Whether another read gives the entity out.
bool OrderedRead::WasRead(EntityKeyView key) const {
  if (only_ && !only_->HasHigh(key)) return true;
  return std::any_of(groups_.begin(), groups_.end(),
                     [&](const KeyGroup& group) { return group.HasHigh(key); });
}

KeyGroup* OrderedRead::GroupToRead(EntityKeyView key) {
  for (KeyGroup& group : groups_) {
    if (!group.read_high && group.HasSurrogate(key)) return &group;
  }
  return nullptr;
}

// Finds the groups that this page begins and does not end: those of its last row of which there are
// rows here that SQLite has behind others.
void OrderedRead::FindGroups(EntityKeyView last) {
  bool within = !only_;  // those that this is in itself are the other read's
  for (KeyGroup& group : GroupsOf(last)) {
    if (!within) {
      within = group.IsSame(*only_);
      continue;
    }
    const bool known = std::any_of(groups_.begin(), groups_.end(),
                                   [&](const KeyGroup& other) { return other.IsSame(group); });
    if (known) continue;
    const bool begins_here = std::any_of(order_.begin(), order_.end(), [&](size_t row) {
      return group.HasSurrogate(KeyOfRow(row));
    });
    if (!begins_here) continue;
    groups_.push_back(std::move(group));
    std::erase_if(order_, [this](size_t row) { return groups_.back().HasHigh(KeyOfRow(row)); });
  }
}

// A lone surrogate can be named in no filter: its group has to be on this page.
Status OrderedRead::CheckLone(EntityKeyView key, EntityKeyView last) const {
  for (const KeyGroup& group : GroupsOf(key)) {
    if (!group.HasLone(key)) continue;
    const bool begun = std::any_of(groups_.begin(), groups_.end(),
                                   [&](const KeyGroup& other) { return other.IsSame(group); });
    if (!begun && (read_->at_end() || !group.Has(last))) continue;
    return Status::Error("the entity " + DescribeEntity(key.partition_key, key.row_key) +
                         " cannot be put in order: its key has half of a surrogate pair, and more "
                         "than a page of entities begins like it; write ORDER BY +PartitionKey, "
                         "+RowKey, and first COMMIT what the transaction has written to the table");
  }
  return {};
}

Status OrderedRead::Arrange() {
  const size_t size = read_->page().size();
  for (size_t row = 0; row < size; ++row) {
    if (!WasRead(KeyOfRow(row))) order_.push_back(row);
  }
  const EntityKeyView last = KeyOfRow(size - 1);
  for (const size_t row : order_) {
    const EntityKeyView key = KeyOfRow(row);
    if (!HasLoneSurrogate(key.partition_key) && !HasLoneSurrogate(key.row_key)) continue;
    AZTABLES_RETURN_IF_ERROR(CheckLone(key, last));
  }
  // The pages have left the groups that the last row is not in.
  std::erase_if(groups_, [&](const KeyGroup& group) { return !group.Has(last); });
  if (!read_->at_end()) FindGroups(last);
  const auto less = [this](size_t a, size_t b) {
    return CompareEntityKeys(KeyOfRow(a), KeyOfRow(b)) < 0;
  };
  if (!std::is_sorted(order_.begin(), order_.end(), less)) {
    std::sort(order_.begin(), order_.end(), less);
  }
  return {};
}

}  // namespace aztables
