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
      if (narrow_ && ReadBefore(KeyOfRow(row))) continue;
      row_ = row;
      ++place_;
      return true;
    }
    if (lone_) {
      if (ReadBefore(lone_->Beginning())) continue;
      ReadAside(*lone_);
      lone_.reset();
      continue;
    }
    place_ = 0;
    order_.clear();
    auto more = read_->NextPage();
    if (!more.ok() || !*more) return more;
    if (narrow_) AZTABLES_RETURN_IF_ERROR(Arrange());
  }
}

void OrderedRead::ReadAside(const KeyGroup& group) {
  away_ = std::make_unique<OrderedRead>(narrow_(group.Filter()), narrow_);
  away_->only_ = group;
}

// Whether another read gives the entity out.
bool OrderedRead::WasRead(EntityKeyView key) const {
  if (only_ && !only_->ReadsAside(key)) return true;
  return std::any_of(groups_.begin(), groups_.end(),
                     [&](const KeyGroup& group) { return group.ReadsAside(key); });
}

// Begins to read what SQLite has before the entity, and the service behind the page. False if there
// is nothing, or it was read.
bool OrderedRead::ReadBefore(EntityKeyView key) {
  for (KeyGroup& group : groups_) {
    if (group.whole || group.read_high || !group.HasSurrogate(key)) continue;
    group.read_high = true;
    ReadAside(group);
    return true;
  }
  return false;
}

// Finds the groups that this page begins and does not end: those of its last row of which there are
// rows here that SQLite has behind others. What their own reads give out leaves the page.
void OrderedRead::FindGroups(EntityKeyView last) {
  const auto begins_here = [this](const KeyGroup& group, auto has) {
    return std::any_of(order_.begin(), order_.end(),
                       [&](size_t row) { return (group.*has)(KeyOfRow(row)); });
  };
  bool within = !only_;  // those that this is in itself are the other read's
  for (KeyGroup& group : GroupsOf(last)) {
    if (!within) {
      within = group.IsSame(*only_);
      continue;
    }
    const bool known = std::any_of(groups_.begin(), groups_.end(),
                                   [&](const KeyGroup& other) { return other.IsSame(group); });
    if (known) continue;
    // No filter can name a lone surrogate.
    group.whole = begins_here(group, &KeyGroup::HasLone);
    if (!group.whole && !begins_here(group, &KeyGroup::HasSurrogate)) continue;
    groups_.push_back(std::move(group));
    const KeyGroup& found = groups_.back();
    std::erase_if(order_, [&](size_t row) { return found.ReadsAside(KeyOfRow(row)); });
    if (found.whole) lone_ = found;
    if (found.whole) return;  // the others are within it
  }
}

Status OrderedRead::NoOrder(EntityKeyView key) {
  return Status::Error("the entity " + DescribeEntity(key.partition_key, key.row_key) +
                       " cannot be put in order: the key of an entity that begins like it has half "
                       "of a surrogate pair, and these entities are on more than one page; write "
                       "ORDER BY +PartitionKey, +RowKey, and first COMMIT what the transaction has "
                       "written to the table");
}

Status OrderedRead::Arrange() {
  const size_t size = read_->page().size();
  for (size_t row = 0; row < size; ++row) {
    if (!WasRead(KeyOfRow(row))) order_.push_back(row);
  }
  const EntityKeyView last = KeyOfRow(size - 1);
  if (only_ && only_->whole && !read_->at_end()) return NoOrder(last);
  for (const KeyGroup& group : groups_) {
    const auto lone = std::find_if(order_.begin(), order_.end(),
                                   [&](size_t row) { return group.HasLone(KeyOfRow(row)); });
    if (lone != order_.end()) return NoOrder(KeyOfRow(*lone));
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
