// OrderedRead: see ordered_read.h.
#include "ordered_read.h"

#include <algorithm>

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
    if (narrow_) Arrange();
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

void OrderedRead::Arrange() {
  const size_t size = read_->page().size();
  for (size_t row = 0; row < size; ++row) {
    if (!WasRead(KeyOfRow(row))) order_.push_back(row);
  }
  const EntityKeyView last = KeyOfRow(size - 1);
  // The pages have left the groups that the last row is not in.
  std::erase_if(groups_, [&](const KeyGroup& group) { return !group.Has(last); });
  if (!read_->at_end()) FindGroups(last);
  const auto less = [this](size_t a, size_t b) {
    return CompareEntityKeys(KeyOfRow(a), KeyOfRow(b)) < 0;
  };
  if (!std::is_sorted(order_.begin(), order_.end(), less)) {
    std::sort(order_.begin(), order_.end(), less);
  }
}

}  // namespace aztables
